// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_console.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "petstore/quota/local.hpp"
#include "petstore/storage/memory.hpp"

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;
using server::header_field;
using server::method;

namespace {

/// The console over a shop with one key, k1.
struct console_fixture {
  console_fixture() {
    create_key command;
    auto const key = make_api_key(environment::production, {1});
    set_key(command, key);
    command.name = "Rosa's";
    command.plan = "free";
    auto creating = store->change_keys(command, now_ms(), "test");
    BOOST_REQUIRE(run(std::move(creating)).has_value());
  }

  template <class T>
  T run(boost::asio::awaitable<T> work) {
    auto done = boost::asio::co_spawn(context, std::move(work), boost::asio::use_future);
    context.restart();
    while (done.wait_for(0s) != std::future_status::ready) context.run_one();  // a feed never runs out of work
    return done.get();
  }

  unix_ms now_ms() const { return std::chrono::time_point_cast<std::chrono::milliseconds>(now.wall); }

  server::response const& ask(method m, std::string_view path, std::vector<header_field> fields = {},
                              std::string_view body = {}) {
    server::request request;
    request.method = m;
    request.target = request.path = path;
    request.fields = fields;
    request.body = body;
    request.peer = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1};
    response.clear();
    BOOST_REQUIRE(console.has(path));
    auto answering = console.handle(request, response);
    run(std::move(answering));
    return response;
  }
  server::response const& act(std::string_view path, std::string_view body = "{}") {
    return ask(method::post, path, allowed, body);
  }
  boost::json::value json() const { return boost::json::parse(response.body); }

  std::vector<header_field> const allowed{{"Host", "127.0.0.1:9090"},
                                          {"Origin", "http://127.0.0.1:9090"},
                                          {"Sec-Fetch-Site", "same-origin"},
                                          {"Content-Type", "application/json"},
                                          {"Authorization", "Bearer 0123456789abcdefghijklmnopqrstuvwxyz"}};

  limits::instant now{limits::boot_time{2h}, limits::wall_time{1'795'262'400s}};
  boost::asio::io_context context{1};
  std::unique_ptr<ports::store> store = storage::make_memory_store(environment::production);
  std::unique_ptr<quota::local_quota> quotas = quota::open_local_quota({});
  plan_table const plans{{"free", {limits::per_minute(60), limits::per_day(1'000)}},
                         {"pro", {limits::per_minute(300), limits::per_day(10'000)}}};
  std::vector<std::string> log;
  int drains = 0;
  server::log_function const logger = [this](server::severity, std::string_view event, std::string_view detail,
                                             server::log_origin const&) {
    log.push_back(std::string{event} + ": " + std::string{detail});
  };
  server::static_site const site{
      std::vector<server::static_page>{{.path = "/", .type = "text/html", .body = "<p>"},
                                       {.path = "/keys/{id}", .type = "text/html", .body = "<p>a key"}}};
  event_feed feed{context.get_executor(), [] {}, [] { return std::string{"{}"}; }, 1};
  key_catalog keys{*store, *quotas, [this] { return plans; }, [this] { return now; }};
  admin_access access{admin_tokens::parse("rosa operator 0123456789abcdefghijklmnopqrstuvwxyz\n"
                                          "vera viewer zyxwvutsrqponmlkjihgfedcba9876543210"),
                      [this] { return now; }};
  admin_access no_access{std::nullopt, [this] { return now; }};
  admin_console console{{site, feed, keys, access, [this] { ++drains; }, logger}};
  admin_console without_token{{site, feed, keys, no_access, [this] { ++drains; }, logger}};
  server::response response;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(admin_console_suite, console_fixture)

BOOST_AUTO_TEST_CASE(a_key_is_described_without_the_key) {
  BOOST_TEST(ask(method::get, "/keys/k1/facts").status == 200u);
  BOOST_TEST(json().at("name").as_string() == "Rosa's");
  BOOST_TEST(json().at("state").as_string() == "active");
  BOOST_TEST(json().at("quota").at("minute").at("quota").as_int64() == 60);
  BOOST_TEST(json().at("quota").at("day").at("remaining").as_int64() == 1'000);
  BOOST_TEST(json().at("bannedUntil").is_null());
  BOOST_TEST(ask(method::get, "/keys/k9/facts").status == 404u);
}

BOOST_AUTO_TEST_CASE(only_its_own_paths_are_the_consoles) {
  for (auto const* path : {"/", "/events", "/drain", "/keys/k1", "/keys/k1/facts", "/session"})
    BOOST_TEST(console.has(path), path);
  for (auto const* path : {"", "/keys", "/keys/", "/keys/k", "/keys/k0", "/keys/k01", "/keys/k1/", "/keys/k1/x",
                           "/keys/k1/ban", "/keys/k1/facts/x", "/metrics", "/events/"})
    BOOST_TEST(!console.has(path), path);
}

BOOST_AUTO_TEST_CASE(an_action_needs_the_token) {
  auto fields = allowed;
  for (std::string_view const wrong : {"Bearer 0123456789abcdefghijklmnopqrstuvwxyy", "Bearer ", "Basic x", ""}) {
    fields[4].value = wrong;
    BOOST_TEST(ask(method::post, "/drain", fields, "{}").status == 401u, wrong);
  }
  fields.pop_back();
  BOOST_TEST(ask(method::post, "/drain", fields, "{}").status == 401u);
  BOOST_TEST(drains == 0);
  BOOST_TEST(log.back().starts_with("console_action_refused: "));
  for (auto const& line : log) BOOST_TEST(line.find("0123456789") == std::string::npos);
  BOOST_TEST(act("/drain").status == 200u);
  BOOST_TEST(drains == 1);
}

BOOST_AUTO_TEST_CASE(a_session_acts_in_place_of_the_token) {
  ask(method::post, "/session", {allowed.begin(), allowed.end() - 1},
      R"({"token":"0123456789abcdefghijklmnopqrstuvwxyz"})");
  BOOST_TEST(response.status == 200u);
  auto const begin = response.fields.find("petstore_session_9090=");
  BOOST_REQUIRE(begin != std::string::npos);
  auto const cookie = response.fields.substr(begin, response.fields.find(';', begin) - begin);
  auto fields = allowed;
  fields[4] = {"Cookie", cookie};
  BOOST_TEST(ask(method::post, "/drain", fields, "{}").status == 200u);
  BOOST_TEST(log.back().starts_with("console_action: /drain by rosa from 127.0.0.1"));
  fields[1].value = "http://evil.example";
  BOOST_TEST(ask(method::post, "/drain", fields, "{}").status == 403u);
  BOOST_TEST(drains == 1);
}

BOOST_AUTO_TEST_CASE(a_viewer_may_not_act) {
  auto fields = allowed;
  fields[4].value = "Bearer zyxwvutsrqponmlkjihgfedcba9876543210";
  BOOST_TEST(ask(method::post, "/drain", fields, "{}").status == 403u);
  BOOST_TEST(drains == 0);
}

BOOST_AUTO_TEST_CASE(a_page_of_another_site_may_neither_act_nor_look) {
  std::vector<std::pair<std::size_t, std::string_view>> const wrong{
      {1, "http://evil.example"}, {1, "null"}, {2, "cross-site"}, {2, "same-site"}};
  for (auto const& [at, value] : wrong) {
    auto fields = allowed;
    fields[at].value = value;
    BOOST_TEST(ask(method::post, "/drain", fields, "{}").status == 403u, value);
    BOOST_TEST(ask(method::get, "/keys/k1/facts", fields).status == 403u, value);
    BOOST_TEST(ask(method::get, "/events", fields).status == 403u, value);
  }
  auto fields = allowed;
  fields[3].value = "text/plain";
  BOOST_TEST(ask(method::post, "/drain", fields, "{}").status == 415u);
  BOOST_TEST(ask(method::get, "/drain", allowed).status == 405u);
  BOOST_TEST(drains == 0);
}

// By DNS rebinding a page of another site becomes one of the same origin; its name is what gives it away.
BOOST_AUTO_TEST_CASE(nothing_is_answered_under_a_name_that_is_not_the_consoles) {
  auto fields = allowed;
  fields[0].value = "evil.example:9090";
  fields[1].value = "http://evil.example:9090";
  for (auto const* path : {"/", "/events", "/keys/k1", "/keys/k1/facts"}) {
    BOOST_TEST(ask(method::get, path, fields).status == 403u, path);
    BOOST_TEST(response.body.find("--admin-hosts") != std::string::npos);
    BOOST_TEST(!response.stream);
  }
  BOOST_TEST(ask(method::post, "/drain", fields, "{}").status == 403u);
  BOOST_TEST(drains == 0);
  console.set_hosts(console_hosts{{"evil.example"}});
  BOOST_TEST(ask(method::get, "/keys/k1/facts", fields).status == 200u);
}

BOOST_AUTO_TEST_CASE(each_key_has_a_page_at_its_own_address) {
  for (auto const* path : {"/keys/k1", "/keys/k2"}) {
    BOOST_TEST(ask(method::get, path).status == 200u);
    BOOST_TEST(response.body == "<p>a key");
  }
  BOOST_TEST(ask(method::post, "/keys/k1").status == 405u);
}

BOOST_AUTO_TEST_CASE(the_page_is_shown_in_no_frame) {
  for (auto const* path : {"/", "/keys/k1"})
    BOOST_TEST(ask(method::get, path).fields.find("frame-ancestors 'none'") != std::string::npos, path);
}

BOOST_AUTO_TEST_CASE(without_a_token_in_the_configuration_there_are_no_actions) {
  server::request request;
  request.method = method::post;
  request.path = "/drain";
  request.fields = allowed;
  server::response out;
  auto answering = without_token.handle(request, out);
  run(std::move(answering));
  BOOST_TEST(out.status == 401u);
  BOOST_TEST(out.body.find("--admin-token-file") != std::string::npos);
  BOOST_TEST(drains == 0);
}

BOOST_AUTO_TEST_CASE(too_many_readers_are_told_so) {
  auto const& first = ask(method::get, "/events");
  BOOST_TEST(first.status == 200u);
  BOOST_REQUIRE(first.stream);
  auto const kept = std::move(response.stream);
  BOOST_TEST(ask(method::get, "/events").status == 503u);
}

BOOST_AUTO_TEST_SUITE_END()
