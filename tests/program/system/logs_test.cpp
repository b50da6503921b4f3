// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "program/system/running_server.hpp"
#include "support/temporary_directory.hpp"

// What docs/logs.md says, held against logs that the real program wrote.

using namespace petstore::tests;
using namespace std::chrono_literals;

namespace {

struct logging_shop {
  temporary_directory directory;
  std::string const log = (directory / "petstore.log").string();
  std::string const access_log = (directory / "access.log").string();

  std::vector<std::string> flags(std::vector<std::string> more) const {
    std::vector<std::string> all{"--store", "memory:", "--demo", "--log-file", log, "--access-log", access_log};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::vector<boost::json::object> lines(std::string const& path) const {
    std::vector<boost::json::object> out;
    std::istringstream in(read_file(path));
    for (std::string line; std::getline(in, line) && !in.eof();) out.push_back(boost::json::parse(line).as_object());
    return out;
  }
  std::vector<boost::json::object> slow_requests() const {
    auto found = lines(log);
    std::erase_if(found, [](auto const& line) { return line.at("event") != "slow_request"; });
    return found;
  }
  std::ptrdiff_t times_told(std::string_view id) const {
    return std::ranges::count_if(slow_requests(),
                                 [&](auto const& line) { return line.at("request_id").as_string() == id; });
  }
};

std::int64_t microseconds(boost::json::object const& line, char const* name) {
  return line.at(name).to_number<std::int64_t>();
}

/// A client that needs longer than `pause` to send its request.
void ask_slowly(std::uint16_t port, std::string const& key, std::chrono::milliseconds pause,
                std::string const& id = "order-4711") {
  test_client slow(port);
  slow.send("GET /v1/pets HTTP/1.1\r\nHost: a\r\nX-Request-Id: " + id + "\r\n");
  std::this_thread::sleep_for(pause);
  slow.send("Authorization: Bearer " + key + "\r\n\r\n");
  BOOST_TEST(slow.receive().status == 200);
}

/// The text between the fences.
std::vector<std::string> commands_of(std::string const& page) {
  std::vector<std::string> found;
  std::string const fence = "```sh\n";
  for (auto at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
    at += fence.size();
    found.push_back(page.substr(at, page.find("```", at) - at));
  }
  return found;
}

finished run_in(std::filesystem::path const& directory, std::string const& command) {
  return run({.words = {"sh", "-c", "{ " + command + "\n} 2>&1"}, .directory = directory});
}

bool has_jq() {
  return run({.words = {"sh", "-c", "command -v jq"}}).code == 0;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(logs, logging_shop)

BOOST_AUTO_TEST_CASE(a_slow_request_is_told_of_with_where_the_time_went) {
  running_server server(flags({"--slow-request", "5ms"}));
  // What the client waits is in `read_us` only from when the server looks at the first part, which a busy machine may
  // put off until the second one has come too: so it is asked until that went as it mostly does.
  BOOST_TEST(eventually([&] {
    ask_slowly(server.port(), server.demo_key(), 20ms);
    return std::ranges::any_of(slow_requests(),
                               [](auto const& line) { return microseconds(line, "read_us") >= 5'000; });
  }));
  BOOST_TEST(server.stop() == 0);
  for (auto const& line : slow_requests()) {
    auto const us = [&line](char const* name) { return microseconds(line, name); };
    BOOST_TEST(line.at("request_id").as_string() == "order-4711");
    BOOST_TEST(us("duration_us") >= 5'000);
    BOOST_TEST(us("duration_us") >= us("read_us"));
    BOOST_TEST(us("quota_us") == 0);
    // Each is cut to whole microseconds.
    auto const parts = us("read_us") + us("quota_us") + us("store_us") + us("write_us");
    BOOST_TEST(us("duration_us") - parts <= 4);
  }
}

BOOST_AUTO_TEST_CASE(a_hang_up_changes_level_sample_and_what_is_slow) {
  auto const file = directory.write("petstore.toml", "log_level = \"info\"\nslow_request = \"0s\"\n").string();
  running_server server(flags({"--config", file, "--threads", "1"}));  // of one thread the lines are in order
  ask_slowly(server.port(), server.demo_key(), 2ms);

  directory.write("petstore.toml", "log_level = \"info\"\nslow_request = \"1ms\"\naccess_log_sample = 1000000\n");
  server.process().send_signal(SIGHUP);
  // A slow request shows that it has been read: nothing else of it can be seen from outside at once.
  BOOST_TEST(eventually([&] {
    ask_slowly(server.port(), server.demo_key(), 2ms);
    return !slow_requests().empty();
  }));

  // A line that is left out cannot be waited for, but the line of a request after it can, once the level is `info`
  // again. The server may read a file too late for the request that follows, so this is tried until it does not.
  BOOST_TEST(eventually([&] {
    auto const told = times_told("told"), untold = times_told("untold");
    directory.write("petstore.toml", "log_level = \"error\"\nslow_request = \"1ms\"\n");
    server.process().send_signal(SIGHUP);
    ask_slowly(server.port(), server.demo_key(), 2ms, "untold");
    directory.write("petstore.toml", "log_level = \"info\"\nslow_request = \"1ms\"\n");
    server.process().send_signal(SIGHUP);
    while (times_told("told") == told) ask_slowly(server.port(), server.demo_key(), 2ms, "told");
    return times_told("untold") == untold;
  }));
  BOOST_TEST(server.stop() == 0);
}

BOOST_AUTO_TEST_CASE(who_has_no_key_cannot_fill_the_disk_with_lines) {
  constexpr int requests = 10'000, in_a_row = 100;
  constexpr std::int64_t lines_max = 100, line_bytes_max = 1'000;  // lines in a second of one thread
  auto const begun = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  running_server server(flags({"--anonymous-per-minute", "16000000", "--threads", "1"}));
  std::string asked;
  for (int i = 0; i < in_a_row; ++i) asked += "GET /" + std::string(7'500, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n";
  test_client stranger(server.port());
  for (int sent = 0; sent < requests; sent += in_a_row) {
    stranger.send(asked);
    for (int i = 0; i < in_a_row; ++i) BOOST_REQUIRE(stranger.receive().status == 401);
  }
  BOOST_TEST(server.stop() == 0);
  auto const ended = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  auto const seconds_touched = (ended - begun).count() + 1;
  auto const bytes = static_cast<std::int64_t>(read_file(access_log).size());
  BOOST_TEST(bytes <= seconds_touched * lines_max * line_bytes_max);
  std::int64_t told = 0;
  for (auto const& line : lines(access_log)) {
    ++told;
    if (line.contains("suppressed")) told += line.at("suppressed").as_int64();
  }
  for (auto const& line : lines(log)) {
    if (line.at("event").as_string() != "access_lines_suppressed") continue;
    std::string const detail(line.at("detail").as_string());
    told += std::stoll(detail.substr(detail.find_first_of("0123456789")));
  }
  BOOST_TEST(told == requests);
}

BOOST_AUTO_TEST_CASE(every_question_of_the_manual_can_be_asked) {
  if (!has_jq()) {
    BOOST_TEST_MESSAGE("skipped: there is no jq");
    return;
  }
  int strangers = 0;
  {
    running_server server(flags({"--slow-request", "5ms"}));
    // The 61st is one too many, or a later one where a new minute began in between.
    while (ask(server.port(), "GET", "/v1/pets", "nobody").status == 401) ++strangers;
    ask(server.port(), "GET", "/v1/pets/4711", server.demo_key());
    BOOST_TEST(eventually([&] {
      ask_slowly(server.port(), server.demo_key(), 11ms);
      return !slow_requests().empty();
    }));
    BOOST_TEST(server.stop() == 0);
  }
  auto const commands = commands_of(read_file(PETSTORE_LOGS_MANUAL));
  BOOST_TEST(commands.size() >= 5u);
  for (auto const& command : commands) {
    auto const done = run_in(directory.path(), command);
    BOOST_TEST(done.code == 0, command << done.out);
    BOOST_TEST(!done.out.empty(), command);
    BOOST_TEST_MESSAGE(command << done.out);
  }
  auto const asked = std::to_string(strangers) + "\t401\tlistPets\n";
  BOOST_TEST(run_in(directory.path(), commands[0]).out.find(asked) != std::string::npos);
  BOOST_TEST(run_in(directory.path(), commands[1]).out == "0\n");
  BOOST_TEST(run_in(directory.path(), commands[3]).out == "1\t127.0.0.1\n");
}

BOOST_AUTO_TEST_SUITE_END()
