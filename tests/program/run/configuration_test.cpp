// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/configuration.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/temporary_directory.hpp"

using namespace petstore::program;
using petstore::tests::read_file;
using petstore::tests::temporary_directory;

namespace {

/// The configuration of a server that writes its log to a file.
struct running_configuration {
  temporary_directory directory;
  std::string const log_file = (directory / "log").string();

  loaded_settings read(std::string_view text) const {
    auto const file = directory.write("petstore.toml", text);
    return load_settings({{{"log-file", log_file}}, {}, file});
  }
  /// What the log says of a second reading.
  std::string log_of_change(std::string_view before, std::string_view after) {
    auto const at_start = read(before);
    {
      json_log log(at_start.values.log);
      configuration in_force(at_start, log, start);
      fresh = in_force.read_anew([&] { return read(after); }, reload);
      figures = in_force.figures();
    }
    return read_file(log_file);
  }

  static constexpr configuration::time_point start{std::chrono::seconds{1'800'000'000}};
  static constexpr configuration::time_point reload = start + std::chrono::hours{1};

  std::optional<settings> fresh;
  configuration_figures figures;
};

bool says(std::string const& log, std::string_view what) {
  return log.find(what) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(configuration_, running_configuration)

BOOST_AUTO_TEST_CASE(the_log_tells_each_change_and_their_number) {
  auto const log = log_of_change("", "body_limit = 9\nthreads = 3\n");
  BOOST_REQUIRE(fresh.has_value());
  BOOST_TEST(fresh->connections.body_bytes_max == 9u);
  BOOST_TEST(says(log, "body-limit: `64KiB` → `9` (from petstore.toml:1)"), log);
  BOOST_TEST(says(log, R"("event":"restart_needed")"), log);
  BOOST_TEST(says(log, "settings changed: 1, for the next start: 1"), log);
  BOOST_TEST(figures.is_current);
  BOOST_TEST((figures.read_at == reload));
}

BOOST_AUTO_TEST_CASE(a_wrong_source_gives_nothing_and_names_each_fault) {
  auto const log = log_of_change("", "body_limit = 9\nthreads = 0\nnonsense = 1\n");
  BOOST_TEST(!fresh.has_value());
  BOOST_TEST(says(log, "unknown key `nonsense` (from petstore.toml:3)"), log);
  BOOST_TEST(says(log, "threads: `0` is outside 1 to 256 (from petstore.toml:2)"), log);
  BOOST_TEST(!says(log, "setting_changed"), log);
  BOOST_TEST(!figures.is_current);
  BOOST_TEST((figures.read_at == start));
}

BOOST_AUTO_TEST_CASE(a_value_that_is_shown_in_part_is_in_force_in_full) {
  std::string const host = "ConsoleOfThePetStoreInBerlin01.example.com";  // it could have a key in it
  log_of_change("", "admin_hosts = [\"" + host + "\"]\nbody_limit = 9\n");
  BOOST_REQUIRE(fresh.has_value());
  BOOST_TEST(fresh->admin_hosts == std::vector{host}, boost::test_tools::per_element());
  BOOST_TEST(fresh->connections.body_bytes_max == 9u);
}

BOOST_AUTO_TEST_CASE(whatever_a_reading_throws_changes_nothing_and_is_told) {
  auto const at_start = read("body_limit = 9\nadmin_hosts = [\"a.example\"]\n");
  {
    json_log log(at_start.values.log);
    configuration in_force(at_start, log, start);
    fresh = in_force.read_anew([]() -> loaded_settings { throw std::runtime_error("no memory"); }, reload);
    BOOST_TEST(!fresh.has_value());
    BOOST_TEST(!in_force.figures().is_current);
    BOOST_TEST(in_force.in_force().connections.body_bytes_max == 9u);
    BOOST_TEST(in_force.in_force().admin_hosts.size() == 1u);
  }
  auto const log = read_file(log_file);
  BOOST_TEST(says(log, R"("event":"configuration_not_reloaded","detail":"no memory")"), log);
}

BOOST_AUTO_TEST_CASE(the_change_of_the_level_is_told_whichever_way_it_goes) {
  auto const change = R"("event":"setting_changed","detail":"log-level: )";
  BOOST_TEST(says(log_of_change("log_level = \"error\"", "log_level = \"info\""), change));
  BOOST_TEST(says(log_of_change("log_level = \"info\"", "log_level = \"error\""), change));
}

BOOST_AUTO_TEST_CASE(the_new_level_is_what_the_log_goes_by) {
  auto const at_start = read("log_level = \"error\"");
  {
    json_log log(at_start.values.log);
    configuration in_force(at_start, log, start);
    log.write(petstore::server::severity::info, "before", "", {});
    in_force.read_anew([&] { return read(""); }, reload);
    log.write(petstore::server::severity::info, "between", "", {});
    in_force.read_anew([&] { return read("log_level = \"warning\""); }, reload);
    log.write(petstore::server::severity::info, "after", "", {});
  }
  auto const log = read_file(log_file);
  BOOST_TEST(!says(log, R"("before")"), log);
  BOOST_TEST(says(log, R"("between")"), log);
  BOOST_TEST(!says(log, R"("after")"), log);
}

BOOST_AUTO_TEST_SUITE_END()
