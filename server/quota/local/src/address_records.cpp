// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "address_records.hpp"

#include <algorithm>
#include <unordered_set>

namespace petstore::quota {
namespace {

/// Which plan the addresses have does not matter for saving and restoring, because a record says how long its periods
/// have left. (Without a long window the plan says nothing of one in a record.)
constexpr limits::plan any_plan{limits::per_minute(1)};

/// One part of so many of a write is kept for records to erase.
constexpr std::size_t forgotten_part = 8;

}  // namespace

void address_records::restore(limits::address const& a, limits::saved_account const& saved,
                              limits::ban_policy const& bans, limits::instant now) {
  table_.restore(a, saved, any_plan, bans, now);
  written_.insert_or_assign(record_key(kind_, a), saved);
}

void address_records::collect(std::vector<quota_records::change>& changes, std::size_t changes_max,
                              limits::instant now) {
  pending_.clear();
  forgotten_.clear();
  std::unordered_set<std::string> alive;
  table_.for_each(any_plan, now, [&](limits::address const& a, limits::saved_account const& saved) {
    std::string key = record_key(kind_, a);
    auto const known = written_.find(key);
    if (known == written_.end() || !says_the_same(saved, known->second)) pending_.emplace_back(key, saved);
    alive.insert(std::move(key));
  });
  for (auto const& [key, saved] : written_)
    if (!alive.contains(key)) forgotten_.push_back(key);

  if (pending_.size() + forgotten_.size() > changes_max) choose(changes_max);
  for (auto const& [key, saved] : pending_) changes.push_back({key, encode(saved)});
  for (std::string const& key : forgotten_) changes.push_back({key, std::nullopt});
}

void address_records::choose(std::size_t changes_max) {
  auto const rest =
      std::partition(pending_.begin(), pending_.end(), [](state const& s) { return s.second.ban_until_unix_ms != 0; });
  std::shuffle(rest, pending_.end(), random_);
  std::shuffle(forgotten_.begin(), forgotten_.end(), random_);
  auto const for_forgotten = std::min(forgotten_.size(), changes_max / forgotten_part);
  pending_.resize(std::min(pending_.size(), changes_max - for_forgotten));
  forgotten_.resize(std::min(forgotten_.size(), changes_max - pending_.size()));
}

void address_records::confirm() {
  for (auto& [key, saved] : pending_) written_.insert_or_assign(std::move(key), saved);
  for (std::string const& key : forgotten_) written_.erase(key);
}

}  // namespace petstore::quota
