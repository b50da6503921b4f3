// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <string>
#include <unordered_set>

#include "petstore/storage/rules/import.hpp"

namespace petstore::storage::rules {
namespace {

error fault(std::string message) {
  return {.code = errc::invalid_request, .message = std::move(message), .cause = {}};
}

/// The first missing number; nullopt: none is missing.
template <class Records, class Number>
std::optional<std::uint64_t> find_gap(Records const& records, Number number) {
  std::uint64_t expected = 1;
  for (auto const& record : records) {
    if (record.*number != expected) return expected;
    ++expected;
  }
  return std::nullopt;
}

}  // namespace

result<void> check_keys(ports::key_archive const& archive) {
  if (auto const gap = find_gap(archive.keys, &key_record::number))
    return fault("key k" + std::to_string(*gap) + " is missing");
  if (auto const gap = find_gap(archive.audit_log, &audit_entry::sequence))
    return fault("entry " + std::to_string(*gap) + " of the audit log is missing");

  std::unordered_set<std::uint64_t> identities;
  for (auto const& identity : archive.identities) identities.insert(identity.number);
  std::unordered_set<std::string_view> digests;
  for (auto const& key : archive.keys) {
    if (!identities.contains(key.identity))
      return fault("the identity of key k" + std::to_string(key.number) + " is missing");
    std::string_view const digest{reinterpret_cast<char const*>(key.digest.data()), key.digest.size()};
    if (!digests.insert(digest).second) return fault("key k" + std::to_string(key.number) + " is there twice");
  }
  return {};
}

result<import_step> import_keys(ports::key_archive const& archive, ports::key_archive const& present) {
  if (auto const sound = check_keys(archive); !sound) return sound.error();
  if (present == ports::key_archive{}) return import_step::insert;
  if (present == archive) return import_step::skip;
  return error{.code = errc::conflict, .message = "the store has keys of its own", .cause = {}};
}

}  // namespace petstore::storage::rules
