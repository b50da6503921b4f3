// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "acquisition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <utility>

#include "petstore/limits/detail/ban_rules.hpp"

namespace petstore::quota {
namespace {

constexpr std::size_t answer_length = 15;
constexpr std::size_t argument_count = 40;

constexpr std::int64_t day_length_us = 86'400'000'000;
constexpr std::int64_t day_max = (1 << 24) - 1;  ///< what three bytes hold
constexpr std::size_t node_number_length = 6;

/// Removes the first `length` bytes and returns them as a little-endian number.
std::uint64_t take_number(std::string_view& bytes, std::size_t length) {
  std::uint64_t n = 0;
  for (std::size_t i = length; i-- > 0;) n = n << 8 | static_cast<unsigned char>(bytes[i]);
  bytes.remove_prefix(length);
  return n;
}

/// The end of a day since 1970-01-01, in us.
std::int64_t end_of_day(std::uint64_t day) {
  return (static_cast<std::int64_t>(day) + 1) * day_length_us;
}

/// The whole numbers in a text, with anything between them.
std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (char const *at = text.data(), *const end = at + text.size(); at != end;) {
    std::int64_t number = 0;
    auto const [next, error] = std::from_chars(at, end, number);
    if (error == std::errc{}) numbers.push_back(number);
    at = error == std::errc{} ? next : at + 1;
  }
  return numbers;
}

std::int64_t in_us(std::chrono::microseconds t) {
  return t.count();
}

/// What begins the periods of a window, in the script's numbers.
double begin_of(limits::period p) {
  return p.is_month() ? 2 : p.is_aligned() ? 1 : 0;
}

/// The period of the long window. Without one, the script counts no tokens for it; it then has the day, as in every
/// version of this protocol.
limits::period long_period_of(limits::plan const& p) {
  return p.long_window ? p.long_window.period() : limits::per_day(1).period;
}

}  // namespace

std::vector<std::string> script_arguments(node_number node, acquisition const& a, limits::ban_policy const& bans,
                                          std::string const& channel) {
  bool const continuous = a.plan.short_refill == limits::refill::continuous;
  auto const number = [](auto n) { return static_cast<double>(n); };
  // Lua has doubles; all of these are whole numbers below 2^53.
  std::array<double, argument_count> const numbers{number(node),
                                                   number(a.generation),
                                                   number(a.sequence),
                                                   number(a.plan.short_window.tokens()),
                                                   number(in_us(a.plan.short_window.period().longest())),
                                                   begin_of(a.plan.short_window.period()),
                                                   number(a.plan.long_window.tokens()),
                                                   number(in_us(long_period_of(a.plan).longest())),
                                                   begin_of(long_period_of(a.plan)),
                                                   continuous ? 1.0 : 0.0,
                                                   number(a.nodes),
                                                   number(a.want),
                                                   number(a.waiting),
                                                   number(a.held),
                                                   a.looks ? 1.0 : 0.0,
                                                   number(a.patience),
                                                   number(a.short_end),
                                                   number(a.short_count),
                                                   number(a.long_end),
                                                   number(a.long_count),
                                                   number(a.returned_ns),
                                                   number(a.returned_mark),
                                                   number(a.strikes),
                                                   number(bans.strikes),
                                                   number(in_us(bans.base)),
                                                   number(in_us(bans.max)),
                                                   number(in_us(limits::detail::strike_lasts)),
                                                   number(in_us(limits::detail::ban_memory)),
                                                   number(limits::detail::bans_remembered),
                                                   number(a.pardoned),
                                                   a.never_banned ? 1.0 : 0.0,
                                                   number(a.born),
                                                   number(a.earlier_short_end),
                                                   number(a.earlier_short_count),
                                                   number(a.earlier_long_end),
                                                   number(a.earlier_long_count),
                                                   number(a.full_at),
                                                   a.has_old_nodes ? 1.0 : 0.0,
                                                   number(a.cheapest),
                                                   number(a.dearest)};
  std::string packed;
  packed.reserve(sizeof numbers);
  for (double const n : numbers) {
    auto const bits = std::bit_cast<std::uint64_t>(n);
    for (unsigned byte = 0; byte < 8; ++byte) packed.push_back(static_cast<char>(bits >> 8 * byte & 0xff));
  }
  return {std::move(packed), channel};
}

std::optional<recall> parse_recall(std::string_view payload) {
  if (payload.size() <= node_number_length) return std::nullopt;
  node_number const asker = take_number(payload, node_number_length);
  return recall{.asker = asker, .key = std::string(payload)};
}

std::string to_payload(recall const& r) {
  std::string payload;
  for (std::size_t byte = 0; byte < node_number_length; ++byte)
    payload.push_back(static_cast<char>(r.asker >> 8 * byte & 0xff));
  return payload + r.key;
}

std::string recall_channel(std::string_view environment) {
  return "{" + std::string{environment} + "}:recalls";
}

std::optional<stored_counts> parse_stored(std::string_view value) {
  if (value.empty()) return std::nullopt;
  std::uint64_t const version = take_number(value, 1);
  std::size_t const shortest = version == 2 ? 29 : 33;  // the rest of the head, see acquire.lua
  if ((version != 2 && version != 3) || value.size() < shortest) return std::nullopt;
  value.remove_prefix(1);
  stored_counts c;
  c.short_end = static_cast<std::int64_t>(take_number(value, 7));
  c.short_used = take_number(value, 5);
  c.long_end = version == 2 ? end_of_day(take_number(value, 3)) : static_cast<std::int64_t>(take_number(value, 7));
  c.long_used = take_number(value, 6);
  return c;
}

std::optional<stored_counts> parse_stored_1(std::span<std::string const> fields) {
  std::array<std::int64_t, 4> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto const found = numbers_in(fields[i]);
    if (found.size() != 1 || found[0] < 0) return std::nullopt;
    counts[i] = found[0];
  }
  auto const [minute_end, minute_used, day, day_used] = counts;
  if (day > day_max) return std::nullopt;
  // Generation, sequence, the end of the minute and its count, the day and its count, a time.
  auto const ours = numbers_in(fields.back());
  bool const is_counted = ours.size() == 7;
  std::int64_t const our_minute = is_counted && ours[2] == minute_end ? ours[3] : 0;
  std::int64_t const our_day = is_counted && ours[4] == day ? ours[5] : 0;
  return stored_counts{.short_end = minute_end,
                       .short_used = static_cast<std::uint64_t>(std::max<std::int64_t>(0, minute_used - our_minute)),
                       .long_end = end_of_day(static_cast<std::uint64_t>(day)),
                       .long_used = static_cast<std::uint64_t>(std::max<std::int64_t>(0, day_used - our_day))};
}

stored_counts sum_of(stored_counts const& a, stored_counts const& b) {
  stored_counts sum{.short_end = std::max(a.short_end, b.short_end), .long_end = std::max(a.long_end, b.long_end)};
  for (stored_counts const* one : {&a, &b}) {
    if (one->short_end == sum.short_end) sum.short_used += one->short_used;
    if (one->long_end == sum.long_end) sum.long_used += one->long_used;
  }
  return sum;
}

std::optional<acquired> parse_acquired(script_integers const& said) {
  if (said.size() != answer_length || said[0] != 1) return std::nullopt;
  if (std::ranges::any_of(said, [](std::int64_t n) { return n < 0; }) || said[2] > limits::short_tokens_max ||
      said[13] > static_cast<std::int64_t>(holders::recalled))
    return std::nullopt;
  return acquired{.now = said[1],
                  .granted = static_cast<std::uint32_t>(said[2]),
                  .short_end = said[3],
                  .short_used = static_cast<std::uint64_t>(said[4]),
                  .long_end = said[5],
                  .long_used = static_cast<std::uint64_t>(said[6]),
                  .full_at = said[7],
                  .full_at_ns = said[8],
                  .announced_at = said[9],
                  .announced_until = said[10],
                  .ban_until = said[11],
                  .ban_begun = said[12],
                  .holders = static_cast<holders>(said[13]),
                  .born = said[14]};
}

}  // namespace petstore::quota
