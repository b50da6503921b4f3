// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "record.hpp"

#include <algorithm>
#include <type_traits>

#include "petstore/crc32c.hpp"
#include "petstore/limits/detail/first_format.hpp"

namespace petstore::quota {
namespace {

void put(std::string& out, bool b) {
  out.push_back(b ? 1 : 0);
}
template <class Integer>
void put(std::string& out, Integer n) {
  auto bits = static_cast<std::make_unsigned_t<Integer>>(n);
  for (std::size_t i = 0; i < sizeof n; ++i, bits = static_cast<decltype(bits)>(bits >> 8))
    out.push_back(static_cast<char>(bits & 0xff));
}

void take(std::string_view& in, bool& b) {
  b = in.front() != 0;
  in.remove_prefix(1);
}
template <class Integer>
void take(std::string_view& in, Integer& n) {
  std::make_unsigned_t<Integer> bits = 0;
  for (std::size_t i = sizeof n; i-- > 0;)
    bits = static_cast<decltype(bits)>(bits << 8 | static_cast<unsigned char>(in[i]));
  n = static_cast<Integer>(bits);
  in.remove_prefix(sizeof n);
}

/// Every field of fixed size, in the order of a record. The first format had the beginning of a minute in place of its
/// end, and the number of a day in place of its end.
template <class Saved, class Visit>
void each_field(Saved& a, Visit visit) {
  visit(a.short_end_unix_ms);
  visit(a.short_used);
  visit(a.full_at_unix_ms);
  visit(a.long_end_unix_ms);
  visit(a.long_used);
  visit(a.announced_at_unix_ms);
  visit(a.announced_until_unix_ms);
  visit(a.strikes_gone_at_unix_ms);
  visit(a.ban_until_unix_ms);
}

/// The fields after the bans that the first format did not have.
template <class Saved, class Visit>
void each_later_field(Saved& a, Visit visit) {
  visit(a.short_left_ms);
  visit(a.long_left_ms);
  visit(a.long_is_aligned);
}

constexpr std::size_t fixed_size = 8 * 8 + 4;
constexpr std::size_t later_size = 8 + 8 + 1;
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
  put(out, resets);
  each_later_field(a, [&out](auto n) { put(out, n); });
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
  if (ban_count > std::tuple_size_v<bans> || checked.size() < bans_size) return std::nullopt;
  for (std::size_t i = 0; i < ban_count; ++i) take(checked, a.bans_begun_unix_ms[i]);
  // Records of the first format have nothing more, the resets, or the resets and how long a bucket takes to be full.
  bool const is_first_format = checked.size() < sizeof kept.resets + later_size;
  if (!checked.empty()) {
    if (checked.size() < sizeof kept.resets) return std::nullopt;
    take(checked, kept.resets);
  }
  if (!is_first_format) {
    each_later_field(a, [&checked](auto& n) { take(checked, n); });
  } else if (!checked.empty()) {
    if (checked.size() < sizeof a.short_left_ms) return std::nullopt;
    take(checked, a.short_left_ms);
  }
  if (!checked.empty()) return std::nullopt;
  if (is_first_format) limits::detail::convert_from_first_format(a);
  return kept;
}

}  // namespace petstore::quota
