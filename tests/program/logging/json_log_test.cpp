// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "logging/json_log.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <optional>
#include <sstream>
#include <thread>

#include "config/load.hpp"
#include "program/temporary_directory.hpp"

using namespace petstore;
using namespace petstore::program;
using petstore::test::read_file;
using server::severity;

namespace {

struct files {
  petstore::test::temporary_directory directory;
  log_settings settings{(directory / "log").string(), severity::info, "log"};

  std::vector<boost::json::object> lines(std::string_view name) const {
    std::vector<boost::json::object> out;
    std::istringstream in(read_file(directory / name));
    for (std::string line; std::getline(in, line);) out.push_back(boost::json::parse(line).as_object());
    return out;
  }
};

void write_access(json_log& log) {
  server::request const request;
  server::response const response;
  log.write_access({request, response, std::chrono::nanoseconds{1}, 2});
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(json_log_suite, files)

BOOST_AUTO_TEST_CASE(every_line_is_on_disk_when_the_log_is_gone) {
  {
    json_log log(settings);
    for (int i = 0; i < 500; ++i) log.write(severity::info, "counted", std::to_string(i), {});
    write_access(log);
  }
  auto const written = lines("log");
  BOOST_TEST(written.size() == 501u);
  auto const is_last = [](boost::json::object const& l) { return l.contains("detail") && l.at("detail") == "499"; };
  BOOST_TEST(std::ranges::count_if(written, is_last) == 1);
}

BOOST_AUTO_TEST_CASE(lines_below_the_level_are_not_written) {
  settings.level = severity::warning;
  {
    json_log log(settings);
    log.write(severity::debug, "no", {}, {});
    log.write(severity::info, "no", {}, {});
    log.write(severity::warning, "yes", {}, {});
    log.write(severity::error, "yes", {}, {});
  }
  BOOST_TEST(lines("log").size() == 2u);
}

BOOST_AUTO_TEST_CASE(the_access_log_may_have_a_file_of_its_own) {
  settings.access = (directory / "access").string();
  {
    json_log log(settings);
    write_access(log);
    log.write(severity::info, "started", {}, {});
  }
  BOOST_TEST(lines("log").size() == 1u);
  BOOST_TEST(lines("access").size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_access_log_may_be_off) {
  settings.access = "off";
  {
    json_log log(settings);
    BOOST_TEST(!log.access_log_function());
    write_access(log);
  }
  BOOST_TEST(lines("log").empty());
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_opened_names_its_setting) {
  settings.file = "/nonexistent/log";
  BOOST_CHECK_EXCEPTION(json_log{settings}, config_error, [](config_error const& e) {
    return std::string_view(e.what()) == "log-file: `/nonexistent/log` cannot be opened: No such file or directory";
  });
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_counted_and_harms_nobody) {
  settings.file = "/dev/full";
  json_log log(settings);
  log.write(severity::info, "lost", {}, {});
  while (log.failed_writes() == 0) std::this_thread::yield();
  log.write(severity::info, "lost", {}, {});
  while (log.failed_writes() == 1) std::this_thread::yield();
}

BOOST_AUTO_TEST_CASE(a_renamed_file_is_left_for_a_new_one) {
  {
    json_log log(settings);
    log.write(severity::info, "before", {}, {});
    while (lines("log").empty()) std::this_thread::yield();
    std::filesystem::rename(directory / "log", directory / "log.1");
    BOOST_TEST(log.reopen());
    log.write(severity::info, "after", {}, {});
  }
  BOOST_REQUIRE(lines("log").size() == 1u);
  BOOST_TEST(lines("log")[0].at("event").as_string() == "after");
  BOOST_TEST(lines("log.1").size() == 1u);
}

BOOST_AUTO_TEST_CASE(threads_do_not_tear_each_others_lines) {
  {
    json_log log(settings);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&log] {
        for (int i = 0; i < 200; ++i) {
          log.write(severity::info, "event", std::string(100, 'x'), {});
          write_access(log);
        }
      });
    }
  }
  for (auto const& line : lines("log")) BOOST_TEST(line.contains("time"));
}

BOOST_AUTO_TEST_SUITE_END()
