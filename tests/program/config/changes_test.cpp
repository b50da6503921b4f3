// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/changes.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "support/temporary_directory.hpp"

using namespace petstore::program;
using petstore::tests::temporary_directory;

namespace {

/// A file of settings that is changed while a server runs.
struct changing_file {
  temporary_directory directory;

  loaded_settings load(std::string_view text) const {
    return load_settings({{}, {}, directory.write("petstore.toml", text)});
  }
  std::vector<shown_setting> read(std::string_view text) const { return load(text).shown; }
  std::vector<std::string> sentences(std::string_view before, std::string_view after) const {
    std::vector<std::string> told;
    for (auto const& change : find_changes(read(before), read(after)))
      told.push_back((change.applies_now ? "now: " : "restart: ") + change.sentence());
    return told;
  }
};

using lines = std::vector<std::string>;

}  // namespace

BOOST_FIXTURE_TEST_SUITE(changes, changing_file)

BOOST_AUTO_TEST_CASE(what_is_read_again_unchanged_changes_nothing) {
  BOOST_TEST(sentences("threads = 2\n", "\nthreads = 2\n") == lines{});
}

BOOST_AUTO_TEST_CASE(a_change_is_told_with_the_old_value_the_new_one_and_its_source) {
  BOOST_TEST(sentences("log_level = \"info\"\n", "\nlog_level = \"debug\"\n") ==
             lines{"now: log-level: `info` → `debug` (from petstore.toml:2)"});
  BOOST_TEST(sentences("log_level = \"debug\"\n", "") == lines{"now: log-level: `debug` → `info` (from default)"});
}

BOOST_AUTO_TEST_CASE(what_only_a_start_can_change_is_told_apart) {
  BOOST_TEST(sentences("", "threads = 3\ntrusted_proxies = \"10.0.0.1\"\n") ==
             (lines{"restart: trusted-proxies: nothing → `10.0.0.1` (from petstore.toml:2)",
                    "restart: threads: `auto` → `3` (from petstore.toml:1)"}));
}

BOOST_AUTO_TEST_CASE(plans_come_change_and_go) {
  BOOST_TEST(
      sentences("[plans.gold]\nper_minute = 5\n", "[plans.free]\nper_minute = 7\n[plans.tin]\nper_minute = 1\n") ==
      (lines{"now: plans.free: `60 a minute, 1000 a day, periodic` → `7 a minute, 1000 a day, periodic` (from "
             "petstore.toml:1)",
             "now: plans.tin: nothing → `1 a minute, periodic` (from petstore.toml:3)",
             "now: plans.gold: `5 a minute, periodic` → nothing"}));
}

BOOST_AUTO_TEST_CASE(other_windows_of_a_plan_are_told) {
  BOOST_TEST(
      sentences("",
                "[plans.free]\nper_month = 5000\n[plans.pro]\nper_second = 9\nper_hour = 70\n"
                "[plans.business]\nper_hour = 500\nper_day = 0\nrefill = \"continuous\"\n") ==
      (lines{"now: plans.business: `1000 a minute, 100000 a day, periodic` → `500 an hour, continuous` "
             "(from petstore.toml:6)",
             "now: plans.free: `60 a minute, 1000 a day, periodic` → `60 a minute, 5000 a month, periodic` (from "
             "petstore.toml:1)",
             "now: plans.pro: `300 a minute, 10000 a day, periodic` → `9 a second, 70 an hour, periodic` (from "
             "petstore.toml:3)"}));
}

BOOST_AUTO_TEST_CASE(costs_come_change_and_go) {
  BOOST_TEST(
      sentences("[costs]\nlistPets = 2\ngetPet = 2\n", "[costs]\ngetPet = 3\ncreatePet = 4\n") ==
      (lines{"now: costs.listPets: `2` → `1` (from default)", "now: costs.createPet: `1` → `4` (from petstore.toml:3)",
             "now: costs.getPet: `2` → `3` (from petstore.toml:2)"}));
}

BOOST_AUTO_TEST_CASE(another_password_is_a_change_and_is_not_shown) {
  BOOST_TEST(sentences("quota = \"redis://u:one@h\"", "quota = \"redis://u:two@h\"") ==
             lines{"restart: quota: another secret in `redis://u:***@h` (from petstore.toml:1)"});
}

BOOST_AUTO_TEST_CASE(what_waits_for_a_restart_is_told_again_the_next_time) {
  auto const at_start = read("");
  auto const second = read("threads = 3\nbody_limit = 9\n");
  auto const in_force = with_changes(at_start, second);
  auto const again = find_changes(in_force, second);
  BOOST_REQUIRE_EQUAL(again.size(), 1u);
  BOOST_TEST(again.front().after.name == "threads");
  BOOST_TEST(again.front().before.value == "auto");
}

BOOST_AUTO_TEST_CASE(of_fresh_settings_only_those_that_can_change_are_in_force) {
  auto const in_force = load("threads = 1\nbody_limit = 5\n").values;
  auto const changed = apply_changes(in_force, load("threads = 3\ncors_origins = [\"https://a.example\", \"*\"]\n"
                                                    "connections_per_address = 7\n[plans.free]\nper_minute = 7\n"
                                                    "[costs]\ngetPet = 3\n"));
  BOOST_TEST(changed.service.costs.at("getPet").tokens() == 3u);
  BOOST_TEST(changed.threads == 1u);
  BOOST_TEST(changed.connections.body_bytes_max == 64u * 1024u);  // no longer set
  BOOST_TEST((changed.service.cors_origins == lines{"https://a.example", "*"}));
  BOOST_TEST((changed.connections_of_address_max == std::size_t{7}));
  BOOST_TEST(changed.plans.at("free").short_window.tokens() == 7u);
}

BOOST_AUTO_TEST_SUITE_END()
