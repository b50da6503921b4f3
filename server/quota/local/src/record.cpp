// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "record.hpp"

#include <algorithm>
#include <type_traits>

#include "petstore/crc32c.hpp"

namespace petstore::quota {
namespace {

template <class Integer>
void put(std::string& out, Integer n) {
  auto bits = static_cast<std::make_unsigned_t<Integer>>(n);
  for (std::size_t i = 0; i < sizeof n; ++i, bits = static_cast<decltype(bits)>(bits >> 8))
    out.push_back(static_cast<char>(bits & 0xff));
}

template <class Integer>
void take(std::string_view& in, Integer& n) {
  std::make_unsigned_t<Integer> bits = 0;
  for (std::size_t i = sizeof n; i-- > 0;)
    bits = static_cast<decltype(bits)>(bits << 8 | static_cast<unsigned char>(in[i]));
  n = static_cast<Integer>(bits);
  in.remove_prefix(sizeof n);
}

/// Every field of fixed size, in the order of a record.
template <class Saved, class Visit>
void each_field(Saved& a, Visit visit) {
  visit(a.minute_start_unix_ms);
  visit(a.minute_used);
  visit(a.full_at_unix_ms);
  visit(a.day);
  visit(a.day_used);
  visit(a.announced_at_unix_ms);
  visit(a.announced_until_unix_ms);
  visit(a.strikes_gone_at_unix_ms);
  visit(a.ban_until_unix_ms);
}

constexpr std::size_t fixed_size = 8 * 8 + 4;
constexpr std::size_t checksum_size = 4;
using bans = decltype(limits::saved_account::bans_begun_unix_ms);

}  // namespace

std::string record_key(std::uint64_t identity) {
  std::string key(1, static_cast<char>(record_kind::identity));
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(identity >> shift & 0xff));
  return key;
}

std::string record_key(record_kind kind, limits::address const& a) {
  std::string key(1, static_cast<char>(kind));
  for (unsigned char const byte : a.bytes) key.push_back(static_cast<char>(byte));
  return key;
}

std::optional<parsed_key> parse_key(std::string_view key) {
  if (key.empty()) return std::nullopt;
  parsed_key parsed{.kind = static_cast<record_kind>(key.front()), .identity = 0, .address = {}};
  key.remove_prefix(1);
  switch (parsed.kind) {
    case record_kind::identity:
      if (key.size() != sizeof parsed.identity) return std::nullopt;
      for (char const c : key) parsed.identity = parsed.identity << 8 | static_cast<unsigned char>(c);
      return parsed;
    case record_kind::address:
    case record_kind::keyless:
      if (key.size() != parsed.address.bytes.size()) return std::nullopt;
      std::transform(key.begin(), key.end(), parsed.address.bytes.begin(),
                     [](char c) { return static_cast<unsigned char>(c); });
      return parsed;
  }
  return std::nullopt;
}

std::string encode(limits::saved_account const& a, std::uint64_t resets) {
  std::string out;
  each_field(a, [&out](auto n) { put(out, n); });
  auto const ban_count =
      std::count_if(a.bans_begun_unix_ms.begin(), a.bans_begun_unix_ms.end(), [](auto at) { return at != 0; });
  put(out, static_cast<std::uint8_t>(ban_count));
  for (std::int64_t const at : a.bans_begun_unix_ms)
    if (at != 0) put(out, at);
  if (resets != 0 || a.full_in_ms != 0) put(out, resets);
  if (a.full_in_ms != 0) put(out, a.full_in_ms);
  put(out, crc32c(out));
  return out;
}

std::optional<kept_quota> decode(std::string_view in) {
  if (in.size() < fixed_size + 1 + checksum_size) return std::nullopt;
  std::string_view checked = in.substr(0, in.size() - checksum_size);
  std::string_view tail = in.substr(checked.size());
  std::uint32_t checksum = 0;
  take(tail, checksum);
  if (checksum != crc32c(checked)) return std::nullopt;

  kept_quota kept;
  auto& a = kept.account;
  each_field(a, [&checked](auto& n) { take(checked, n); });
  std::uint8_t ban_count = 0;
  take(checked, ban_count);
  auto const bans_size = ban_count * sizeof(bans::value_type);
  // A record of format 1 has neither of these.
  bool const has_full_in = checked.size() == bans_size + sizeof kept.resets + sizeof a.full_in_ms;
  bool const has_resets = has_full_in || checked.size() == bans_size + sizeof kept.resets;
  if (ban_count > std::tuple_size_v<bans> || (checked.size() != bans_size && !has_resets)) return std::nullopt;
  for (std::size_t i = 0; i < ban_count; ++i) take(checked, a.bans_begun_unix_ms[i]);
  if (has_resets) take(checked, kept.resets);
  if (has_full_in) take(checked, a.full_in_ms);
  return kept;
}

}  // namespace petstore::quota
