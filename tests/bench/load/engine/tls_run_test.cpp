// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>

#include "bench/load/answering_server.hpp"
#include "bench/load/engine/played.hpp"
#include "client/reach.hpp"
#include "support/certificates.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_tls_run)

namespace {

using namespace std::chrono_literals;

boost::asio::ssl::context server_context(tests::identity const& own) {
  boost::asio::ssl::context context(boost::asio::ssl::context::tls_server);
  context.use_certificate_chain(boost::asio::buffer(own.certificate));
  context.use_private_key(boost::asio::buffer(own.key), boost::asio::ssl::context::pem);
  return context;
}

/// A server with a certificate for this name, and a file with which it is believed.
struct tls_server {
  explicit tls_server(std::string const& name)
      : known(tests::self_signed({}, name)),
        context(server_context(known)),
        server(ok_to_all, {.greeting = "", .tls = &context}),
        ca(directory.write("ca.pem", known.certificate)) {}

  tests::identity known;
  boost::asio::ssl::context context;
  answering_server server;
  tests::temporary_directory directory;
  std::string ca;
};

BOOST_AUTO_TEST_CASE(a_certificate_that_is_believed_lets_requests_through_and_handshakes_are_timed) {
  tls_server s("IP:127.0.0.1");
  auto plan = plan_of(s.server.url(), "max", 20);
  plan.tls.ca_file = s.ca;
  auto const found = played(plan);
  BOOST_TEST(answers_of(found) == 20u);
  BOOST_TEST(s.server.connections() == 2u);
  BOOST_TEST(found.handshake.count() == 2u);
  BOOST_TEST((found.handshake.min() > 0ns));
}

BOOST_AUTO_TEST_CASE(large_bodies_pass_through_tls) {
  std::string const body(1 << 20, 'x');
  auto context = server_context(tests::self_signed());
  answering_server server([&](std::string_view, unsigned) -> answering_server::reply { return {answer_with(body)}; },
                          {.greeting = "", .tls = &context});
  auto plan = plan_of(server.url(), "max", 4);
  plan.played = plain_scenario("POST", "", {}, body, {});
  plan.tls.insecure = true;
  BOOST_TEST(answers_of(played(plan)) == 4u);
}

BOOST_AUTO_TEST_CASE(a_certificate_that_nobody_vouches_for_is_an_error_of_tls_unless_insecure) {
  tls_server s("IP:127.0.0.1");
  auto plan = plan_of(s.server.url(), "max", 2);
  auto const found = played(plan);
  BOOST_TEST(errors_of(found, error_kind::tls) == 2u);
  BOOST_TEST(found.errors.at(error_kind::tls).example.find("self-signed certificate") != std::string::npos);
  BOOST_TEST(s.server.requests() == 0u);
  plan.tls.insecure = true;
  BOOST_TEST(answers_of(played(plan)) == 2u);
}

BOOST_AUTO_TEST_CASE(a_certificate_must_be_of_the_host_that_was_named) {
  tls_server s("DNS:elsewhere.example");
  auto plan = plan_of(s.server.url(), "max", 2);
  plan.tls.ca_file = s.ca;
  BOOST_TEST(errors_of(played(plan), error_kind::tls) == 2u);

  tls_server named("DNS:localhost");
  plan = plan_of("https://localhost:" + std::to_string(named.server.port()), "max", 2);
  plan.tls.ca_file = named.ca;
  // The server listens on the first of the addresses of localhost only.
  std::erase_if(plan.destinations.front().addresses, [](address const& a) { return !a.text().starts_with("127."); });
  BOOST_TEST(answers_of(played(plan)) == 2u);
}

BOOST_AUTO_TEST_CASE(a_connection_that_ends_without_a_farewell_instead_of_an_answer_is_closed_and_no_fault_of_tls) {
  auto context = server_context(tests::self_signed());
  for (auto const* said : {"", "HTTP/1.1 200 OK\r\n\r\nup to the end"}) {
    answering_server server(
        [&](std::string_view, unsigned) -> answering_server::reply {
          return {said, true};
        },
        {.greeting = "", .tls = &context});
    auto plan = plan_of(server.url(), "max", 2);
    plan.tls.insecure = true;
    BOOST_TEST(errors_of(played(plan), error_kind::closed) == 2u);
  }
}

BOOST_AUTO_TEST_CASE(a_server_that_speaks_no_tls_is_an_error_of_tls) {
  answering_server plain(ok_to_all, {.greeting = "220 hello\r\n"});
  auto const url = "https://127.0.0.1:" + std::to_string(plain.port());
  BOOST_TEST(errors_of(played(plan_of(url, "max", 2)), error_kind::tls) == 2u);
}

BOOST_AUTO_TEST_CASE(a_file_without_certificates_is_told) {
  tests::temporary_directory const directory;
  auto plan = plan_of("https://127.0.0.1:1", "max", 1);
  plan.tls.ca_file = directory.write("empty", "");
  BOOST_CHECK_THROW(run{plan}, std::runtime_error);
}

BOOST_AUTO_TEST_CASE(whether_somebody_is_there_is_known_before_a_run) {
  tls_server s("IP:127.0.0.1");
  auto const there = plan_of(s.server.url(), "max", 1).destinations.front();
  auto const ask = [&](destination const& d, tls_settings::wanted const& wanted) {
    tls_settings const tls(wanted);
    return why_unreachable(d.to, d.addresses.front(), &tls, tests::time_limit);
  };
  BOOST_TEST(ask(there, {.insecure = false, .ca_file = s.ca}) == "");
  BOOST_TEST(ask(there, {}).find("self-signed certificate") != std::string::npos);

  auto const url = answering_server(ok_to_all).url();
  BOOST_TEST(ask(plan_of(url, "max", 1).destinations.front(), {}).find("Connection refused") != std::string::npos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
