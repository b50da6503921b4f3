// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <map>
#include <sstream>

#include "program/system/running_server.hpp"

BOOST_AUTO_TEST_SUITE(secrets)

using namespace petstore::tests;

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

// A few places. tests/faults/secrecy has all of them.
BOOST_AUTO_TEST_CASE(a_key_is_repeated_nowhere_wherever_a_client_puts_it) {
  temporary_directory directory;
  auto const access = (directory / "access").string();
  running_server server({"--store", "memory:", "--demo", "--access-log", access, "--log-level", "debug"});
  auto const key = server.demo_key();
  auto const secret = key.substr(8, 43);
  std::string answers;
  auto const send = [&](std::string_view method, std::string const& target, std::string_view authorization = {},
                        std::string const& body = {}, std::vector<std::string> const& fields = {}) {
    auto const answered = ask(server.port(), method, target, authorization, body, fields);
    answers += answered.head + answered.body;
  };

  send("GET", "/v1/pets", key);
  for (auto const& text : {key, secret, percent_encoded(key), percent_encoded(secret)}) {
    send("GET", "/v1/pets/" + text, key);
    send("GET", "/v1/" + text + "/x", key);
    send("GET", "/v1/pets?status=" + text, key);
    send("GET", "/v1/pets?limit=1&key=" + text, key);
    send("GET", "/v1/pets", {}, {}, {"X-Request-Id: " + text});
    send("POST", "/v1/pets", key, "{\"" + text + "\":1,\"" + text + "\":2}");
  }
  send("GET", "/v1/pets", {}, {}, {"X-Api-Key: " + key, "Cookie: " + key, "User-Agent: " + key});
  send("GET", "/v1/pets", key, {}, {"Authorization: Bearer " + key});
  send("POST", "/v1/pets", key, "{\"name\":\"" + key, {"Idempotency-Key: " + key});
  send(key, "/" + key, key);
  // A name is taken and answered as it is sent, and still in no log.
  BOOST_TEST(ask(server.port(), "POST", "/v1/pets", key, "{\"name\":\"" + key + "\",\"categoryId\":1}").status == 201);
  answers += ask(server.admin_port(), "GET", "/" + key).body;
  auto const page = ask(server.admin_port(), "GET", "/metrics").body;
  BOOST_TEST(server.stop() == 0);

  auto const log = server.process().standard_error();
  auto const lines = read_file(access);
  BOOST_TEST(lines.find("ps_live_***") != std::string::npos);
  BOOST_TEST(answers.find("rel=\"next\"") != std::string::npos);
  for (auto const& text : {answers, log, lines, page}) {
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
  test_client broken(server.port());
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
