// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_sessions.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(admin_sessions_suite)

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;

namespace {

struct sessions_fixture {
  void pass(std::chrono::seconds time) { now.boot += time; }

  sha256_digest const rosa = sha256("rosa");
  sha256_digest const vera = sha256("vera");
  limits::instant now{limits::boot_time{2h}, limits::wall_time{1'795'262'400s}};
  admin_sessions sessions;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_session_has_a_secret_that_no_other_has, sessions_fixture) {
  std::set<std::string> secrets;
  for (int i = 0; i < 8; ++i) secrets.insert(sessions.begin(rosa, now));
  BOOST_TEST(secrets.size() == 8u);
  for (auto const& secret : secrets) {
    BOOST_TEST(secret.size() == 64u);
    BOOST_TEST((sessions.use(secret, now) == rosa));
    BOOST_TEST(!sessions.use(secret.substr(1), now));
  }
  BOOST_TEST(!sessions.use("", now));
}

BOOST_FIXTURE_TEST_CASE(a_session_ends_when_it_was_not_used_for_twelve_hours, sessions_fixture) {
  auto const used = sessions.begin(rosa, now);
  auto const idle = sessions.begin(rosa, now);
  pass(12h - 1s);
  BOOST_TEST(sessions.use(used, now).has_value());
  pass(1s);
  BOOST_TEST(!sessions.use(idle, now));
  BOOST_TEST(sessions.use(used, now).has_value());
  pass(12h);
  sessions.begin(vera, now);
  BOOST_TEST(sessions.size() == 1u);  // what has ended takes no memory
}

BOOST_FIXTURE_TEST_CASE(a_session_that_was_signed_out_has_ended, sessions_fixture) {
  auto const one = sessions.begin(rosa, now);
  auto const other = sessions.begin(rosa, now);
  sessions.end(one);
  BOOST_TEST(!sessions.use(one, now));
  BOOST_TEST(sessions.use(other, now).has_value());
}

BOOST_FIXTURE_TEST_CASE(a_full_table_gives_up_the_session_of_the_token_that_was_used_longest_ago, sessions_fixture) {
  auto const of_another = sessions.begin(vera, now);
  std::vector<std::string> secrets;
  for (std::size_t i = 0; i < admin_sessions::per_token_max; ++i) {
    pass(1s);
    secrets.push_back(sessions.begin(rosa, now));
  }
  pass(1s);
  BOOST_TEST(sessions.use(secrets[0], now).has_value());
  sessions.begin(rosa, now);
  BOOST_TEST(sessions.size() == admin_sessions::per_token_max + 1);
  BOOST_TEST(sessions.use(secrets[0], now).has_value());
  BOOST_TEST(!sessions.use(secrets[1], now));
  BOOST_TEST(sessions.use(secrets[2], now).has_value());
  BOOST_TEST(sessions.use(of_another, now).has_value());
}

BOOST_FIXTURE_TEST_CASE(the_sessions_of_unknown_tokens_end, sessions_fixture) {
  auto const one = sessions.begin(rosa, now);
  auto const other = sessions.begin(vera, now);
  sessions.keep_only([this](sha256_digest const& token) { return token == vera; });
  BOOST_TEST(!sessions.use(one, now));
  BOOST_TEST(sessions.use(other, now).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
