// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "server/redis/live_client.hpp"
#include "support/free_port.hpp"
#include "support/redis_certificates.hpp"
#include "support/redis_process.hpp"

/// rediss://, with certificates that the test makes.
namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(redis_tls)

namespace {

using kind = redis::state_change::kind;

struct fixture {
  redis_certificates trusted;
  std::unique_ptr<redis_process> server;
  std::uint16_t const port = free_port();

  fixture() {
    trusted.sign("server", "IP:127.0.0.1,DNS:redis.shop");
    trusted.sign("client", "DNS:node");
    server = std::make_unique<redis_process>(trusted.server_arguments(port));
  }

  std::string address(std::string const& parameters) const {
    return "rediss://127.0.0.1:" + std::to_string(port) + '?' + parameters;
  }
  std::string identity() const { return "&cert=" + trusted.file("client.crt") + "&key=" + trusted.file("client.key"); }
  std::string trust() const { return "ca=" + trusted.file("ca.crt"); }
};

bool is_refused(live_client& client) {
  auto const fails = [](redis::state_change const& change) { return change.what == kind::failed; };
  return client.changes().wait_for(fails) && !client->is_connected();
}

BOOST_FIXTURE_TEST_CASE(both_sides_show_certificates_and_large_values_pass, fixture) {
  live_client client{address(trust() + identity())};
  BOOST_REQUIRE(client.connect());
  std::string const large(300'000, 'x');
  BOOST_TEST(client.command({"SET", "k", large}).value().text == "OK");
  BOOST_TEST((client.command({"GET", "k"}).value().text == large));

  live_client named{address(trust() + identity() + "&server_name=redis.shop")};
  BOOST_TEST(named.connect());
}

BOOST_FIXTURE_TEST_CASE(a_server_that_is_not_the_one_asked_for_is_refused, fixture) {
  live_client other_name{address(trust() + identity() + "&server_name=redis.other")};
  BOOST_TEST(is_refused(other_name));
  redis_certificates const stranger;
  live_client other_authority{address("ca=" + stranger.file("ca.crt") + identity())};
  BOOST_TEST(is_refused(other_authority));
  live_client of_the_system{address(identity().substr(1))};
  BOOST_TEST(is_refused(of_the_system));
  live_client no_tls_there{"rediss://127.0.0.1:" + std::to_string(server->port()) + '?' + trust()};
  BOOST_TEST(is_refused(no_tls_there));
}

BOOST_FIXTURE_TEST_CASE(a_client_without_a_certificate_is_refused_where_one_is_asked_for, fixture) {
  live_client anonymous{address(trust())};
  BOOST_TEST(is_refused(anonymous));
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_used_is_told_at_once, fixture) {
  auto const is_told = [](std::runtime_error const& told) {
    return std::string_view{told.what()}.find("/nowhere") != std::string_view::npos;
  };
  BOOST_CHECK_EXCEPTION(live_client{address("ca=/nowhere/ca")}, std::runtime_error, is_told);
  BOOST_CHECK_EXCEPTION(live_client{address(trust() + "&cert=/nowhere/cert&key=" + trusted.file("client.key"))},
                        std::runtime_error, is_told);
  BOOST_CHECK_EXCEPTION(live_client{address(trust() + "&cert=" + trusted.file("client.crt") + "&key=/nowhere/key")},
                        std::runtime_error, is_told);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
