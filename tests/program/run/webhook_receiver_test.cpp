// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/webhook_receiver.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include "program/hook_server.hpp"
#include "run/webhook_message.hpp"
#include "support/certificates.hpp"
#include "support/running_context.hpp"
#include "support/temporary_directory.hpp"

using namespace petstore;
using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(webhook_receiving)

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

std::string const secret = "0123456789abcdef0123456789abcdef";
std::chrono::sys_seconds const noon{1'795'262'400s};

/// The sender runs on a thread of its own, and the case is the server.
struct receiver_fixture {
  void open(std::string const& scheme, std::string const& host, webhook_receiver::options o = {}) {
    o.clock = [] { return noon; };
    auto const url = scheme + host + ":" + std::to_string(server.port()) + "/hooks/petstore?token=x";
    tested.emplace(
        running.executor(), parse_webhook_address(url), [] { return secret; }, std::move(o));
  }
  std::future<webhook_outcome> send(std::string body) {
    return asio::co_spawn(running.context, tested->send(std::move(body)), asio::use_future);
  }
  webhook_outcome answered_with(unsigned status) {
    auto outcome = send("{}");
    auto const connection = server.accept();
    connection->read();
    connection->answer(status);
    return outcome.get();
  }

  tests::hook_server server;
  std::optional<webhook_receiver> tested;
  tests::running_context running;  // its thread ends first
};

BOOST_AUTO_TEST_CASE(a_message_has_the_members_and_the_signature_that_are_documented) {
  auto const body = body_of({.key = 7,
                             .identity = 3,
                             .window = limits::per_day(1).period,
                             .percent = 80,
                             .limit = 1'000,
                             .used = 801,
                             .resets_at = std::chrono::sys_days{std::chrono::year{2026} / 11 / 22}});
  BOOST_TEST(
      body ==
      R"({"event":"quota.threshold","key":"k7","identity":"k3","window":"day","percent":80,"limit":1000,"used":801,)"
      R"("resetsAt":"2026-11-22T00:00:00.000Z"})");
  // Computed with the hmac module of Python.
  BOOST_TEST(signature_of(secret, noon, body) ==
             "t=1795262400,v1=2a717436976058e48a2dfae227b885922056add3f1de8bf36051795ae0085acb");
}

BOOST_AUTO_TEST_CASE(a_message_names_the_window_that_runs_out) {
  auto const body = body_of({.key = 7,
                             .identity = 3,
                             .window = limits::per_month(1).period,
                             .percent = 100,
                             .limit = 1'000,
                             .used = 1'000,
                             .resets_at = std::chrono::sys_days{std::chrono::year{2026} / 12 / 1}});
  BOOST_TEST(
      body ==
      R"({"event":"quota.threshold","key":"k7","identity":"k3","window":"month","percent":100,"limit":1000,"used":1000,)"
      R"("resetsAt":"2026-12-01T00:00:00.000Z"})");
}

BOOST_FIXTURE_TEST_CASE(a_message_is_one_signed_post, receiver_fixture) {
  open("http://", "127.0.0.1");
  auto outcome = send(R"({"event":"quota.threshold"})");
  auto const connection = server.accept();
  auto const request = connection->read();
  connection->answer(204);
  BOOST_TEST(outcome.get().is_delivered);
  BOOST_TEST(request.head.starts_with("POST /hooks/petstore?token=x HTTP/1.1\r\n"));
  BOOST_TEST(request.field("Host") == "127.0.0.1:" + std::to_string(server.port()));
  BOOST_TEST(request.field("Content-Type") == "application/json");
  BOOST_TEST(request.field("Petstore-Signature").starts_with("t=1795262400,v1="));
  BOOST_TEST(request.body == R"({"event":"quota.threshold"})");
  BOOST_TEST(tests::is_signed_with(secret, request));
  BOOST_TEST(!tests::is_signed_with("another secret of the same length", request));
}

BOOST_AUTO_TEST_CASE(a_status_says_whether_the_message_is_taken_or_may_be_sent_again) {
  for (unsigned const status : {200U, 202U, 204U, 299U}) BOOST_TEST(outcome_of_status(status).is_delivered, status);
  for (unsigned const status : {302U, 308U, 408U, 429U, 500U, 503U, 599U}) {
    BOOST_TEST(!outcome_of_status(status).is_delivered, status);
    BOOST_TEST(outcome_of_status(status).may_try_again, status);
  }
  for (unsigned const status : {400U, 401U, 404U, 410U, 422U}) {
    BOOST_TEST(!outcome_of_status(status).is_delivered, status);
    BOOST_TEST(!outcome_of_status(status).may_try_again, status);
  }
}

BOOST_FIXTURE_TEST_CASE(an_error_of_the_receiver_is_named_without_its_address, receiver_fixture) {
  open("http://", "127.0.0.1");
  auto const outcome = answered_with(500);
  BOOST_TEST(!outcome.is_delivered);
  BOOST_TEST(outcome.may_try_again);
  BOOST_TEST(outcome.cause == "the receiver answered 500");
}

BOOST_FIXTURE_TEST_CASE(a_redirection_is_not_followed, receiver_fixture) {
  open("http://", "127.0.0.1");
  auto sent = send("{}");
  auto const connection = server.accept();
  connection->read();
  connection->answer("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:" + std::to_string(server.port()) +
                     "/\r\nContent-Length: 0\r\n\r\n");
  BOOST_TEST(sent.get().cause == "the receiver answered 302");
  BOOST_TEST(!server.has_another());
}

BOOST_FIXTURE_TEST_CASE(an_interim_answer_is_not_the_answer, receiver_fixture) {
  open("http://", "127.0.0.1");
  auto sent = send("{}");
  auto const connection = server.accept();
  connection->read();
  connection->answer("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  BOOST_TEST(sent.get().is_delivered);
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_is_no_http_is_a_failure, receiver_fixture) {
  open("http://", "127.0.0.1");
  auto sent = send("{}");
  auto const connection = server.accept();
  connection->read();
  connection->answer("220 mail.example.com ESMTP\r\n\r\n");
  BOOST_TEST(sent.get().cause.starts_with("the receiver did not answer: "));
}

BOOST_FIXTURE_TEST_CASE(a_receiver_that_does_not_listen_may_be_tried_again, receiver_fixture) {
  auto const port = tests::hook_server{}.port();  // closed again
  tested.emplace(running.executor(), parse_webhook_address("http://127.0.0.1:" + std::to_string(port)),
                 [] { return secret; });
  auto const outcome = send("{}").get();
  BOOST_TEST(!outcome.is_delivered);
  BOOST_TEST(outcome.may_try_again);
  BOOST_TEST(outcome.cause.starts_with("the receiver cannot be reached: "));
}

BOOST_FIXTURE_TEST_CASE(a_try_ends_at_its_deadline, receiver_fixture) {
  open("http://", "127.0.0.1", {.deadline = 0ms});
  auto const outcome = send("{}").get();  // nobody answers
  BOOST_TEST(!outcome.is_delivered);
  BOOST_TEST(outcome.may_try_again);
}

BOOST_FIXTURE_TEST_CASE(a_receiver_that_hangs_is_cut, receiver_fixture) {
  open("http://", "127.0.0.1", {.deadline = 24h});
  auto sent = send("{}");
  auto const connection = server.accept();
  connection->read();
  asio::post(running.context, [this] { tested->cut(); });
  BOOST_TEST(!sent.get().is_delivered);
  BOOST_TEST(send("{}").get().cause == "the server stops");
}

/// A receiver with https, and the authority that the sender trusts.
struct https_fixture : receiver_fixture {
  void open_trusting(tests::authority const& trusted, std::string const& host = "localhost") {
    open("https://", host, {.authorities = directory.write("ca.pem", trusted.certificate()).string()});
  }
  /// The certificate that the server shows is not accepted.
  void check_refusal(tests::identity const& shown) {
    auto tls = tests::server_context_of(shown);
    auto sent = send("{}");
    auto connection = server.accept();
    BOOST_TEST(!connection->shake_hands(tls));
    connection.reset();
    auto const outcome = sent.get();
    BOOST_TEST(!outcome.is_delivered);
    BOOST_TEST(outcome.may_try_again);
    BOOST_TEST(outcome.cause.starts_with("the TLS handshake failed: "), outcome.cause);
  }

  tests::temporary_directory directory;
  tests::authority const authority{"the authority"};
};

BOOST_FIXTURE_TEST_CASE(a_certificate_of_a_known_authority_is_accepted, https_fixture) {
  open_trusting(authority);
  auto tls = tests::server_context_of(authority.issue("DNS:localhost"));
  auto sent = send("{}");
  auto const connection = server.accept();
  BOOST_REQUIRE(connection->shake_hands(tls));
  BOOST_TEST(tests::is_signed_with(secret, connection->read()));
  connection->answer(200);
  BOOST_TEST(sent.get().is_delivered);
}

BOOST_FIXTURE_TEST_CASE(a_certificate_of_an_unknown_authority_is_refused, https_fixture) {
  open_trusting(authority);
  check_refusal(tests::self_signed());
}

BOOST_FIXTURE_TEST_CASE(a_certificate_for_another_name_is_refused, https_fixture) {
  open_trusting(authority);
  check_refusal(authority.issue("DNS:elsewhere.example"));
}

BOOST_FIXTURE_TEST_CASE(an_address_is_a_name_that_a_certificate_may_have, https_fixture) {
  open_trusting(authority, "127.0.0.1");
  auto tls = tests::server_context_of(authority.issue("IP:127.0.0.1"));
  auto sent = send("{}");
  auto const connection = server.accept();
  BOOST_REQUIRE(connection->shake_hands(tls));
  connection->read();
  connection->answer(200);
  BOOST_TEST(sent.get().is_delivered);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
