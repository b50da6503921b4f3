// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acquire_1.hpp"
#include "acquisition.hpp"
#include "scripts.hpp"
#include "support/redis_process.hpp"
#include "support/virtual_clock.hpp"

/// acquire.lua on a real server. The one line that reads the clock is replaced.
namespace petstore::quota {

inline constexpr std::int64_t noon = tests::noon_unix_s * 1'000'000;  ///< in microseconds
inline constexpr std::int64_t minute_us = 60'000'000, hour_us = 60 * minute_us, day_us = 24 * hour_us;

/// The script as it is shipped but for the clock, which is the last argument.
inline std::string with_a_clock(std::string_view script) {
  constexpr std::string_view reading = "redis.call('TIME')";
  constexpr std::string_view given = "{ math.floor(ARGV[#ARGV] / 1000000), ARGV[#ARGV] % 1000000 }";
  std::string text(script);
  auto const at = text.find(reading);
  BOOST_REQUIRE(at != std::string::npos);
  BOOST_REQUIRE(text.find(reading, at + 1) == std::string::npos);
  return text.replace(at, reading.size(), given);
}

class script_server {
 public:
  script_integers acquire(std::string const& key, int node, acquisition const& a, limits::ban_policy const& bans,
                          std::int64_t now) {
    return acquire({key, "old:" + key}, node, a, bans, now);
  }
  script_integers acquire(std::vector<std::string> const& keys, int node, acquisition const& a,
                          limits::ban_policy const& bans, std::int64_t now) {
    std::vector<std::string> words{"EVALSHA", digest_, std::to_string(keys.size())};
    words.insert(words.end(), keys.begin(), keys.end());
    for (std::string& argument : script_arguments(static_cast<node_number>(node), a, bans, channel))
      words.push_back(std::move(argument));
    words.push_back(std::to_string(now));
    std::istringstream lines(process_.ask(words));
    script_integers numbers;
    for (std::int64_t n; lines >> n;) numbers.push_back(n);
    return numbers;
  }
  std::string ask(std::vector<std::string> const& words) { return process_.ask(words); }

  /// A call of a node of version 1 that claims what it says: how many tokens it is granted.
  std::uint32_t acquire_1(std::string const& key, std::string const& node, acquisition const& a, std::int64_t now) {
    using std::to_string;
    std::vector<std::string> words{"EVALSHA", old_digest_, "1", "old:" + key, node, to_string(a.generation)};
    for (std::uint64_t const n :
         {a.sequence, std::uint64_t{a.plan.short_window.tokens()}, a.plan.long_window.tokens(), std::uint64_t{0},
          std::uint64_t{a.nodes}, std::uint64_t{a.want}, std::uint64_t{a.waiting},
          static_cast<std::uint64_t>(a.short_end), a.short_count,
          static_cast<std::uint64_t>(a.long_end == 0 ? 0 : a.long_end / day_us - 1), a.long_count})
      words.push_back(to_string(n));
    for (int i = 0; i < 12; ++i) words.push_back("0");
    words.push_back(to_string(now));
    std::istringstream lines(process_.ask(words));
    script_integers said;
    for (std::int64_t n; lines >> n;) said.push_back(n);
    old_minute_end_ = said.at(3);
    old_day_end_ = (said.at(5) + 1) * day_us;
    return static_cast<std::uint32_t>(said.at(2));
  }
  std::int64_t old_minute_end_ = 0, old_day_end_ = 0;  ///< as it was told

 private:
  petstore::tests::redis_process process_;
  static constexpr char const* channel = "{test}:recalls";
  std::string const old_digest_ = process_.ask({"SCRIPT", "LOAD", with_a_clock(acquire_script_1)});
  std::string const digest_ = process_.ask({"SCRIPT", "LOAD", with_a_clock(acquire_script)});
};

}  // namespace petstore::quota
