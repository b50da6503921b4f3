// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/limits/account.hpp"
#include "petstore/limits/address.hpp"
#include "petstore/quota/local_quota.hpp"

/// The record format of a quota directory, as described in README.md beside this folder. A change of it needs a new
/// format version.
namespace petstore::quota {

inline constexpr std::uint32_t format_version = 2;

/// The owner of an account. The letter is the first byte of the record's key.
enum class record_kind : char { identity = 'i', address = 'a', keyless = 'k' };

std::string record_key(std::uint64_t identity);
std::string record_key(record_kind, limits::address const&);

/// The contents of a key; nullopt if it is not one of ours.
struct parsed_key {
  record_kind kind = record_kind::identity;
  std::uint64_t identity = 0;
  limits::address address;
};
std::optional<parsed_key> parse_key(std::string_view);

/// Whether a record of the first would say what one of the second says. The time that a period has left passes while
/// nothing happens: the record keeps the longer one, so that it need not be written again.
inline bool says_the_same(limits::saved_account a, limits::saved_account const& b) {
  a.short_left_ms = b.short_left_ms;
  a.long_left_ms = b.long_left_ms;
  return a == b;
}

/// `resets` is that of an identity; an address has none.
std::string encode(limits::saved_account const&, std::uint64_t resets = 0);
/// nullopt if the record is damaged.
std::optional<kept_quota> decode(std::string_view);

}  // namespace petstore::quota
