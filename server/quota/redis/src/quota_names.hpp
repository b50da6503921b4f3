// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace petstore::quota {

/// The keys that the server has for quotas of one kind: `{environment:kind:name}2`. The braces keep each on one server
/// of a cluster of them. The number is the version of the value: nodes of version 1 have hashes under the same names
/// without it.
///
/// Thread safety: any thread.
class quota_names {
 public:
  static quota_names of_identities(std::string_view environment) { return {environment, 'i'}; }
  static quota_names of_addresses(std::string_view environment) { return {environment, 'a'}; }
  /// Of addresses too, for the pages that need no key.
  static quota_names of_keyless_pages(std::string_view environment) { return {environment, 'k'}; }

  std::string key_of(std::string_view name) const { return prefix_ + std::string{name} + std::string{end}; }
  /// nullopt: the key of something else.
  std::optional<std::string_view> name_in(std::string_view key) const {
    if (!key.starts_with(prefix_) || !key.ends_with(end)) return std::nullopt;
    return key.substr(prefix_.size(), key.size() - prefix_.size() - end.size());
  }

 private:
  static constexpr std::string_view end = "}2";

  quota_names(std::string_view environment, char kind) : prefix_{"{" + std::string{environment} + ":" + kind + ":"} {}

  std::string prefix_;
};

}  // namespace petstore::quota
