// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "identity_quotas.hpp"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

namespace petstore::quota {

identity_quotas::identity_quotas(std::size_t others_max, quota_names names) : names_(std::move(names)) {
  std::size_t const of_a_shard = std::max<std::size_t>(1, others_max / shard_count);
  for (std::size_t i = 0; i < shard_count; ++i) shards_.push_back(std::make_unique<shard>(of_a_shard));
}

identity_account& identity_quotas::account_of(shared_identity const& who) {
  std::lock_guard const lock(mutex_);
  identity_account*& known = first_of_[who.number];
  if (known == nullptr) known = &keep(who);
  identity_account& first = *known;
  if (first.now().who_.resets < who.resets) first.newest_ = &made_.emplace_back(who, names_);
  return first.now();
}

identity_account& identity_quotas::keep(shared_identity const& who) {
  firsts_.push_back(nullptr);  // first, since nothing may fail once the account is moved
  shard& s = shard_of(who.number);
  std::lock_guard const lock(s.mutex);
  std::list<identity_account> other = s.table.extract(who.number);
  if (other.empty()) return *(firsts_.back() = &made_.emplace_back(who, names_));
  moved_.splice(moved_.begin(), other);
  return *(firsts_.back() = &moved_.front());
}

quota::pin identity_quotas::pin(std::uint64_t identity) {
  shard& s = shard_of(identity);
  {
    std::lock_guard const lock(s.mutex);
    if (auto* const known = s.table.use(identity)) return quota::pin{known->quota()};
  }
  std::lock_guard const lock(mutex_);
  if (auto* const kept = find_kept(identity)) return quota::pin{kept->now().quota()};
  std::lock_guard const shard_lock(s.mutex);
  auto* found = s.table.use(identity);  // another thread may have added it
  if (!found) found = s.table.add(identity, shared_identity{identity, 0}, names_);
  if (!found)
    throw boost::system::system_error(asio::error::no_buffer_space,
                                      "Redis has to be told of all identities that this node remembers");
  return quota::pin{found->quota()};
}

std::optional<quota::pin> identity_quotas::find_and_pin(std::uint64_t identity) {
  auto const pin_known = [](identity_account const* account) {
    shared_quota* const known = account ? account->find_quota() : nullptr;
    return known ? std::optional<quota::pin>{*known} : std::nullopt;
  };
  {
    shard& s = shard_of(identity);
    std::lock_guard const lock(s.mutex);
    if (auto* const other = s.table.find(identity)) return pin_known(other);
  }
  std::lock_guard const lock(mutex_);
  auto* const kept = find_kept(identity);
  return pin_known(kept ? &kept->now() : nullptr);
}

std::optional<quota::pin> identity_quotas::find_and_pin(std::string_view key) {
  auto const name = names_.name_in(key);
  auto const who = name ? identity_in(*name) : std::nullopt;
  if (!who) return std::nullopt;
  {
    std::lock_guard const lock(mutex_);
    if (auto* const first = find_kept(who->number)) {
      for (identity_account* const known : {first, &first->now()})
        if (shared_quota* const found = known->find_quota(); found && known->who_.resets == who->resets)
          return std::optional<quota::pin>{*found};
      return std::nullopt;
    }
  }
  return who->resets == 0 ? find_and_pin(who->number) : std::nullopt;
}

std::size_t identity_quotas::other_count() const {
  std::size_t count = 0;
  for (auto const& s : shards_) count += s->size();
  return count;
}

std::size_t identity_quotas::parts() const {
  std::lock_guard const lock(mutex_);
  return shard_count + (firsts_.size() + part_size - 1) / part_size;
}

/// The highest bits of the product depend on all bits of the number.
identity_quotas::shard& identity_quotas::shard_of(std::uint64_t identity) noexcept {
  return *shards_[identity * 0x9e3779b97f4a7c15 >> (64 - shard_bits)];
}

identity_account* identity_quotas::find_kept(std::uint64_t identity) noexcept {
  auto const place = first_of_.find(identity);
  return place == first_of_.end() ? nullptr : place->second;
}

std::array<shared_quota*, identity_quotas::part_size> identity_quotas::kept_quotas_in(std::size_t part) {
  std::array<shared_quota*, part_size> quotas{};
  std::lock_guard const lock(mutex_);
  auto const begin = part * part_size, end = std::min(firsts_.size(), begin + part_size);
  for (auto i = begin; i < end; ++i)
    if (firsts_[i] != nullptr) quotas[i - begin] = firsts_[i]->now().find_quota();
  return quotas;
}

}  // namespace petstore::quota
