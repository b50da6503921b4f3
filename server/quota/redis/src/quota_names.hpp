// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/quota/redis_usage.hpp"
#include "petstore/whole_number.hpp"

namespace petstore::quota {

/// The keys of one kind of quotas on the server: `{environment:kind:name}2`. The braces make a key and the hash of
/// version 1 belong to the same server of a cluster. The number is the version of the value: nodes of version 1 keep
/// hashes under the same names without the number.
///
/// Thread safety: any thread.
class quota_names {
 public:
  static quota_names of_identities(std::string_view environment) { return {environment, 'i'}; }
  static quota_names of_addresses(std::string_view environment) { return {environment, 'a'}; }
  /// Quotas of addresses for the pages that need no key.
  static quota_names of_keyless_pages(std::string_view environment) { return {environment, 'k'}; }

  std::string key_of(std::string_view name) const { return prefix_ + std::string{name} + std::string{end}; }
  /// The name in a key of this kind; nullopt for any other key.
  std::optional<std::string_view> name_in(std::string_view key) const {
    if (!key.starts_with(prefix_) || !key.ends_with(end)) return std::nullopt;
    return key.substr(prefix_.size(), key.size() - prefix_.size() - end.size());
  }

 private:
  static constexpr std::string_view end = "}2";

  quota_names(std::string_view environment, char kind) : prefix_{"{" + std::string{environment} + ":" + kind + ":"} {}

  std::string prefix_;
};

/// The name of an identity's quotas: `17`, and after the reset of number 3 `17.3`. A reset gives them another name, so
/// that nodes that know of it and nodes that do not know yet never mix their counts.
inline std::string name_of(shared_identity const& who) {
  auto name = std::to_string(who.number);
  return who.resets == 0 ? name : name + '.' + std::to_string(who.resets);
}
/// The inverse; nullopt for a name of another kind.
inline std::optional<shared_identity> identity_in(std::string_view name) {
  auto const point = name.find('.');
  auto const number = whole_number<std::uint64_t>(name.substr(0, point));
  auto const resets =
      point == name.npos ? std::optional<std::uint64_t>{0} : whole_number<std::uint64_t>(name.substr(point + 1));
  if (!number || !resets) return std::nullopt;
  return shared_identity{*number, *resets};
}

}  // namespace petstore::quota
