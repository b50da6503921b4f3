// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/load.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <set>

#include "config/value_file.hpp"
#include "petstore/quota/local_quota.hpp"
#include "petstore/storage/lmdb.hpp"
#include "support/temporary_directory.hpp"

BOOST_AUTO_TEST_SUITE(load)

using namespace petstore::program;
using namespace std::chrono_literals;
using petstore::limits::per_day;
using petstore::limits::per_hour;
using petstore::limits::per_minute;
using petstore::limits::per_month;
using petstore::limits::per_second;
using petstore::tests::temporary_directory;

namespace {

/// The one fault of a configuration that has exactly one.
std::string fault_of(setting_sources const& sources) {
  try {
    load_settings(sources);
  } catch (config_error const& wrong) {
    BOOST_REQUIRE_EQUAL(wrong.faults.size(), 1u);
    return wrong.faults.front();
  }
  return "no fault";
}

/// A file of settings, and what is wrong with it.
struct file_of_settings {
  temporary_directory directory;

  setting_sources sources(std::string_view text) const { return {{}, {}, directory.write("petstore.toml", text)}; }
  loaded_settings load(std::string_view text) const { return load_settings(sources(text)); }
  std::string fault(std::string_view text) const { return fault_of(sources(text)); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_tables_own_values_are_sound) {
  auto const loaded = load_settings({});
  auto const& s = loaded.values;
  BOOST_TEST(s.listen.port() == 8080);
  BOOST_TEST(s.admin_listen.port() == 9090);
  BOOST_TEST(!s.store.has_value());
  BOOST_TEST((s.drain_delay == 0s));
  BOOST_TEST((s.drain_timeout == 20s));
  BOOST_TEST(s.service.cors_origins.empty());
  for (auto const& shown : loaded.shown) BOOST_TEST(shown.source == "default");
}

BOOST_AUTO_TEST_CASE(a_default_is_that_of_the_library) {
  auto const s = load_settings({}).values;
  petstore::server::connection_limits const connections{};
  BOOST_TEST((s.connections.header_timeout == connections.header_timeout));
  BOOST_TEST((s.connections.request_timeout == connections.request_timeout));
  BOOST_TEST((s.connections.idle_timeout == connections.idle_timeout));
  BOOST_TEST((s.connections.write_timeout == connections.write_timeout));
  BOOST_TEST((s.connections.crowded_timeout == connections.crowded_timeout));
  BOOST_TEST(s.connections.request_line_bytes_max == connections.request_line_bytes_max);
  BOOST_TEST(s.connections.header_bytes_max == connections.header_bytes_max);
  BOOST_TEST(s.connections.header_fields_max == connections.header_fields_max);
  BOOST_TEST(s.connections.body_bytes_max == connections.body_bytes_max);

  petstore::server::service_options const service{};
  BOOST_TEST((s.service.environment == service.environment));
  BOOST_TEST(s.service.base_path == service.base_path);
  BOOST_TEST(s.service.contact == service.contact);
  BOOST_TEST((s.service.anonymous == service.anonymous));
  BOOST_TEST(s.service.requests_in_flight_per_key == service.requests_in_flight_per_key);
  BOOST_TEST((s.service.rate_limit_fields == service.rate_limit_fields));
  BOOST_TEST((s.service.default_status == service.default_status));
  BOOST_TEST(s.service.require_known_category == service.require_known_category);
  BOOST_TEST(s.service.refuse_unknown_parameters == service.refuse_unknown_parameters);
  BOOST_TEST((s.service.forwarded_by == service.forwarded_by));

  petstore::limits::ban_policy const bans{};
  BOOST_TEST(s.bans.strikes == bans.strikes);
  BOOST_TEST((s.bans.grace == bans.grace));
  BOOST_TEST((s.bans.base == bans.base));
  BOOST_TEST((s.bans.max == bans.max));
  BOOST_TEST(s.anonymous_addresses_max == petstore::quota::local_options{}.addresses_max);
  petstore::storage::lmdb_options const store{};
  BOOST_TEST(s.store_bytes_max == store.map_bytes_max);
  BOOST_TEST((s.write_wait_max == store.write_wait_max));
}

BOOST_AUTO_TEST_CASE(the_contracts_plans_are_there_without_a_file) {
  auto const plans = load_settings({}).values.plans;
  BOOST_TEST((plans.at("free") == petstore::limits::plan{per_minute(60), per_day(1'000)}));
  BOOST_TEST((plans.at("pro") == petstore::limits::plan{per_minute(300), per_day(10'000)}));
  BOOST_TEST((plans.at("business") == petstore::limits::plan{per_minute(1'000), per_day(100'000)}));
  BOOST_TEST(!plans.contains("enterprise"));
}

BOOST_FIXTURE_TEST_CASE(flags_beat_variables_beat_the_file, file_of_settings) {
  auto from = sources("threads = 2\nheader_timeout = \"2s\"\nidle_timeout = \"2s\"\n");
  from.environment = {{"PETSTORE_THREADS", "3"}, {"PETSTORE_HEADER_TIMEOUT", "3s"}};
  from.flags = {{"threads", "4"}};
  auto const loaded = load_settings(from);
  BOOST_TEST(loaded.values.threads == 4u);
  BOOST_TEST((loaded.values.connections.header_timeout == 3s));
  BOOST_TEST((loaded.values.connections.idle_timeout == 2s));
  BOOST_TEST(loaded.source_of("threads") == "--threads");
  BOOST_TEST(loaded.source_of("header-timeout") == "PETSTORE_HEADER_TIMEOUT");
  BOOST_TEST(loaded.source_of("idle-timeout") == "petstore.toml:3");
  BOOST_TEST(loaded.source_of("write-timeout") == "default");
}

BOOST_FIXTURE_TEST_CASE(every_setting_can_come_from_every_source, file_of_settings) {
  for (auto const& row : all_settings()) {
    BOOST_TEST_CONTEXT(row.name) {
      std::string const value(row.otherwise);
      auto const name = std::string(row.name);
      BOOST_TEST(load_settings({{{name, value}}, {}, {}}).source_of(name) == "--" + name);
      BOOST_TEST(load_settings({{}, {{row.variable(), value}}, {}}).source_of(name) == row.variable());
      BOOST_TEST(load(std::string(row.file_key) + " = \"" + value + "\"").source_of(name) == "petstore.toml:1");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_flag_names_setting_value_and_flag) {
  BOOST_TEST(fault_of({{{"threads", "many"}}, {}, {}}) == "threads: `many` is not a whole number (from --threads)");
}

BOOST_AUTO_TEST_CASE(a_wrong_variable_names_the_variable) {
  BOOST_TEST(fault_of({{}, {{"PETSTORE_HEADER_TIMEOUT", "10"}}, {}}) ==
             "header-timeout: `10` is not a duration such as 250ms, 10s, 5m or 24h (from PETSTORE_HEADER_TIMEOUT)");
}

BOOST_FIXTURE_TEST_CASE(a_wrong_value_in_the_file_names_its_key_and_line, file_of_settings) {
  BOOST_TEST(fault("\n\nbody_limit = \"64KB\"\n") ==
             "body_limit: `64KB` is not a size such as 65536, 64KiB or 1MiB (from petstore.toml:3)");
  BOOST_TEST(fault("[ban]\nstrikes = -1\n") == "ban.strikes: `-1` is outside 0 to 1000000 (from petstore.toml:2)");
}

BOOST_FIXTURE_TEST_CASE(an_unknown_key_of_the_file_is_a_fault_that_names_it, file_of_settings) {
  BOOST_TEST(fault("heder_timeout = \"1s\"") ==
             "unknown key `heder_timeout`; did you mean `header_timeout`? (from petstore.toml:1)");
  BOOST_TEST(fault("[ban]\nstrike = 1") ==
             "unknown key `ban.strike`; did you mean `ban.strikes`? (from petstore.toml:2)");
  BOOST_TEST(fault("[server]\nlisten = \"1.1.1.1:1\"") == "unknown key `server` (from petstore.toml:1)");
  BOOST_TEST(fault("[plans.free]\nper_year = 1") == "unknown key `plans.free.per_year` (from petstore.toml:2)");
}

BOOST_FIXTURE_TEST_CASE(a_value_of_a_wrong_type_is_a_fault, file_of_settings) {
  BOOST_TEST(fault("threads = 1.5") == "threads: must be a string, a whole number or a boolean (from petstore.toml:1)");
  BOOST_TEST(fault("listen = [\"127.0.0.1:1\"]") ==
             "listen: must be a string, a whole number or a boolean (from petstore.toml:1)");
  BOOST_TEST(fault("cors_origins = [1]") ==
             "cors_origins: must be a string or an array of strings (from petstore.toml:1)");
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_not_toml_names_the_line, file_of_settings) {
  auto const said = fault("threads = 2\nlisten = \n");
  BOOST_TEST(said.find("petstore.toml` is not TOML: line 2") != std::string::npos, said);
}

BOOST_FIXTURE_TEST_CASE(a_file_that_would_take_the_stack_is_refused_with_its_line, file_of_settings) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  for (auto const& text : {key + " = 1\n", "[" + key + "]\n", "a = {" + key + " = 1}\n"}) {
    auto const said = fault("\n" + text);
    BOOST_TEST(said.find("petstore.toml`: line 2: a key has more than 32 parts (from --config)") != said.npos, said);
  }
  auto const nested = fault("a = " + std::string(100'000, '['));
  BOOST_TEST(nested.find("is not TOML: line 1") != nested.npos, nested);
  BOOST_TEST(fault("# " + std::string(300'000, 'x')).find("is larger than 256 KiB") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(dots_that_join_no_key_are_no_fault, file_of_settings) {
  std::string many;
  for (int i = 0; i < 40; ++i) many += (many.empty() ? "10.0.0." : ", 10.0.0.") + std::to_string(i);
  auto const loaded = load("# ........................................\ntrusted_proxies = \"" + many + "\"\n");
  BOOST_TEST(loaded.values.service.trusted_proxies.size() == 40u);
}

BOOST_FIXTURE_TEST_CASE(whatever_a_file_contains_is_a_fault_or_a_value, file_of_settings) {
  std::vector<std::string_view> const parts{"listen",
                                            "=",
                                            "\"",
                                            "'",
                                            "\"\"\"",
                                            "'''",
                                            "[",
                                            "]",
                                            "[[",
                                            "]]",
                                            "{",
                                            "}",
                                            ",",
                                            ".",
                                            "\n",
                                            "\r\n",
                                            " ",
                                            "plans",
                                            "per_minute",
                                            "1",
                                            "0x",
                                            "1979-05-27",
                                            "T07:32:00Z",
                                            "true",
                                            "inf",
                                            "nan",
                                            "+",
                                            "-",
                                            "_",
                                            "e",
                                            "\\",
                                            "\\u00e9",
                                            "\\U0010ffff",
                                            "#",
                                            "\t",
                                            "a",
                                            "\xc3\xa9",
                                            "\xff",
                                            "\x01",
                                            "12:30",
                                            "0b1",
                                            ".5",
                                            "\xef\xbb\xbf",
                                            "a = 1\n",
                                            "[a]\n",
                                            "[[a]]\n",
                                            "a.b = 2\n",
                                            "a = {b = 1}\n",
                                            "[plans.free]\n",
                                            "[ban]\n",
                                            "strikes = 1\n"};
  std::mt19937 chance(7);
  for (int i = 0; i < 2'000; ++i) {
    std::string text;
    for (auto n = 1 + chance() % 12; n > 0; --n) text += parts[chance() % parts.size()];
    try {
      load(text);
    } catch (config_error const& wrong) {
      BOOST_TEST(!wrong.faults.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_missing_is_a_fault) {
  BOOST_TEST(fault_of({{}, {}, "/nonexistent/petstore.toml"}) ==
             "config: `/nonexistent/petstore.toml` cannot be read (from --config)");
  BOOST_TEST(fault_of({{}, {}, "/"}) == "config: `/` cannot be read (from --config)");
}

BOOST_FIXTURE_TEST_CASE(an_empty_file_changes_nothing, file_of_settings) {
  BOOST_TEST(load("").values.plans == standard_plans());
}

BOOST_FIXTURE_TEST_CASE(every_fault_is_told_at_once, file_of_settings) {
  auto from = sources("threads = 0\nnonsense = 1\n");
  from.environment = {{"PETSTORE_LISTEN", "here"}};
  from.flags = {{"log-level", "loud"}};
  BOOST_CHECK_EXCEPTION(load_settings(from), config_error, [](config_error const& e) { return e.faults.size() == 4; });
}

BOOST_FIXTURE_TEST_CASE(a_wrong_value_is_a_fault_even_when_a_stronger_source_overrides_it, file_of_settings) {
  auto from = sources("threads = 0");
  from.flags = {{"threads", "4"}};
  BOOST_TEST(fault_of(from) == "threads: `0` is outside 1 to 256 (from petstore.toml:1)");
}

BOOST_AUTO_TEST_CASE(settings_that_contradict_each_other_name_both) {
  BOOST_TEST(fault_of({{{"ban-base", "2h"}}, {}, {}}) ==
             "ban-base `2h` (from --ban-base) is longer than ban-max `1h` "
             "(from default)");
  BOOST_TEST(fault_of({{{"listen", "127.0.0.1:9090"}}, {}, {}}) ==
             "admin-listen `127.0.0.1:9090` (from default) is the address of listen `127.0.0.1:9090` (from --listen)");
}

BOOST_AUTO_TEST_CASE(an_unknown_variable_is_a_warning) {
  auto const loaded = load_settings({{}, {{"PETSTORE_SERVICE_HOST", "10.0.0.1"}, {"PETSTORE_CONFIG", ""}}, {}});
  BOOST_TEST(loaded.warnings == std::vector<std::string>{"unknown variable PETSTORE_SERVICE_HOST is ignored"});
}

BOOST_AUTO_TEST_CASE(a_variable_with_a_slip_is_told_which_one_is_near) {
  auto const loaded = load_settings({{}, {{"PETSTORE_LISTN", "127.0.0.1:1"}}, {}});
  BOOST_TEST(loaded.warnings ==
             std::vector<std::string>{"unknown variable PETSTORE_LISTN is ignored; did you mean `PETSTORE_LISTEN`?"});
}

BOOST_AUTO_TEST_CASE(a_key_in_the_name_of_a_variable_is_not_shown) {
  auto const loaded = load_settings({{}, {{"PETSTORE_ps_live_abc", "1"}}, {}});
  BOOST_TEST(loaded.warnings == std::vector<std::string>{"unknown variable PETSTORE_ps_live_*** is ignored"});
}

BOOST_AUTO_TEST_CASE(a_password_is_never_shown) {
  for (std::string const uri :
       {"redis://user:hunter2@cache:6379", "redis://:hunter2@cache", "postgres://db/x?password=hunter2",
        "postgres://user:hunter2/3@db/x", "postgres://u:hunter2@h@db/x?sslmode=off"}) {
    auto const said = fault_of({{{"quota", "x" + uri}}, {}, {}});  // of no known kind
    BOOST_TEST(said.find("hunter2") == std::string::npos, said);
    BOOST_TEST(said.find("***") != std::string::npos, said);
  }
}

BOOST_FIXTURE_TEST_CASE(a_plan_of_the_file_changes_only_what_it_says, file_of_settings) {
  auto const loaded = load(
      "[plans.free]\nper_minute = 100\n[plans.gold]\nper_minute = 5\nper_day = 50\n"
      "refill = \"continuous\"\n");
  auto const& plans = loaded.values.plans;
  BOOST_TEST((plans.at("free") == petstore::limits::plan{per_minute(100), per_day(1'000)}));
  BOOST_TEST(
      (plans.at("gold") == petstore::limits::plan{per_minute(5), per_day(50), petstore::limits::refill::continuous}));
  BOOST_TEST(loaded.source_of("plans.gold") == "petstore.toml:3");
  BOOST_TEST(loaded.source_of("plans.pro") == "default");
}

BOOST_FIXTURE_TEST_CASE(a_plan_has_a_short_window_and_a_long_one_or_none, file_of_settings) {
  auto const plan = [&](std::string const& table) { return load("[plans.new]\n" + table).values.plans.at("new"); };
  BOOST_TEST((plan("per_second = 50\nper_hour = 9000") == petstore::limits::plan{per_second(50), per_hour(9'000)}));
  BOOST_TEST((plan("per_second = 50\nper_day = 7") == petstore::limits::plan{per_second(50), per_day(7)}));
  BOOST_TEST((plan("per_minute = 60\nper_hour = 500") == petstore::limits::plan{per_minute(60), per_hour(500)}));
  BOOST_TEST((plan("per_minute = 60\nper_month = 500") == petstore::limits::plan{per_minute(60), per_month(500)}));
  BOOST_TEST((plan("per_hour = 60\nper_day = 500") == petstore::limits::plan{per_hour(60), per_day(500)}));
  BOOST_TEST((plan("per_hour = 60\nper_month = 500") == petstore::limits::plan{per_hour(60), per_month(500)}));
  for (auto const* without : {"per_hour = 60", "per_hour = 60\nper_day = 0", "per_hour = 60\nper_month = 0"})
    BOOST_TEST((plan(without) == petstore::limits::plan{per_hour(60)}));
  BOOST_TEST((plan("per_minute = 60\nper_hour = 0") == petstore::limits::plan{per_minute(60)}));
  BOOST_TEST((plan("per_hour = 60\nrefill = \"continuous\"") ==
              petstore::limits::plan{per_hour(60), {}, petstore::limits::refill::continuous}));
}

BOOST_FIXTURE_TEST_CASE(a_standard_plan_keeps_the_window_that_is_not_named, file_of_settings) {
  auto const free = [&](std::string const& table) { return load("[plans.free]\n" + table).values.plans.at("free"); };
  BOOST_TEST((free("per_month = 5000") == petstore::limits::plan{per_minute(60), per_month(5'000)}));
  BOOST_TEST((free("per_day = 0") == petstore::limits::plan{per_minute(60)}));
  BOOST_TEST((free("per_second = 5") == petstore::limits::plan{per_second(5), per_day(1'000)}));
  BOOST_TEST((free("per_hour = 500") == petstore::limits::plan{per_hour(500), per_day(1'000)}));
  BOOST_TEST((free("per_second = 5\nper_hour = 500") == petstore::limits::plan{per_second(5), per_hour(500)}));
  BOOST_TEST((free("refill = \"continuous\"") ==
              petstore::limits::plan{per_minute(60), per_day(1'000), petstore::limits::refill::continuous}));
}

BOOST_FIXTURE_TEST_CASE(two_windows_of_a_kind_are_a_fault_that_names_both, file_of_settings) {
  BOOST_TEST(fault("[plans.new]\nper_minute = 60\nper_second = 5") ==
             "plans.new: per_second and per_minute are both its short window; leave one out (from petstore.toml:2)");
  BOOST_TEST(fault("[plans.free]\nper_day = 60\nper_month = 500") ==
             "plans.free: per_day and per_month are both its long window; leave one out (from petstore.toml:3)");
  BOOST_TEST(fault("[plans.new]\nper_second = 5\nper_hour = 60\nper_day = 500") ==
             "plans.new: per_hour and per_day are both its long window; leave one out (from petstore.toml:4)");
}

BOOST_FIXTURE_TEST_CASE(costs_are_whole_numbers_by_operation, file_of_settings) {
  auto const loaded = load("[costs]\nlistPets = 2\ncreatePet = 60\n");
  BOOST_TEST(loaded.values.service.costs.size() == 2u);
  BOOST_TEST(loaded.values.service.costs.at("createPet").tokens() == 60u);
  BOOST_TEST(loaded.source_of("costs.listPets") == "petstore.toml:2");
  BOOST_TEST(fault("[costs]\nlistPets = 0") == "costs.listPets: `0` is outside 1 to 1000 (from petstore.toml:2)");
  BOOST_TEST(fault("[costs]\nlistPets = 1001") == "costs.listPets: `1001` is outside 1 to 1000 (from petstore.toml:2)");
  for (auto const* wrong : {"1.5", "2.0", "\"2\"", "true", "[2]", "{a = 2}"})
    BOOST_TEST(fault(std::string{"[costs]\nlistPets = "} + wrong) ==
               "costs.listPets: must be a whole number of tokens, 1 to 1000 (from petstore.toml:2)");
}

BOOST_FIXTURE_TEST_CASE(a_cost_of_no_operation_suggests_the_nearest_one, file_of_settings) {
  BOOST_TEST(fault("[costs]\nlistPet = 2") ==
             "costs: `listPet` is no operation that takes tokens; did you mean `listPets`? (from petstore.toml:2)");
  BOOST_TEST(fault("[costs]\ngetQuota = 2") ==
             "costs: `getQuota` is no operation that takes tokens (from petstore.toml:2)");
  BOOST_TEST(fault("costs = 2") == "costs: must be a table (from petstore.toml:1)");
}

BOOST_FIXTURE_TEST_CASE(a_cost_above_a_quota_names_both, file_of_settings) {
  BOOST_TEST(
      fault("anonymous_per_minute = 20\n[costs]\nlistPets = 21") ==
      "costs.listPets: `21` (from petstore.toml:3) is more than anonymous-per-minute `20` (from petstore.toml:1)");
  BOOST_TEST(
      fault("[plans.tiny]\nper_minute = 60\nper_day = 30\n[costs]\ncreatePet = 31") ==
      "costs.createPet: `31` (from petstore.toml:5) is more than plans.tiny.per_day `30` (from petstore.toml:1)");
  auto const said = fault("anonymous_per_minute = 99\n[costs]\ncreatePet = 61");
  BOOST_TEST(said ==
             "costs.createPet: `61` (from petstore.toml:3) is more than plans.free.per_minute `60` (from default)");
  BOOST_TEST(
      fault("[plans.tiny]\nper_second = 3\nper_month = 30\n[costs]\ncreatePet = 4") ==
      "costs.createPet: `4` (from petstore.toml:5) is more than plans.tiny.per_second `3` (from petstore.toml:1)");
  BOOST_TEST(
      fault("[plans.tiny]\nper_hour = 30\nper_month = 3\n[costs]\ncreatePet = 4") ==
      "costs.createPet: `4` (from petstore.toml:5) is more than plans.tiny.per_month `3` (from petstore.toml:1)");
  BOOST_TEST(load("[plans.tiny]\nper_minute = 60\nper_day = 0\n[costs]\ncreatePet = 60").values.plans.size() == 4u);
}

BOOST_FIXTURE_TEST_CASE(a_plan_outside_the_limiters_range_is_a_fault, file_of_settings) {
  BOOST_TEST(fault("[plans.free]\nper_minute = 16777216") ==
             "plans.free.per_minute: `16777216` is outside 1 to 16777215 (from petstore.toml:2)");
  BOOST_TEST(fault("[plans.free]\nper_minute = 0") ==
             "plans.free.per_minute: `0` is outside 1 to 16777215 (from petstore.toml:2)");
  BOOST_TEST(fault("[plans.free]\nper_day = 1099511627776") ==
             "plans.free.per_day: `1099511627776` is outside 0 to 1099511627775 (from petstore.toml:2)");
  BOOST_TEST(fault("[plans.free]\nper_second = 16777216") ==
             "plans.free.per_second: `16777216` is outside 1 to 16777215 (from petstore.toml:2)");
  BOOST_TEST(fault("[plans.free]\nper_hour = 0") ==  // without a shorter one, it is the short window
             "plans.free.per_hour: `0` is outside 1 to 16777215 (from petstore.toml:2)");
  BOOST_TEST(fault("[plans.free]\nper_second = 1\nper_hour = 4294967296") ==  // its periods begin with a request
             "plans.free.per_hour: `4294967296` is outside 0 to 4294967295 (from petstore.toml:3)");
  BOOST_TEST(fault("[plans.free]\nper_month = 1099511627776") ==
             "plans.free.per_month: `1099511627776` is outside 0 to 1099511627775 (from petstore.toml:2)");
  BOOST_TEST(fault("[plans.free]\nrefill = \"sometimes\"") ==
             "plans.free.refill: `sometimes` is none of periodic, continuous (from petstore.toml:2)");
  BOOST_TEST((load("[plans.free]\nper_minute = 16777215\nper_day = 1099511627775").values.plans.at("free") ==
              petstore::limits::plan{per_minute(16777215), per_day(1099511627775)}));
}

BOOST_FIXTURE_TEST_CASE(a_new_plan_needs_its_numbers_and_a_plain_name, file_of_settings) {
  for (auto const* only_long : {"per_day = 5", "per_month = 5", "refill = \"periodic\""})
    BOOST_TEST(fault(std::string{"[plans.gold]\n"} + only_long) ==
               "plans.gold: per_second, per_minute or per_hour is missing (from petstore.toml:1)");
  BOOST_TEST(fault("[plans]\ngold = 5").starts_with("plans.gold: must be a table"));
  BOOST_TEST(fault("[plans.\"Gold plan\"]\nper_minute = 1").find("is not a name of a plan") != std::string::npos);
  BOOST_TEST(fault("[plans.anonymous]\nper_minute = 1").find("is not a name of a plan") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_mistyped_key_of_a_plan_suggests_the_nearest_one, file_of_settings) {
  BOOST_TEST(fault("[plans.gold]\nper_minutes = 5") ==
             "unknown key `plans.gold.per_minutes`; did you mean `per_minute`? (from petstore.toml:2)");
  BOOST_TEST(fault("[plans.gold]\nper_hour = 5\nper_months = 5") ==
             "unknown key `plans.gold.per_months`; did you mean `per_month`? (from petstore.toml:3)");
}

BOOST_FIXTURE_TEST_CASE(lists_may_be_arrays_or_separated_by_commas, file_of_settings) {
  auto const origins = std::vector<std::string>{"https://a.example", "https://b.example"};
  BOOST_TEST(load("cors_origins = [\"https://a.example\", \"https://b.example\"]").values.service.cors_origins ==
             origins);
  BOOST_TEST(load("cors_origins = \"https://a.example,https://b.example\"").values.service.cors_origins == origins);
  BOOST_TEST(load("trusted_proxies = [\"10.0.0.0/8\"]").values.service.trusted_proxies.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_proxy_header_is_asked_only_of_proxies_that_are_named) {
  auto const with = [](std::string const& proxies) {
    return setting_sources{{{"proxy-protocol", "required"}, {"trusted-proxies", proxies}}, {}, {}};
  };
  BOOST_TEST(load_settings(with("10.0.0.0/8")).values.expects_proxy_header);
  BOOST_TEST(fault_of(with("")).starts_with("proxy-protocol `required` (from --proxy-protocol) lets nobody in"));
}

BOOST_AUTO_TEST_CASE(a_certificate_and_its_key_are_named_together) {
  auto const fault_of_tls = [](std::map<std::string, std::string, std::less<>> flags) {
    return fault_of({std::move(flags), {}, {}});
  };
  BOOST_TEST(fault_of_tls({{"tls-cert", "c.pem"}}) == "tls-cert `c.pem` (from --tls-cert) needs tls-key beside it");
  BOOST_TEST(fault_of_tls({{"tls-key", "k.pem"}}) == "tls-key `k.pem` (from --tls-key) needs tls-cert beside it");
  BOOST_TEST(fault_of_tls({{"tls-cert", "c.pem"}, {"tls-key", "k.pem"}, {"tls-client-auth", "required"}}) ==
             "tls-client-auth `required` (from --tls-client-auth) needs tls-client-ca: the authorities to trust");
  auto const loaded =
      load_settings({{{"tls-cert", "c.pem"}, {"tls-key", "k.pem"}, {"tls-client-ca", "a.pem"}}, {}, {}});
  BOOST_TEST(loaded.values.tls.private_key == "k.pem");
  BOOST_REQUIRE(loaded.warnings.size() == 1u);
  BOOST_TEST(loaded.warnings.front().find("no client is asked for a certificate") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_webhook_and_its_secret_are_named_together_and_its_query_is_not_shown) {
  std::string const url = "https://hooks.example.com/petstore?token=secret";
  BOOST_TEST(
      fault_of({{{"webhook", url}}, {}, {}}) ==
      "webhook `https://hooks.example.com/petstore?***` (from --webhook) needs webhook-secret-file: the secret that "
      "signs its messages");
  BOOST_TEST(fault_of({{{"webhook-secret-file", "s"}}, {}, {}}) ==
             "webhook-secret-file `s` (from --webhook-secret-file) needs webhook: the address to send to");
  BOOST_TEST(fault_of({{{"webhook", "hooks?token=secret"}, {"webhook-secret-file", "s"}}, {}, {}}) ==
             "webhook: `hooks?***` is not an address such as https://hooks.example.com/petstore (from --webhook)");
  auto const loaded = load_settings({{{"webhook", url}, {"webhook-secret-file", "s"}}, {}, {}});
  BOOST_REQUIRE(loaded.values.webhook.has_value());
  BOOST_TEST(loaded.values.webhook->target == "/petstore?token=secret");
}

BOOST_AUTO_TEST_CASE(a_key_in_place_of_the_name_of_its_file_is_not_shown) {
  std::string const key = "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----";
  auto const fault = fault_of({{}, {{"PETSTORE_TLS_KEY", key}}, {}});
  BOOST_TEST(fault.find("tls-key: ") == 0u);
  BOOST_TEST(fault.find("give the name of the file (from PETSTORE_TLS_KEY)") != std::string::npos);
  BOOST_TEST(fault.find("secret") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_store_is_lmdb_postgres_or_memory) {
  auto const store = [](std::string const& uri) { return load_settings({{{"store", uri}}, {}, {}}).values.store; };
  BOOST_TEST((store("memory:") == store_address{store_kind::memory, {}}));
  BOOST_TEST((store("lmdb:/var/lib/petstore") == store_address{store_kind::lmdb, "/var/lib/petstore"}));
  BOOST_TEST(fault_of({{{"store", "lmdb:"}}, {}, {}}) ==
             "store: `lmdb:` is none of lmdb:DIRECTORY, postgres://… and memory: "
             "(from --store)");
}

BOOST_AUTO_TEST_CASE(a_store_of_many_nodes_is_named_as_libpq_names_it) {
  for (std::string const uri :
       {"postgres://shop@db1,db2/petstore?target_session_attrs=read-write", "postgresql://db"}) {
    auto const store = load_settings({{{"store", uri}}, {}, {}}).values.store;
    BOOST_TEST((store == store_address{store_kind::postgres, {}, uri}));
  }
}

BOOST_AUTO_TEST_CASE(quotas_are_counted_here_or_in_redis) {
  auto const quota = [](std::string const& uri) {
    return load_settings({{{"quota", uri}}, {}, {}}).values.quota.redis;
  };
  BOOST_TEST(!quota("local"));
  for (std::string const uri :
       {"redis://db:6379", "rediss://db", "redis+sentinel://a,b/quotas", "rediss+cluster://a,b"}) {
    BOOST_TEST(quota(uri).value() == uri);
  }
  BOOST_TEST(fault_of({{{"quota", "redis:"}}, {}, {}}).starts_with("quota: `redis:` is none of local, redis://…"));
  BOOST_TEST(fault_of({{{"quota", "redis://"}}, {}, {}}).starts_with("quota: `redis://` is none of local"));
}

BOOST_AUTO_TEST_CASE(what_happens_without_redis_is_a_setting) {
  auto const unset = load_settings({}).values.quota;
  BOOST_TEST((unset.on_failure == quota_failure::degraded));
  BOOST_TEST(!unset.strict);
  BOOST_TEST((unset.deadline == 250ms));
  BOOST_TEST(unset.nodes_min == 1u);
  variables const flags{
      {"quota-failure", "closed"}, {"quota-mode", "strict"}, {"quota-deadline", "5ms"}, {"quota-nodes", "3"}};
  auto const set = load_settings({flags, {}, {}}).values.quota;
  BOOST_TEST((set.on_failure == quota_failure::closed));
  BOOST_TEST(set.strict);
  BOOST_TEST((set.deadline == 5ms));
  BOOST_TEST(set.nodes_min == 3u);
  for (auto const* none : {"0", "10001", "two"})
    BOOST_TEST(fault_of({{{"quota-nodes", none}}, {}, {}}).starts_with("quota-nodes: "));
  BOOST_TEST(fault_of({{{"quota-failure", "shut"}}, {}, {}}) ==
             "quota-failure: `shut` is none of degraded, closed, open (from --quota-failure)");
}

BOOST_AUTO_TEST_CASE(a_shared_store_with_quotas_of_its_own_is_warned_about) {
  auto const warnings = [](std::string const& store, std::string const& quota) {
    return load_settings({{{"store", store}, {"quota", quota}}, {}, {}}).warnings;
  };
  BOOST_REQUIRE_EQUAL(warnings("postgres://db", "local").size(), 1u);
  BOOST_TEST(warnings("postgres://db", "local").front().find("quota is local") != std::string::npos);
  BOOST_REQUIRE_EQUAL(warnings("lmdb:shop", "redis://db").size(), 1u);
  BOOST_TEST(warnings("lmdb:shop", "redis://db").front().find("this node's own") != std::string::npos);
  BOOST_TEST(warnings("postgres://db", "redis://db").empty());
  BOOST_TEST(warnings("lmdb:shop", "local").empty());
}

BOOST_AUTO_TEST_CASE(passwords_of_addresses_are_not_shown) {
  auto const shown = load_settings({{{"store", "postgres://shop:s3cret@db/petstore?sslpassword=s3cret"},
                                     {"quota", "redis://:s3cret@db:6379"}},
                                    {},
                                    {}})
                         .shown;
  for (auto const& row : shown) BOOST_TEST(row.value.find("s3cret") == std::string::npos, row.name);
  BOOST_TEST(fault_of({{{"quota", "radis://:s3cret@db"}}, {}, {}}).find("s3cret") == std::string::npos);
  auto const spaced = load_settings({{{"store", "postgres://db/x?password=one two&sslmode=require"}}, {}, {}}).shown;
  auto const store = std::ranges::find(spaced, "store", &shown_setting::name);
  BOOST_TEST(store->value == "postgres://db/x?password=***&sslmode=require");
}

BOOST_AUTO_TEST_CASE(no_two_settings_share_a_name) {
  std::set<std::string_view> names;
  std::set<std::string_view> keys;
  for (auto const& row : all_settings()) {
    BOOST_TEST(names.insert(row.name).second, row.name);
    BOOST_TEST(keys.insert(row.file_key).second, row.file_key);
  }
}

BOOST_FIXTURE_TEST_CASE(variable_of_a_file_gives_what_the_file_holds, file_of_settings) {
  auto const secret = directory.write("store", "lmdb:/of/the/file\r\n");
  setting_sources sources = this->sources("store = \"lmdb:/of/the/toml\"");
  sources.environment["PETSTORE_STORE_FILE"] = secret;
  auto const loaded = load_settings(sources);
  BOOST_TEST(loaded.values.store->directory == "/of/the/file");
  BOOST_TEST(loaded.source_of("store") == "PETSTORE_STORE_FILE");
  BOOST_TEST(loaded.warnings.empty());

  sources.flags["store"] = "lmdb:/of/the/flag";
  BOOST_TEST(load_settings(sources).values.store->directory == "/of/the/flag");
  sources.environment["PETSTORE_STORE_FILE"] = (directory / "unreadable").string();
  BOOST_TEST(load_settings(sources).values.store->directory == "/of/the/flag");
}

BOOST_FIXTURE_TEST_CASE(log_file_is_a_setting_of_its_own, file_of_settings) {
  auto const loaded = load_settings({{}, {{"PETSTORE_LOG_FILE", "/of/the/log"}}, {}});
  BOOST_TEST(loaded.values.log.file == "/of/the/log");
}

BOOST_FIXTURE_TEST_CASE(value_in_a_file_is_checked_and_named_like_any_other, file_of_settings) {
  auto const fault = [](std::string const& path) { return fault_of({{}, {{"PETSTORE_THREADS_FILE", path}}, {}}); };
  auto const wrong = fault(directory.write("wrong", "many"));
  BOOST_TEST(wrong.starts_with("threads: `many` "), wrong);
  BOOST_TEST(wrong.ends_with("(from PETSTORE_THREADS_FILE)"), wrong);
  auto const missing = (directory / "missing").string();
  auto const unreadable = "threads: `" + missing + "` is a file that cannot be read (from PETSTORE_THREADS_FILE)";
  BOOST_TEST(fault(missing) == unreadable);
  BOOST_TEST(fault((directory / "").string()).find("cannot be read") != std::string::npos);
  auto const longest = directory.write("longest", std::string(value_file_bytes_max, '1'));
  BOOST_TEST(fault(longest).find("is a file too long") == std::string::npos);
  auto const longer = directory.write("longer", std::string(value_file_bytes_max + 1, '1'));
  BOOST_TEST(fault(longer).find("is a file too long for a setting") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(variable_and_its_file_together_are_a_fault, file_of_settings) {
  auto const secret = directory.write("store", "memory:");
  auto const fault = fault_of({{}, {{"PETSTORE_STORE", "memory:"}, {"PETSTORE_STORE_FILE", secret}}, {}});
  BOOST_TEST(fault == "store: PETSTORE_STORE and PETSTORE_STORE_FILE are both set");
}

BOOST_AUTO_TEST_SUITE_END()
