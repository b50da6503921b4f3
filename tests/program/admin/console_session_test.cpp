// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/console_session.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(console_session_suite)

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;
using server::header_field;
using server::method;

namespace {

std::string const operators_token(32, 'o');
std::string const viewers_token(32, 'v');
std::string const tokens = "rosa operator " + operators_token + "\nvera viewer " + viewers_token;

/// A browser that asks the console of one server.
struct browser_fixture {
  server::response const& ask(console_session& of, method m, std::string_view body = {}) {
    return send(m, body, [&](server::request const& request) { of.handle(request, response); });
  }
  server::response const& sign_in(std::string const& token) {
    ask(session, method::post, R"({"token":")" + token + R"("})");
    auto const at = response.fields.find("Set-Cookie: ");
    if (at != response.fields.npos) {
      auto const begin = at + std::string_view{"Set-Cookie: "}.size();
      set_cookie = response.fields.substr(begin, response.fields.find('\r', begin) - begin);
      cookie = set_cookie.substr(0, set_cookie.find(';'));
    }
    return response;
  }
  /// Returns the name of who is signed in; empty: nobody.
  std::string who() {
    ask(session, method::get);
    auto const answer = json();
    auto const& name = answer.at("name");
    return name.is_null() ? "" : std::string{std::string_view{name.as_string()}};
  }
  /// Returns the status of an operation of the API that is asked with the cookie; 200 if it may be answered.
  unsigned use(admin_role needed) {
    bool is_allowed = false;
    send(method::post, {}, [&](server::request const& request) {
      is_allowed = access.identify_or_answer(request, needed, response).has_value();
    });
    return is_allowed ? 200 : response.status;
  }
  boost::json::value json() const { return boost::json::parse(response.body); }
  void pass(std::chrono::seconds time) {
    now.boot += time;
    now.wall += time;
  }

  template <class Handle>
  server::response const& send(method m, std::string_view body, Handle handle) {
    std::vector<header_field> fields{
        {"Host", host}, {"Origin", origin}, {"Sec-Fetch-Site", site}, {"Content-Type", type}};
    std::string const cookies = "theme=dark; " + cookie + "; last=1";
    if (!cookie.empty()) fields.push_back({"Cookie", cookies});
    server::request request;
    request.method = m;
    request.target = request.path = "/session";
    request.fields = fields;
    request.body = body;
    request.peer = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1};
    response.clear();
    handle(request);
    return response;
  }

  std::string host = "127.0.0.1:9090";
  std::string origin = "http://127.0.0.1:9090";
  std::string site = "same-origin";
  std::string type = "application/json";
  std::string cookie;      ///< NAME=SECRET; empty: none
  std::string set_cookie;  ///< the last one of an answer

  limits::instant now{limits::boot_time{2h}, limits::wall_time{1'795'262'400s}};
  admin_access access{admin_tokens::parse(tokens), [this] { return now; }};
  std::vector<std::string> log;
  server::log_function const logger = [this](server::severity, std::string_view event, std::string_view detail,
                                             server::log_origin const&) {
    log.push_back(std::string{event} + ": " + std::string{detail});
  };
  console_session session{access, logger};
  server::response response;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_token_signs_in_and_the_cookie_is_for_this_console_alone, browser_fixture) {
  BOOST_TEST(who() == "");
  BOOST_TEST(json().at("canSignIn").as_bool());
  BOOST_TEST(sign_in(operators_token).status == 200u);
  BOOST_TEST(json().at("name").as_string() == "rosa");
  BOOST_TEST(json().at("role").as_string() == "operator");
  BOOST_TEST(cookie.starts_with("petstore_session_9090="));
  BOOST_TEST(cookie.size() == std::string_view{"petstore_session_9090="}.size() + 64);
  BOOST_TEST(set_cookie == cookie + "; HttpOnly; SameSite=Strict; Path=/");
  BOOST_TEST(set_cookie.find(operators_token) == std::string::npos);
  BOOST_TEST(who() == "rosa");
}

BOOST_FIXTURE_TEST_CASE(behind_a_proxy_with_tls_the_cookie_is_secure, browser_fixture) {
  host = "console.example";
  origin = "https://console.example";
  BOOST_TEST(sign_in(operators_token).status == 200u);
  BOOST_TEST(set_cookie == cookie + "; HttpOnly; SameSite=Strict; Path=/; Secure");
  ask(session, method::delete_);
  BOOST_TEST(response.fields.find("; Path=/; Max-Age=0; Secure\r\n") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(the_cookie_of_another_port_is_another_cookie, browser_fixture) {
  sign_in(operators_token);
  host = "127.0.0.1:9091";
  origin = "http://127.0.0.1:9091";
  BOOST_TEST(who() == "");
  host = "[::1]";
  origin = "http://[::1]";
  cookie.clear();
  sign_in(viewers_token);
  BOOST_TEST(cookie.starts_with("petstore_session_="));
  BOOST_TEST(who() == "vera");
}

BOOST_FIXTURE_TEST_CASE(a_session_is_worth_the_role_of_its_token, browser_fixture) {
  BOOST_TEST(use(admin_role::viewing) == 401u);
  sign_in(viewers_token);
  BOOST_TEST(json().at("role").as_string() == "viewer");
  BOOST_TEST(use(admin_role::viewing) == 200u);
  BOOST_TEST(use(admin_role::operating) == 403u);
  access.replace(admin_tokens::parse("vera operator " + viewers_token));
  BOOST_TEST(use(admin_role::operating) == 200u);
}

BOOST_FIXTURE_TEST_CASE(a_session_ends_when_its_token_leaves_the_file, browser_fixture) {
  sign_in(operators_token);
  access.replace(admin_tokens::parse("vera viewer " + viewers_token));
  BOOST_TEST(who() == "");
  BOOST_TEST(use(admin_role::viewing) == 401u);
  BOOST_TEST(json().at("message").as_string() == "The session has ended: sign in again.");
  access.replace(admin_tokens::parse(tokens));
  BOOST_TEST(who() == "");
}

BOOST_FIXTURE_TEST_CASE(an_idle_session_ends_and_a_used_one_goes_on, browser_fixture) {
  sign_in(operators_token);
  for (int i = 0; i < 3; ++i) {
    pass(11h);
    BOOST_TEST(use(admin_role::operating) == 200u);
  }
  pass(12h);
  BOOST_TEST(use(admin_role::operating) == 401u);
}

BOOST_FIXTURE_TEST_CASE(who_signs_out_is_signed_out_at_the_server, browser_fixture) {
  sign_in(operators_token);
  ask(session, method::delete_);
  BOOST_TEST(response.status == 200u);
  BOOST_TEST(json().at("name").is_null());
  BOOST_TEST(
      response.fields.find("Set-Cookie: petstore_session_9090=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0\r\n") !=
      std::string::npos);
  BOOST_TEST(who() == "");
  BOOST_TEST(log.back() == "console_action: /session from 127.0.0.1: rosa signed out");
}

BOOST_FIXTURE_TEST_CASE(a_new_sign_in_ends_the_session_before, browser_fixture) {
  sign_in(operators_token);
  auto const before = cookie;
  sign_in(viewers_token);
  BOOST_TEST(who() == "vera");
  cookie = before;
  BOOST_TEST(who() == "");
}

BOOST_FIXTURE_TEST_CASE(ten_wrong_tokens_close_the_sign_in_for_a_minute, browser_fixture) {
  for (int i = 0; i < 10; ++i) BOOST_TEST(sign_in("a wrong one").status == 401u);
  BOOST_TEST(cookie.empty());
  BOOST_TEST(sign_in(operators_token).status == 429u);
  BOOST_TEST(response.fields.find("Retry-After: ") != std::string::npos);
  pass(60s);
  BOOST_TEST(sign_in(operators_token).status == 200u);
  BOOST_TEST(log.front() == "console_action_refused: /session from 127.0.0.1: unauthorized");
  for (auto const& line : log) BOOST_TEST(line.find("a wrong one") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(wrong_cookies_count_as_no_wrong_token, browser_fixture) {
  cookie = "petstore_session_9090=" + std::string(64, '0');
  for (int i = 0; i < 20; ++i) BOOST_TEST(use(admin_role::viewing) == 401u);
  BOOST_TEST(sign_in(operators_token).status == 200u);
}

BOOST_FIXTURE_TEST_CASE(a_page_of_another_site_can_neither_sign_in_nor_use_the_session, browser_fixture) {
  sign_in(operators_token);
  std::pair<std::string browser_fixture::*, std::string> const wrong[]{
      {&browser_fixture::origin, "http://evil.example"},
      {&browser_fixture::origin, "null"},
      {&browser_fixture::site, "cross-site"},
      {&browser_fixture::site, "same-site"}};
  for (auto const& [member, value] : wrong) {
    auto const kept = std::exchange(this->*member, value);
    for (auto const m : {method::get, method::post, method::delete_})
      BOOST_TEST(ask(session, m, R"({"token":")" + operators_token + R"("})").status == 403u, value);
    BOOST_TEST(use(admin_role::viewing) == 403u, value);
    this->*member = kept;
  }
  BOOST_TEST(who() == "rosa");
  type = "text/plain";
  BOOST_TEST(ask(session, method::post, R"({"token":")" + operators_token + R"("})").status == 415u);
}

BOOST_FIXTURE_TEST_CASE(a_body_without_a_token_is_refused_and_not_repeated, browser_fixture) {
  for (auto const* body : {"", "{}", R"({"token":1})", R"(["a secret"])", R"({"token":"a secret)"}) {
    BOOST_TEST(ask(session, method::post, body).status == 400u, body);
    BOOST_TEST(response.body.find("a secret") == std::string::npos);
  }
  BOOST_TEST(ask(session, method::put).status == 405u);
  BOOST_TEST(ask(session, method::options).status == 204u);
}

BOOST_FIXTURE_TEST_CASE(where_there_are_no_tokens_nobody_signs_in, browser_fixture) {
  admin_access closed{std::nullopt, [this] { return now; }};
  console_session without_tokens{closed, logger};
  ask(without_tokens, method::get);
  BOOST_TEST(!json().at("canSignIn").as_bool());
  ask(without_tokens, method::post, R"({"token":")" + operators_token + R"("})");
  BOOST_TEST(response.status == 401u);
  BOOST_TEST(response.body.find("--admin-token-file") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
