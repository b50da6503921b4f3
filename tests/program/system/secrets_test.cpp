// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <sstream>

#include "program/system/running_server.hpp"

using namespace petstore::test;

namespace {

std::string percent_encoded(std::string_view text) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (char const c : text) {
    out += '%';
    out += digits[static_cast<unsigned char>(c) >> 4];
    out += digits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(secrets)

BOOST_AUTO_TEST_CASE(a_key_is_in_no_log_wherever_a_client_puts_it) {
  temporary_directory directory;
  auto const access = (directory / "access").string();
  running_server server({"--store", "memory:", "--demo", "--access-log", access, "--log-level", "debug"});
  auto const key = server.demo_key();

  ask(server.port(), "GET", "/v1/pets", key);
  ask(server.port(), "GET", "/v1/pets/" + key, key);
  ask(server.port(), "GET", "/v1/" + percent_encoded(key) + "/x", key);
  ask(server.port(), "GET", "/v1/pets?key=" + key + "&status=" + key, key);
  ask(server.port(), "GET", "/v1/pets", {}, {}, {"X-Request-Id: " + key});
  ask(server.port(), "GET", "/v1/pets", {}, {}, {"X-Api-Key: " + key, "Cookie: " + key, "User-Agent: " + key});
  ask(server.port(), "GET", "/v1/pets", key, {}, {"Authorization: Bearer " + key});
  ask(server.port(), "POST", "/v1/pets", key, "{\"name\":\"" + key + "\",\"categoryId\":1}");
  ask(server.port(), "POST", "/v1/pets", key, "{\"name\":\"" + key, {"Idempotency-Key: " + key});
  ask(server.port(), key, "/" + key, key);
  ask(server.admin_port(), "GET", "/" + key);
  auto const page = ask(server.admin_port(), "GET", "/metrics").body;
  BOOST_TEST(server.stop() == 0);

  auto const secret = key.substr(8, 43);
  auto const log = server.process().standard_error();
  auto const lines = read_file(access);
  BOOST_TEST(lines.find("ps_live_***") != std::string::npos);
  for (auto const& text : {log, lines, page}) {
    BOOST_TEST(text.find(secret) == std::string::npos);
    BOOST_TEST(text.find(percent_encoded(secret)) == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(every_line_is_json_and_every_answer_has_one) {
  temporary_directory directory;
  auto const access = (directory / "access").string();
  running_server server({"--store", "memory:", "--demo", "--access-log", access});
  auto const answered = ask(server.port(), "GET", "/v1/pets", server.demo_key());
  ask(server.port(), "GET", "/v1/\"quoted\\\xff", server.demo_key());
  connection broken(server.port());
  broken.send("nonsense\r\n\r\n");
  auto const refused = broken.receive();
  BOOST_TEST(refused.status == 400);
  BOOST_TEST(server.stop() == 0);

  // A line is written after its answer is sent, by the thread of its connection: so in any order.
  std::map<std::string, boost::json::object> lines;
  std::istringstream in(read_file(access));
  for (std::string line; std::getline(in, line);) {
    auto const object = boost::json::parse(line).as_object();
    lines.emplace(object.at("request_id").as_string(), object);
  }
  BOOST_REQUIRE(lines.size() == 3u);
  auto const& listed = lines.at(answered.field("X-Request-Id"));
  BOOST_TEST(listed.at("key").as_string() == "k1");
  BOOST_TEST(listed.at("operation").as_string() == "listPets");
  BOOST_TEST(listed.at("status").as_int64() == 200);
  BOOST_TEST(listed.at("peer").as_string() == "127.0.0.1");
  BOOST_TEST(lines.at(refused.field("X-Request-Id")).at("error").as_string() == "malformed_http");

  std::istringstream log(server.process().standard_error());
  std::vector<std::string> events;
  for (std::string line; std::getline(log, line);) {
    events.emplace_back(boost::json::parse(line).as_object().at("event").as_string());
  }
  BOOST_TEST((std::ranges::find(events, "started") != events.end()));
  BOOST_TEST((std::ranges::find(events, "draining") != events.end()));
  BOOST_TEST((std::ranges::find(events, "stopped") != events.end()));
}

BOOST_AUTO_TEST_SUITE_END()
