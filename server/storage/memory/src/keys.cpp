// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>

#include "tables.hpp"

namespace petstore::storage::memory {

key_directory tables::read_keys() const {
  key_directory directory;
  directory.version = keys_version_;
  for (auto const& [number, key] : keys_) directory.keys.push_back(key);
  for (auto const& [number, identity] : identities_) directory.identities.push_back(identity);
  return directory;
}

result<key_change> tables::change_keys(key_command const& command, unix_ms now, std::string const& actor,
                                       std::optional<ports::idempotency> const& repeat) {
  if (repeat) {
    auto const again = rules::find_repetition(find_answer(rules::repeatable::create_key, repeat), *repeat, now);
    if (!again) return again.error();
    if (*again) {
      auto const& key = keys_.at(static_cast<std::uint64_t>((*again)->id));
      return rules::replay_creation(key, identities_.at(key.identity));
    }
  }
  std::optional<key_record> named;
  std::optional<identity_record> identity;
  if (auto const number = named_key(command)) {
    if (auto const key = keys_.find(*number); key != keys_.end()) {
      named = key->second;
      if (auto const owner = identities_.find(named->identity); owner != identities_.end()) identity = owner->second;
    }
  }
  auto const next_number = keys_.empty() ? 1 : keys_.rbegin()->first + 1;
  auto change = decide(command, named, identity, next_number, now, actor);
  if (!change || change->unchanged) return change;
  if (change->added &&
      std::ranges::any_of(keys_, [&](auto const& k) { return k.second.digest == change->added->digest; }))
    return error{.code = errc::conflict, .message = "that key exists", .cause = {}};

  change->entry.sequence = audit_log_.size() + 1;
  if (change->changed) keys_[change->changed->number] = *change->changed;
  if (change->added) keys_[change->added->number] = *change->added;
  identities_[change->identity.number] = change->identity;
  audit_log_.push_back(change->entry);
  ++keys_version_;
  if (change->added) keep_answer(rules::repeatable::create_key, repeat, rules::creation_of(*change->added), now);
  return change;
}

std::vector<audit_entry> tables::read_audit_log(std::uint64_t after_sequence, std::uint32_t limit) const {
  auto const begin = std::min<std::uint64_t>(after_sequence, audit_log_.size());
  auto const end = std::min<std::uint64_t>(begin + limit, audit_log_.size());
  auto const at = [&](std::uint64_t n) { return audit_log_.begin() + static_cast<std::ptrdiff_t>(n); };
  return {at(begin), at(end)};
}

result<void> tables::import_keys(ports::key_archive archive) {
  auto present = read_keys();
  auto const step = rules::import_keys(archive, {std::move(present.keys), std::move(present.identities), audit_log_});
  if (!step) return step.error();
  if (*step == rules::import_step::skip) return {};
  for (auto& key : archive.keys) keys_.emplace(key.number, std::move(key));
  for (auto& identity : archive.identities) identities_.emplace(identity.number, std::move(identity));
  audit_log_ = std::move(archive.audit_log);
  ++keys_version_;
  return {};
}

}  // namespace petstore::storage::memory
