// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/remote_keys.hpp"

#include <boost/test/unit_test.hpp>
#include <future>
#include <string>

#include "outcome.hpp"
#include "program/hook_server.hpp"

using namespace petstore;
using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(remote_keys_suite)

namespace {

/// A server of the administration API, which answers one request.
struct admin_server {
  petstore::tests::hook_server server;

  std::future<shown_key> ask_for(std::uint64_t number) {
    remote_keys asked{admin_client("http://127.0.0.1:" + std::to_string(server.port()), "token")};
    return std::async(std::launch::async, [asked, number]() mutable { return asked.find(number, unix_ms{}); });
  }
  /// Returns the first line of the request.
  std::string answer(std::string const& status, std::string const& body) {
    auto const client = server.accept();
    auto const asked = client->read();
    client->answer("HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    return asked.head.substr(0, asked.head.find("\r\n"));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(one_key_is_asked_for_alone, admin_server) {
  auto showing = ask_for(17);
  auto const line = answer(
      "200 OK",
      R"({"id":"k17","identity":"k3","name":"shop","plan":"free","perMinute":null,"perDay":7,"scope":"read",)"
      R"("prefix":"ps_live_","lastFour":"abcd","state":"banned","createdAt":"2026-06-01T00:00:00.000Z","expiresAt":null,)"
      R"("lastUsedAt":null,"bannedUntil":"2026-06-02T00:00:00.000Z","quota":{}})");
  BOOST_TEST(line == "GET /admin/v1/keys/k17 HTTP/1.1");
  auto const shown = showing.get();
  BOOST_TEST(shown.key.number == 17u);
  BOOST_TEST(shown.identity.number == 3u);
  BOOST_TEST(shown.state == "banned");
  BOOST_TEST(shown.identity.banned_until.has_value());
}

BOOST_FIXTURE_TEST_CASE(the_server_says_that_there_is_no_such_key, admin_server) {
  auto showing = ask_for(9);
  answer("404 Not Found", R"({"code":"not_found","message":"There is no key k9."})");
  BOOST_CHECK_EXCEPTION(showing.get(), command_error,
                        [](auto const& e) { return std::string(e.what()) == "There is no key k9."; });
}

BOOST_AUTO_TEST_SUITE_END()
