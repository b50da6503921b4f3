// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "acquisition.hpp"

#include <algorithm>
#include <chrono>

namespace petstore::quota {
namespace {

constexpr std::size_t answer_length = 15;

std::int64_t in_us(std::chrono::milliseconds t) {
  return std::chrono::microseconds{t}.count();
}

}  // namespace

std::vector<std::string> script_arguments(std::string const& node, acquisition const& a,
                                          limits::ban_policy const& bans) {
  using std::to_string;
  bool const continuous = a.plan.minute_refill == limits::refill::continuous;
  return {node,
          to_string(a.generation),
          to_string(a.sequence),
          to_string(a.plan.per_minute),
          to_string(a.plan.per_day),
          continuous ? "1" : "0",
          to_string(a.nodes),
          to_string(a.want),
          to_string(a.waiting),
          to_string(a.minute),
          to_string(a.minute_count),
          to_string(a.day),
          to_string(a.day_count),
          to_string(a.returned_ns),
          to_string(a.returned_mark),
          to_string(a.strikes),
          to_string(bans.strikes),
          to_string(in_us(bans.base)),
          to_string(in_us(bans.max)),
          to_string(a.pardoned),
          a.never_banned ? "1" : "0",
          to_string(a.born),
          to_string(a.earlier_day),
          to_string(a.earlier_count),
          to_string(a.full_at)};
}

std::optional<acquired> parse_acquired(script_integers const& said) {
  if (said.size() != answer_length || said[0] != 1) return std::nullopt;
  if (std::ranges::any_of(said, [](std::int64_t n) { return n < 0; }) || said[2] > limits::per_minute_max)
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
                  .others_hold_tokens = said[13] != 0,
                  .born = said[14]};
}

}  // namespace petstore::quota
