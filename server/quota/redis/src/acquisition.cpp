// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "acquisition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <utility>

namespace petstore::quota {
namespace {

constexpr std::size_t answer_length = 15;
constexpr std::size_t argument_count = 34;

/// The rules of bans that have no setting. A local limiter has the same (core/src/limits/penalty.hpp).
constexpr std::chrono::milliseconds strike_lasts{1'000};
constexpr std::chrono::milliseconds ban_memory = std::chrono::hours{24};
constexpr int bans_remembered = 12;

constexpr std::uint64_t value_version = 2;
constexpr std::size_t node_number_length = 6;

/// Removes the first `length` bytes and returns them as a little-endian number.
std::uint64_t take_number(std::string_view& bytes, std::size_t length) {
  std::uint64_t n = 0;
  for (std::size_t i = length; i-- > 0;) n = n << 8 | static_cast<unsigned char>(bytes[i]);
  bytes.remove_prefix(length);
  return n;
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

std::int64_t in_us(std::chrono::milliseconds t) {
  return std::chrono::microseconds{t}.count();
}

}  // namespace

std::vector<std::string> script_arguments(node_number node, acquisition const& a, limits::ban_policy const& bans,
                                          std::string const& channel) {
  bool const continuous = a.plan.minute_refill == limits::refill::continuous;
  auto const number = [](auto n) { return static_cast<double>(n); };
  // Lua has doubles; all of these are whole numbers below 2^53.
  std::array<double, argument_count> const numbers{number(node),
                                                   number(a.generation),
                                                   number(a.sequence),
                                                   number(a.plan.per_minute),
                                                   number(a.plan.per_day),
                                                   continuous ? 1.0 : 0.0,
                                                   number(a.nodes),
                                                   number(a.want),
                                                   number(a.waiting),
                                                   number(a.held),
                                                   a.looks ? 1.0 : 0.0,
                                                   number(a.patience),
                                                   number(a.minute),
                                                   number(a.minute_count),
                                                   number(a.day),
                                                   number(a.day_count),
                                                   number(a.returned_ns),
                                                   number(a.returned_mark),
                                                   number(a.strikes),
                                                   number(bans.strikes),
                                                   number(in_us(bans.base)),
                                                   number(in_us(bans.max)),
                                                   number(in_us(strike_lasts)),
                                                   number(in_us(ban_memory)),
                                                   number(bans_remembered),
                                                   number(a.pardoned),
                                                   a.never_banned ? 1.0 : 0.0,
                                                   number(a.born),
                                                   number(a.earlier_day),
                                                   number(a.earlier_count),
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
  constexpr std::size_t shortest = 30;  // the head, see acquire.lua
  if (value.size() < shortest || take_number(value, 1) != value_version) return std::nullopt;
  value.remove_prefix(1);
  stored_counts c;
  c.minute_end = static_cast<std::int64_t>(take_number(value, 7));
  c.minute_used = take_number(value, 5);
  c.day = static_cast<std::int64_t>(take_number(value, 3));
  c.day_used = take_number(value, 6);
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
  // Generation, sequence, the end of the minute and its count, the day and its count, a time.
  auto const ours = numbers_in(fields.back());
  bool const is_counted = ours.size() == 7;
  std::int64_t const our_minute = is_counted && ours[2] == minute_end ? ours[3] : 0;
  std::int64_t const our_day = is_counted && ours[4] == day ? ours[5] : 0;
  return stored_counts{.minute_end = minute_end,
                       .minute_used = static_cast<std::uint64_t>(std::max<std::int64_t>(0, minute_used - our_minute)),
                       .day = day,
                       .day_used = static_cast<std::uint64_t>(std::max<std::int64_t>(0, day_used - our_day))};
}

stored_counts sum_of(stored_counts const& a, stored_counts const& b) {
  stored_counts sum{.minute_end = std::max(a.minute_end, b.minute_end), .day = std::max(a.day, b.day)};
  for (stored_counts const* one : {&a, &b}) {
    if (one->minute_end == sum.minute_end) sum.minute_used += one->minute_used;
    if (one->day == sum.day) sum.day_used += one->day_used;
  }
  return sum;
}

std::optional<acquired> parse_acquired(script_integers const& said) {
  if (said.size() != answer_length || said[0] != 1) return std::nullopt;
  if (std::ranges::any_of(said, [](std::int64_t n) { return n < 0; }) || said[2] > limits::per_minute_max ||
      said[13] > static_cast<std::int64_t>(holders::recalled))
    return std::nullopt;
  return acquired{.now = said[1],
                  .granted = static_cast<std::uint32_t>(said[2]),
                  .minute_end = said[3],
                  .minute_used = static_cast<std::uint64_t>(said[4]),
                  .day = said[5],
                  .day_used = static_cast<std::uint64_t>(said[6]),
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
