// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/json_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <optional>
#include <sstream>
#include <thread>

#include "log/repeat_limit.hpp"
#include "support/eventually.hpp"
#include "support/temporary_directory.hpp"

using namespace petstore;
using namespace petstore::program;
using petstore::tests::eventually;
using petstore::tests::read_file;
using server::severity;

namespace {

struct files {
  petstore::tests::temporary_directory directory;
  log_settings settings{(directory / "log").string(), severity::info, "log"};

  std::vector<boost::json::object> lines(std::string_view name) const {
    std::vector<boost::json::object> out;
    std::istringstream in(read_file(directory / name));
    for (std::string line; std::getline(in, line);) out.push_back(boost::json::parse(line).as_object());
    return out;
  }

  /// Some of a thousand lines of this event are written, and the others are counted.
  void check_that_a_thousand_are_counted(std::string_view event) const {
    std::uint64_t written = 0, left_out = 0;
    for (auto const& line : lines("log")) {
      if (line.at("event").as_string() == event) ++written;
      if (line.at("event") == "lines_left_out")
        left_out += static_cast<std::uint64_t>(std::stoi(std::string(line.at("detail").as_string())));
    }
    BOOST_TEST(written >= repeat_limit::lines_max);
    BOOST_TEST(written < 1'000u);
    BOOST_TEST(written + left_out == 1'000u);
  }
};

void write_access(server::access_log_function const& access_log, std::string_view request_id = "1") {
  server::request request;
  request.request_id = request_id;
  server::response const response;
  access_log({request, response, std::chrono::nanoseconds{1}, 2});
}

void write_answer(server::access_log_function const& access_log, unsigned status,
                  std::chrono::nanoseconds duration = std::chrono::nanoseconds{1}, std::uint64_t key = 17) {
  server::request const request;
  server::response response;
  response.status = status;
  response.notes.key = key;
  access_log({request, response, duration, 2});
}

/// More than a pipe holds.
void overfill(json_log& log) {
  std::string const long_text(8000, 'x');
  for (int i = 0; i < 20; ++i) log.write(severity::info, "long", long_text, {});
  BOOST_REQUIRE(eventually([&] { return log.failed_writes() != 0; }));
}

/// While it lives, this process's standard error is a pipe.
class stuck_standard_error {
 public:
  stuck_standard_error() : before_(::dup(STDERR_FILENO)) {
    int ends[2];
    BOOST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    reader_ = ends[0];
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
    ::fcntl(reader_, F_SETFL, O_NONBLOCK);
  }
  ~stuck_standard_error() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    ::close(reader_);
  }
  stuck_standard_error(stuck_standard_error const&) = delete;
  stuck_standard_error& operator=(stuck_standard_error const&) = delete;

  /// What is in the pipe now.
  std::string read_all() const {
    std::string all;
    std::array<char, 4096> bytes{};
    for (ssize_t n = 0; (n = ::read(reader_, bytes.data(), bytes.size())) > 0;) {
      all.append(bytes.data(), static_cast<std::size_t>(n));
    }
    return all;
  }

 private:
  int before_;
  int reader_ = -1;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(json_log_suite, files)

BOOST_AUTO_TEST_CASE(every_line_is_on_disk_when_the_log_is_gone) {
  {
    json_log log(settings);
    for (int i = 0; i < 500; ++i) log.write(severity::info, "counted", std::to_string(i), {});
    write_access(log.access_log_function());
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
    write_access(log.access_log_function());
    log.write(severity::info, "started", {}, {});
  }
  BOOST_TEST(lines("log").size() == 1u);
  BOOST_TEST(lines("access").size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_access_log_may_be_off) {
  settings.access = "off";
  {
    json_log log(settings);
    write_access(log.access_log_function());
  }
  BOOST_TEST(lines("log").empty());
}

BOOST_AUTO_TEST_CASE(of_usual_lines_a_sample_is_written_from_which_their_number_follows) {
  settings.access_one_in = 10;
  {
    json_log log(settings);
    auto const access_log = log.access_log_function();
    for (int i = 0; i < 20'000; ++i) write_access(access_log);
  }
  std::int64_t stood_for = 0;
  for (auto const& line : lines("log")) stood_for += line.at("sample").as_int64();
  BOOST_TEST(stood_for > 17'000);  // six standard deviations
  BOOST_TEST(stood_for < 23'000);
}

BOOST_AUTO_TEST_CASE(errors_are_never_left_out_of_a_sample) {
  settings.access_one_in = 1'000'000;
  settings.access = (directory / "access").string();
  {
    json_log log(settings);
    auto const access_log = log.access_log_function();
    for (unsigned const status : {200u, 304u, 429u, 400u, 401u, 404u, 500u, 503u}) write_answer(access_log, status);
  }
  std::vector<std::int64_t> written;
  for (auto const& line : lines("access")) {
    BOOST_TEST(!line.contains("sample"));
    written.push_back(line.at("status").as_int64());
  }
  BOOST_TEST(written == (std::vector<std::int64_t>{429, 400, 401, 404, 500, 503}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(refusals_that_cost_nobody_a_token_are_written_up_to_a_number_a_second_and_counted_beyond_it) {
  constexpr std::uint64_t rounds = 5'000;
  using std::chrono::system_clock, std::chrono::seconds, std::chrono::floor;
  settings.access = (directory / "access").string();
  auto const begin = floor<seconds>(system_clock::now());
  {
    json_log log(settings);
    auto const access_log = log.access_log_function();
    for (std::uint64_t i = 0; i < rounds; ++i) {
      write_answer(access_log, 401, std::chrono::nanoseconds{1}, 0);
      write_answer(access_log, i % 2 == 0 ? 429 : 503);
    }
  }
  auto const seconds_touched = static_cast<std::uint64_t>((floor<seconds>(system_clock::now()) - begin).count() + 1);
  auto const written = lines("access");
  std::uint64_t told = written.size();
  for (auto const& line : written)
    if (line.contains("suppressed")) told += line.at("suppressed").to_number<std::uint64_t>();
  for (auto const& line : lines("log")) {
    if (line.at("event").as_string() != "access_lines_suppressed") continue;
    std::string const detail(line.at("detail").as_string());
    told += std::stoull(detail.substr(detail.find_first_of("0123456789")));
  }
  BOOST_TEST(written.size() >= json_log::limited_lines_max);
  BOOST_TEST(written.size() <= json_log::limited_lines_max * seconds_touched);
  BOOST_TEST(told == 2 * rounds);
}

BOOST_AUTO_TEST_CASE(errors_of_a_key_are_not_limited) {
  settings.access = (directory / "access").string();
  {
    json_log log(settings);
    auto const access_log = log.access_log_function();
    for (int i = 0; i < 1'000; ++i) write_answer(access_log, 404);
  }
  BOOST_TEST(lines("access").size() == 1'000u);
}

BOOST_AUTO_TEST_CASE(a_slow_request_has_a_line_in_the_log_and_is_never_left_out_of_a_sample) {
  settings.access_one_in = 1'000'000;
  settings.slow = std::chrono::milliseconds(500);
  settings.access = (directory / "access").string();
  {
    json_log log(settings);
    auto const access_log = log.access_log_function();
    write_answer(access_log, 200, std::chrono::milliseconds(499));
    write_answer(access_log, 201, std::chrono::milliseconds(500));
  }
  auto const told = lines("log");
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told[0].at("event").as_string() == "slow_request");
  BOOST_TEST(told[0].at("status").as_int64() == 201);
  BOOST_REQUIRE(lines("access").size() == 1u);
  BOOST_TEST(lines("access")[0].at("status").as_int64() == 201);
}

BOOST_AUTO_TEST_CASE(slow_requests_are_told_of_without_an_access_log_and_do_not_flood_the_log) {
  settings.slow = std::chrono::milliseconds(1);
  settings.access = "off";
  {
    json_log log(settings);
    auto const access_log = log.access_log_function();
    for (int i = 0; i < 1'000; ++i) write_answer(access_log, 200, std::chrono::milliseconds(2));
  }
  check_that_a_thousand_are_counted("slow_request");
}

BOOST_AUTO_TEST_CASE(no_event_floods_the_log_whatever_its_level) {
  {
    json_log log(settings);
    auto const report = log.log_function();
    for (int i = 0; i < 1'000; ++i) report(severity::info, "tls_handshake_failed", "192.0.2.1", {});
  }
  check_that_a_thousand_are_counted("tls_handshake_failed");
}

BOOST_AUTO_TEST_CASE(no_action_of_an_operator_and_no_crossing_of_a_quota_is_left_out) {
  for (std::string_view const event : {"admin_action", "quota_threshold"}) {
    {
      json_log log(settings);
      auto const report = log.log_function();
      for (std::uint64_t i = 0; i < 2 * repeat_limit::lines_max; ++i) report(severity::info, event, "", {});
    }
    BOOST_TEST(lines("log").size() == 2 * repeat_limit::lines_max);
    std::filesystem::remove(directory / "log");
  }
}

BOOST_AUTO_TEST_CASE(level_sample_and_what_is_slow_change_while_the_log_is_written) {
  settings.access = "off";
  {
    json_log log(settings);
    auto const access_log = log.access_log_function();
    log.write(severity::debug, "no", {}, {});
    write_answer(access_log, 200, std::chrono::milliseconds(2));
    settings.level = severity::debug;
    settings.slow = std::chrono::milliseconds(1);
    log.adjust(settings);
    log.write(severity::debug, "yes", {}, {});
    write_answer(access_log, 200, std::chrono::milliseconds(2));
  }
  auto const written = lines("log");
  BOOST_REQUIRE(written.size() == 2u);
  BOOST_TEST(written[0].at("event").as_string() == "yes");
  BOOST_TEST(written[1].at("event").as_string() == "slow_request");
}

BOOST_AUTO_TEST_CASE(both_logs_may_go_to_standard_output) {
  auto const path = (directory / "out").string();
  int const before = ::dup(STDOUT_FILENO);
  int const file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ::dup2(file, STDOUT_FILENO);
  settings.file = settings.access = "stdout";
  {
    json_log log(settings);
    log.write(severity::info, "started", {}, {});
    write_access(log.access_log_function());
    BOOST_TEST(log.reopen());
  }
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  ::close(file);
  BOOST_TEST(lines("out").size() == 2u);
  BOOST_TEST(!std::filesystem::exists("stdout"));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_opened_names_its_setting) {
  settings.file = "/nonexistent/log";
  BOOST_CHECK_EXCEPTION(json_log{settings}, log_file_error, [](log_file_error const& e) {
    return e.setting == "log-file" &&
           std::string_view(e.what()) == "log-file: `/nonexistent/log` cannot be opened: No such file or directory";
  });
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_counted_and_harms_nobody) {
  settings.file = "/dev/full";
  json_log log(settings);
  log.write(severity::info, "lost", {}, {});
  BOOST_REQUIRE(eventually([&] { return log.failed_writes() != 0; }));
  log.write(severity::info, "lost", {}, {});
  BOOST_REQUIRE(eventually([&] { return log.failed_writes() != 1; }));
}

BOOST_AUTO_TEST_CASE(a_pipe_that_nobody_reads_holds_up_neither_reopening_nor_the_end) {
  settings.file = (directory / "pipe").string();
  BOOST_REQUIRE(::mkfifo(settings.file.c_str(), 0600) == 0);
  int const reader = ::open(settings.file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  {
    json_log log(settings);
    overfill(log);
    BOOST_TEST(log.reopen());
    log.write(severity::info, "lost", {}, {});
  }
  ::close(reader);
}

BOOST_AUTO_TEST_CASE(a_standard_error_that_nobody_reads_is_no_different_and_works_again_once_read) {
  stuck_standard_error pipe;
  settings.file.clear();
  {
    json_log log(settings);
    overfill(log);
    BOOST_TEST(log.reopen());
    std::string text;
    while (text.find("found") == std::string::npos) {
      log.write(severity::info, "found", {}, {});
      text += pipe.read_all();
    }
    auto const line = text.rfind('\n', text.find("found")) + 1;
    BOOST_TEST(text.substr(line).starts_with("{\"time\""));  // apart from the line that was cut
  }
}

BOOST_AUTO_TEST_CASE(a_pipe_without_a_reader_is_refused_rather_than_waited_for) {
  settings.file = (directory / "pipe").string();
  BOOST_REQUIRE(::mkfifo(settings.file.c_str(), 0600) == 0);
  BOOST_CHECK_THROW(json_log{settings}, log_file_error);
}

BOOST_AUTO_TEST_CASE(a_renamed_file_is_left_for_a_new_one) {
  {
    json_log log(settings);
    log.write(severity::info, "before", {}, {});
    BOOST_REQUIRE(eventually([&] { return !lines("log").empty(); }));
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
        auto const access_log = log.access_log_function();
        for (int i = 0; i < 200; ++i) {
          log.write(severity::info, "event", std::string(100, 'x'), {});
          write_access(access_log);
        }
      });
    }
  }
  for (auto const& line : lines("log")) BOOST_TEST(line.contains("time"));
}

BOOST_AUTO_TEST_CASE(no_access_line_is_lost_when_the_log_goes_and_those_of_a_thread_are_in_order) {
  constexpr int threads_count = 3;
  constexpr int lines_count = 5000;
  {
    json_log log(settings);
    std::vector<std::jthread> threads;
    for (int t = 0; t < threads_count; ++t) {
      threads.emplace_back([access_log = log.access_log_function(), t] {
        for (int i = 0; i < lines_count; ++i) write_access(access_log, std::to_string(t) + "." + std::to_string(i));
      });
    }
    threads.clear();
    BOOST_TEST(log.dropped_lines() == 0u);
  }
  std::array<int, threads_count> next{};
  for (auto const& line : lines("log")) {
    std::string_view const id = line.at("request_id").as_string();
    auto const thread = static_cast<std::size_t>(id[0] - '0');
    BOOST_REQUIRE(id.substr(2) == std::to_string(next.at(thread)++));
  }
  for (int const n : next) BOOST_TEST(n == lines_count);
}

BOOST_AUTO_TEST_CASE(an_access_line_appears_without_another_one_behind_it) {
  json_log log(settings);
  write_access(log.access_log_function());
  BOOST_REQUIRE(eventually([&] { return !read_file(directory / "log").empty(); }));
  BOOST_TEST(lines("log").size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_renamed_access_log_is_left_at_once) {
  settings.access = (directory / "access").string();
  json_log log(settings);
  auto const access_log = log.access_log_function();
  write_access(access_log, "before");
  BOOST_REQUIRE(eventually([&] { return !read_file(directory / "access").empty(); }));
  std::filesystem::rename(directory / "access", directory / "access.1");
  BOOST_TEST(log.reopen());
  write_access(access_log, "after");
  BOOST_REQUIRE(eventually([&] { return !read_file(directory / "access").empty(); }));
  BOOST_TEST(lines("access").at(0).at("request_id").as_string() == "after");
  BOOST_TEST(lines("access.1").size() == 1u);
}

BOOST_AUTO_TEST_CASE(lines_of_a_write_that_failed_are_counted) {
  settings.access = "/dev/full";
  json_log log(settings);
  auto const access_log = log.access_log_function();
  for (int i = 0; i < 30; ++i) write_access(access_log);
  BOOST_REQUIRE(eventually([&] { return log.dropped_lines() >= 30; }));
  BOOST_TEST(log.dropped_lines() == 30u);
  BOOST_TEST(log.failed_writes() >= 1u);
}

BOOST_AUTO_TEST_CASE(a_fault_that_comes_with_every_request_does_not_flood_the_log) {
  constexpr int faults = 1000;
  {
    json_log log(settings);
    auto const report = log.log_function();
    for (int i = 0; i < faults; ++i)
      report(severity::error, "unavailable", "the store is gone", server::log_origin{std::to_string(i)});
    report(severity::error, "internal", "something else", server::log_origin{"x"});
  }
  int written = 0, told = 0, others = 0;
  for (auto const& line : lines("log")) {
    auto const& event = line.at("event").as_string();
    if (event == "unavailable") ++written;
    if (event == "internal") ++others;
    if (event == "lines_left_out") {
      BOOST_TEST(line.at("detail").as_string().find("event unavailable") != boost::json::string::npos);
      told += std::stoi(std::string(line.at("detail").as_string()));
    }
  }
  BOOST_TEST(others == 1);
  BOOST_TEST(told > 0);
  BOOST_TEST(written + told == faults);
}

BOOST_AUTO_TEST_CASE(what_the_program_itself_says_is_never_left_out) {
  {
    json_log log(settings);
    for (int i = 0; i < 100; ++i) log.write(severity::error, "configuration_not_reloaded", std::to_string(i), {});
  }
  BOOST_TEST(lines("log").size() == 100u);
}

BOOST_AUTO_TEST_SUITE_END()
