// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_access.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(admin_access_suite)

namespace {

std::string const operators_token(32, 'o');
std::string const viewers_token(32, 'v');
constexpr std::array<unsigned char, 16> home{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1};
constexpr std::array<unsigned char, 16> elsewhere{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 1};

struct access_fixture {
  /// Returns the status of the answer; 200 if the request may be answered.
  unsigned ask(std::string const& authorization, admin_role needed = admin_role::operating,
               std::array<unsigned char, 16> from = home) {
    server::request request;
    std::vector<server::header_field> fields;
    if (!authorization.empty()) fields.push_back({"Authorization", authorization});
    request.fields = fields;
    request.peer = from;
    out.clear();
    user = access.identify_or_answer(request, needed, out);
    return user ? 200 : out.status;
  }
  bool has_field(std::string_view line) const { return out.fields.find(line) != std::string::npos; }
  void pass(std::chrono::seconds time) {
    now.boot += time;
    now.wall += time;
  }

  limits::instant now{limits::boot_time{2h}, limits::wall_time{1'795'262'400s}};
  admin_access access{admin_tokens::parse("rosa operator " + operators_token + "\nvera viewer " + viewers_token),
                      [this] { return now; }};
  server::response out;
  std::optional<admin_user> user;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_token_has_its_role, access_fixture) {
  BOOST_TEST(ask("Bearer " + operators_token) == 200u);
  BOOST_TEST(user->name == "rosa");
  BOOST_TEST(ask("bearer   " + operators_token, admin_role::viewing) == 200u);
  BOOST_TEST(ask("Bearer " + viewers_token, admin_role::viewing) == 200u);
  BOOST_TEST(user->name == "vera");
  BOOST_TEST(ask("Bearer " + viewers_token) == 403u);
}

BOOST_FIXTURE_TEST_CASE(a_missing_token_and_a_wrong_one_are_challenged, access_fixture) {
  BOOST_TEST(ask("") == 401u);
  BOOST_TEST(has_field("WWW-Authenticate: Bearer realm=\"petstore\"\r\n"));
  for (auto const* wrong : {"Basic eDp5", "Bearer", "Token x"}) BOOST_TEST(ask(wrong) == 401u);
  BOOST_TEST(ask("Bearer " + operators_token + "x") == 401u);
  BOOST_TEST(has_field("error=\"invalid_token\""));
}

BOOST_FIXTURE_TEST_CASE(ten_wrong_tokens_close_an_address_for_a_minute, access_fixture) {
  pass(30s);
  for (int i = 0; i < 10; ++i) BOOST_TEST(ask("Bearer wrong") == 401u);
  BOOST_TEST(ask("Bearer " + operators_token) == 429u);  // otherwise the right guess would still be found
  BOOST_TEST(has_field("Retry-After: 60\r\n"));
  BOOST_TEST(ask("") == 429u);
  BOOST_TEST(ask("Bearer " + operators_token, admin_role::operating, elsewhere) == 200u);
  pass(59s);
  BOOST_TEST(ask("Bearer " + operators_token) == 429u);
  BOOST_TEST(has_field("Retry-After: 1\r\n"));
  pass(1s);
  BOOST_TEST(ask("Bearer " + operators_token) == 200u);
}

BOOST_FIXTURE_TEST_CASE(fewer_wrong_tokens_and_missing_ones_close_nothing, access_fixture) {
  for (int minute = 0; minute < 3; ++minute) {
    for (int i = 0; i < 9; ++i) BOOST_TEST(ask("Bearer wrong") == 401u);
    for (int i = 0; i < 20; ++i) BOOST_TEST(ask("") == 401u);
    BOOST_TEST(ask("Bearer " + operators_token) == 200u);
    pass(60s);
  }
}

BOOST_FIXTURE_TEST_CASE(replaced_tokens_open_nothing, access_fixture) {
  access.replace(admin_tokens::parse(std::string(32, 'n')));
  BOOST_TEST(ask("Bearer " + operators_token) == 401u);
  BOOST_TEST(ask("Bearer " + std::string(32, 'n')) == 200u);
  BOOST_TEST(user->name == "admin");
}

BOOST_FIXTURE_TEST_CASE(without_tokens_the_answer_says_how_to_have_some, access_fixture) {
  admin_access closed{std::nullopt, [this] { return now; }};
  BOOST_TEST(!closed.has_tokens());
  BOOST_TEST(!closed.identify_or_answer({}, admin_role::viewing, out));
  BOOST_TEST(out.status == 401u);
  BOOST_TEST(out.body.find("--admin-token-file") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
