// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <numeric>
#include <string>
#include <thread>

#include "server/net/live_listener.hpp"
#include "support/certificates.hpp"
#include "support/client_side.hpp"
#include "support/eventually.hpp"
#include "support/test_client.hpp"

BOOST_AUTO_TEST_SUITE(tls_connection)

/// What is different on a connection that is encrypted; what is not, the cases about requests show.

using namespace std::chrono_literals;
using petstore::server::client_certificates;
using petstore::server::connection_budget;
using petstore::server::connection_limits;
using petstore::server::handshake;
using petstore::server::handshake_budget;
using petstore::server::handshake_failure;
using petstore::server::listener_options;
using petstore::server::refusal_reason;
using petstore::server::shed_reason;
using petstore::server::tls_context;
using petstore::server::tls_credentials;
using petstore::tests::behind_proxy;
using petstore::tests::client_failure;
using petstore::tests::client_side;
using petstore::tests::eventually;
using petstore::tests::identity;
using petstore::tests::identity_of_tests;
using petstore::tests::live_listener;
using petstore::tests::self_signed;
using petstore::tests::test_client;

namespace {

std::string const good = "GET /good HTTP/1.1\r\nHost: a\r\n\r\n";
std::string const from_client = "PROXY TCP4 192.0.2.1 198.51.100.9 4660 80\r\n";
constexpr auto never = std::chrono::milliseconds{1h};

tls_credentials of(identity const& i) {
  return {i.certificate, i.key, {}, client_certificates::off};
}

/// A connection of which the test moves the bytes itself.
struct by_hand {
  explicit by_hand(std::uint16_t port) { socket.connect(port); }

  void shake_hands(std::size_t piece = std::string::npos) {
    while (!side.shake_hands()) {
      send(piece);
      side.feed(socket.receive_some());
    }
    send(piece);
  }
  void send(std::size_t piece = std::string::npos) {
    auto const bytes = side.take_output();
    for (std::size_t at = 0; at < bytes.size(); at += std::min(piece, bytes.size()))
      socket.send(std::string_view{bytes}.substr(at, piece));
  }
  std::string hear() {
    for (std::string heard; heard.empty(); heard = side.decrypt()) {
      auto const came = socket.receive_some();
      if (came.empty()) return {};
      side.feed(came);
      if (heard = side.decrypt(); !heard.empty()) return heard;
    }
    return {};
  }

  test_client socket = test_client::in_the_clear();
  client_side side;
};

listener_options with(std::shared_ptr<tls_context> context) {
  listener_options options;
  options.tls = std::move(context);
  return options;
}

connection_limits patient() {
  return {.header_timeout = never, .request_timeout = never, .idle_timeout = never};
}

std::uint64_t failures(live_listener& server, handshake_failure f) {
  return server.counted().count_of(f);
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_handshake_is_counted_once_by_what_became_of_it) {
  live_listener server{patient()};
  {
    by_hand client{server.port()};
    client.shake_hands();
    client.side.encrypt(good);
    client.send();
    client.hear();
  }
  auto http = test_client::in_the_clear(), noise = test_client::in_the_clear(), leaves = test_client::in_the_clear();
  for (auto* c : {&http, &noise, &leaves}) c->connect(server.port());
  http.send(good);
  http.receive_rest();
  noise.send(std::string(11, '\xff'));
  noise.receive_rest();
  leaves.try_send("\x16\x03\x01\x02");
  leaves.close();
  BOOST_REQUIRE(eventually([&] { return failures(server, handshake_failure::closed) != 0; }));
  server.stop(never).wait();

  auto const counted = server.counted();
  auto const made = counted.counts_of(petstore::server::counted::handshakes);
  BOOST_TEST(counted.count_of(handshake::full_1_3) == 1u);
  BOOST_TEST(std::accumulate(made.begin(), made.end(), 0u) == 1u);
  BOOST_TEST(failures(server, handshake_failure::plain_text) == 1u);
  BOOST_TEST(failures(server, handshake_failure::malformed) == 1u);
  auto const failed = counted.counts_of(petstore::server::counted::handshakes_failed);
  BOOST_TEST(std::accumulate(failed.begin(), failed.end(), 0u) == 3u);
}

BOOST_AUTO_TEST_CASE(an_address_that_had_its_handshakes_is_closed_before_another) {
  handshake_budget budget{{.per_minute_of_address = 2}};
  listener_options options;
  options.handshakes = &budget;
  live_listener server{patient(), 10, connection_budget::unlimited, options};
  for (int i = 0; i < 2; ++i) {
    test_client client{server.port()};
    BOOST_TEST(client.exchange(good).status == 200);
  }
  for (int i = 0; i < 3; ++i) {
    by_hand client{server.port()};
    client.side.shake_hands();
    client.send();
    BOOST_TEST(client.socket.receive_rest() == "");
  }
  server.stop().wait();
  BOOST_TEST(server.count(refusal_reason::handshakes_spent) == 3u);
  BOOST_TEST(server.counted().count_of(handshake::full_1_3) == 2u);
  BOOST_TEST(budget.under_way() == 0u);
}

BOOST_AUTO_TEST_CASE(handshakes_are_under_way_from_a_whole_hello_to_their_end) {
  handshake_budget budget{{.under_way_of_address = 1}};
  listener_options options;
  options.handshakes = &budget;
  live_listener server{patient(), 10, connection_budget::unlimited, options};
  auto silent = test_client::in_the_clear();
  silent.connect(server.port());
  {
    by_hand begins{server.port()};
    begins.side.shake_hands();
    begins.send();
    BOOST_REQUIRE(eventually([&] { return budget.under_way() != 0; }));
    by_hand other{server.port()};
    other.side.shake_hands();
    other.send();
    BOOST_TEST(other.socket.receive_rest() == "");
    BOOST_TEST(server.count(refusal_reason::handshakes_under_way) == 1u);
  }
  BOOST_REQUIRE(eventually([&] { return budget.under_way() == 0; }));
  test_client first{server.port()}, second{server.port()};
  BOOST_TEST(first.exchange(good).status == 200);
  BOOST_TEST(second.exchange(good).status == 200);
}

BOOST_AUTO_TEST_CASE(a_handshake_may_come_in_pieces) {
  live_listener server;
  for (std::size_t const piece : {1u, 2u, 7u, 100u}) {
    by_hand client{server.port()};
    client.shake_hands(piece);
    client.side.encrypt(good);
    client.send(piece);
    BOOST_TEST(client.hear().starts_with("HTTP/1.1 200 OK\r\n"));
  }
}

BOOST_AUTO_TEST_CASE(a_request_may_come_with_the_end_of_the_handshake) {
  live_listener server;
  by_hand client{server.port()};
  while (!client.side.shake_hands()) {
    client.socket.send(client.side.take_output());
    client.side.feed(client.socket.receive_some());
  }
  client.side.encrypt(good + good);
  client.send();
  BOOST_TEST(client.hear().starts_with("HTTP/1.1 200 OK\r\n"));
}

BOOST_AUTO_TEST_CASE(http_in_the_clear_is_answered_in_the_clear_and_the_connection_ends) {
  live_listener server;
  for (auto const& bytes : {good, std::string{"P"}, good + good + good}) {
    auto client = test_client::in_the_clear();
    client.connect(server.port());
    client.send(bytes);
    auto const answer = client.receive();
    BOOST_TEST(answer.status == 400);
    BOOST_TEST(answer.closes());
    BOOST_TEST(client.ends_in_order());
  }
}

BOOST_AUTO_TEST_CASE(what_is_neither_tls_nor_http_ends_the_connection) {
  live_listener server;
  for (auto const& bytes : {std::string{"\x16\x03\x01\x00\x05hello", 10}, std::string(11, '\xff')}) {
    auto client = test_client::in_the_clear();
    client.connect(server.port());
    client.send(bytes);
    BOOST_TEST(client.receive_rest().size() < 100u);  // an alert at most
  }
  BOOST_TEST(server.has_logged("tls_handshake_failed"));
}

BOOST_AUTO_TEST_CASE(a_client_may_leave_at_any_byte_of_the_handshake) {
  live_listener server{{}, 2'000};
  std::string hello;
  {
    client_side side;
    side.shake_hands();
    hello = side.take_output();
  }
  for (std::size_t cut = 0; cut <= hello.size(); cut += 3) {
    auto client = test_client::in_the_clear();
    client.connect(server.port());
    client.send(std::string_view{hello}.substr(0, cut));
    cut % 2 == 0 ? client.reset() : client.close();
  }
  test_client client{server.port()};
  BOOST_TEST(client.exchange(good).status == 200);
  server.stop().wait();
  BOOST_TEST(server.budget().in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(a_handshake_that_does_not_come_is_waited_for_as_long_as_a_head) {
  connection_limits limits{.header_timeout = 50ms, .request_timeout = never, .idle_timeout = never};
  live_listener server{limits};
  auto silent = test_client::in_the_clear(), half = test_client::in_the_clear();
  silent.connect(server.port());
  half.connect(server.port());
  half.try_send("\x16\x03\x01\x02");
  BOOST_TEST(silent.receive_rest() == "");
  BOOST_TEST(half.receive_rest() == "");
  server.stop().wait();
  BOOST_TEST(failures(server, handshake_failure::timeout) == 2u);
}

BOOST_AUTO_TEST_CASE(a_record_that_was_tampered_with_is_answered_with_an_alert) {
  live_listener server;
  by_hand client{server.port()};
  client.shake_hands();
  client.side.encrypt(good);
  auto bytes = client.side.take_output();
  bytes.back() ^= 1;
  client.socket.send(bytes);
  BOOST_CHECK_THROW(client.hear(), client_failure);
  BOOST_TEST(client.socket.receive_rest() == "");
  BOOST_TEST(server.has_logged("tls_failed"));
}

BOOST_AUTO_TEST_CASE(an_alert_of_the_client_ends_the_connection) {
  live_listener server;
  by_hand client{server.port()};
  client.shake_hands();
  // An alert in the clear, where everything is encrypted by now.
  client.socket.send(std::string{"\x15\x03\x03\x00\x02\x02\x28", 7});
  client.socket.receive_rest();
  server.stop().wait();
  BOOST_TEST(server.budget().in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(a_client_that_ends_without_saying_so_still_gets_its_answers) {
  live_listener server;
  by_hand client{server.port()};
  client.shake_hands();
  client.side.encrypt(good);
  client.send();
  client.socket.shutdown_send();
  BOOST_TEST(client.hear().starts_with("HTTP/1.1 200 OK\r\n"));
  client.socket.receive_rest();
}

BOOST_AUTO_TEST_CASE(a_large_answer_reaches_a_slow_reader_whole) {
  live_listener server;
  test_client client;
  client.set_receive_buffer(4'096);
  client.connect(server.port());
  client.send("GET /size/3000000 HTTP/1.1\r\nHost: a\r\n\r\n" + good);
  BOOST_TEST(client.receive().body.size() == 3'000'000u);
  BOOST_TEST(client.receive().status == 200);
}

BOOST_AUTO_TEST_CASE(a_client_that_never_reads_is_broken_off) {
  connection_limits limits{
      .header_timeout = never, .request_timeout = never, .idle_timeout = never, .write_timeout = 40ms};
  live_listener server{limits};
  test_client client;
  client.set_receive_buffer(4'096);
  client.connect(server.port());
  client.send("GET /size/50000000 HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_REQUIRE(eventually([&] { return server.session_count() == 0; }));
  server.stop(never).wait();
  BOOST_REQUIRE(server.answers().size() == 1u);
  BOOST_TEST(server.answers()[0].bytes_sent < 50'000'000u);
}

BOOST_AUTO_TEST_CASE(one_connection_too_many_is_told_so_encrypted) {
  live_listener server{connection_limits{.crowded_timeout = never}, 1};
  test_client first{server.port()};
  BOOST_TEST(first.exchange(good).status == 200);
  test_client second{server.port()};
  auto const answer = second.receive();
  BOOST_TEST(answer.status == 503);
  BOOST_TEST(second.ends_in_order());
  BOOST_TEST(server.count(refusal_reason::full) == 1u);
}

BOOST_AUTO_TEST_CASE(one_connection_too_many_is_recorded_also_when_its_client_leaves_before_it_hears_so) {
  live_listener server{connection_limits{.crowded_timeout = never}, 1};
  test_client first{server.port()};
  BOOST_TEST(first.exchange(good).status == 200);
  auto second = test_client::in_the_clear();
  second.connect(server.port());
  second.shutdown_send();
  BOOST_TEST(second.ends_in_order());
  BOOST_REQUIRE(eventually([&] { return server.answers().size() == 2u; }));
  BOOST_TEST(server.answers()[1].status == 503u);
  BOOST_TEST(server.answers()[1].bytes_sent == 0u);
}

BOOST_AUTO_TEST_CASE(connections_beyond_count_are_closed_without_a_handshake) {
  live_listener server{{}, 0};
  std::vector<test_client> clients;
  for (int i = 0; i < 150; ++i) {
    clients.push_back(test_client::in_the_clear());
    clients.back().connect(server.port());
  }
  BOOST_REQUIRE(eventually([&] { return server.count(refusal_reason::full) == 150; }));
  BOOST_TEST(server.session_count() <= 66u);
}

BOOST_AUTO_TEST_CASE(a_connection_within_its_handshake_makes_way) {
  connection_limits limits;
  limits.crowded_timeout = 0ms;
  live_listener server{limits, 1};
  auto silent = test_client::in_the_clear();
  silent.connect(server.port());
  BOOST_REQUIRE(eventually([&] { return server.session_count() != 0; }));
  test_client next{server.port()};
  BOOST_TEST(next.exchange(good).status == 200);
  BOOST_TEST(silent.receive_rest() == "");
}

BOOST_AUTO_TEST_CASE(a_listener_that_stops_says_so_to_idle_connections_and_finishes_what_was_asked) {
  live_listener server;
  test_client idle{server.port()}, waiting{server.port()};
  BOOST_TEST(idle.exchange(good).status == 200);
  waiting.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  server.handler().entered.acquire();
  auto stopped = server.stop();
  BOOST_TEST(idle.ends_in_order());
  server.release();
  BOOST_TEST(waiting.receive().closes());
  BOOST_TEST(waiting.ends_in_order());
  stopped.wait();
}

BOOST_AUTO_TEST_CASE(a_new_certificate_is_for_new_connections_and_ends_none) {
  auto const context = std::make_shared<tls_context>(of(identity_of_tests()));
  live_listener server{{}, 10, connection_budget::unlimited, with(context)};
  by_hand before{server.port()};
  before.shake_hands();
  auto const fresh = self_signed();
  context->replace(of(fresh));
  by_hand after{server.port()};
  after.shake_hands();
  BOOST_TEST((before.side.certificate_of_server() != after.side.certificate_of_server()));
  for (auto* client : {&before, &after}) {
    client->side.encrypt(good);
    client->send();
    BOOST_TEST(client->hear().starts_with("HTTP/1.1 200 OK\r\n"));
  }
}

BOOST_AUTO_TEST_CASE(a_client_without_the_certificate_it_needs_learns_so) {
  petstore::tests::authority const known{"known"};
  auto credentials = of(identity_of_tests());
  credentials.client_authorities = known.certificate();
  credentials.clients = client_certificates::required;
  live_listener server{{}, 10, connection_budget::unlimited, with(std::make_shared<tls_context>(credentials))};
  by_hand stranger{server.port()};
  stranger.shake_hands();  // in TLS 1.3 a client is done before it hears what the server thinks of it
  BOOST_CHECK_EXCEPTION(stranger.hear(), client_failure, [](client_failure const& e) {
    return std::string{e.what()}.find("certificate required") != std::string::npos;
  });
  BOOST_TEST(server.has_logged("tls_handshake_failed"));
}

BOOST_AUTO_TEST_CASE(a_proxy_header_comes_before_the_handshake) {
  live_listener server{{}, 10, connection_budget::unlimited, behind_proxy()};
  for (bool const comes_together : {false, true}) {
    by_hand client{server.port()};
    client.side.shake_hands();
    auto const hello = client.side.take_output();
    if (comes_together) {
      client.socket.send(from_client + hello);
    } else {
      for (char const c : from_client + hello) client.socket.send({&c, 1});
    }
    client.side.feed(client.socket.receive_some());
    client.shake_hands();
    client.side.encrypt("GET /peer HTTP/1.1\r\nHost: a\r\n\r\n");
    client.send();
    BOOST_TEST(client.hear().ends_with("\r\n\r\n::ffff:192.0.2.1"));
  }
  by_hand in_the_clear{server.port()};
  in_the_clear.socket.send(from_client + good);
  BOOST_TEST(in_the_clear.socket.receive().status == 400);
}

BOOST_AUTO_TEST_CASE(who_is_refused_makes_no_way_for_others_since_it_has_no_slot) {
  live_listener server{{.crowded_timeout = 0ms}, 2, 1};
  test_client first{server.port()};
  BOOST_TEST(first.exchange(good).status == 200);
  auto refused = test_client::in_the_clear();
  refused.connect(server.port());
  BOOST_TEST(eventually([&] { return server.count(refusal_reason::address_full) == 1u; }));
  test_client other{server.port(), "127.0.0.2"};
  BOOST_TEST(other.exchange(good).status == 200);
  BOOST_TEST(first.exchange(good).status == 200);
  test_client another{server.port(), "127.0.0.3"};  // the refused one has waited longest
  BOOST_TEST(another.exchange(good).status == 200);
  BOOST_TEST(other.ends_in_order());
  BOOST_TEST(server.count(shed_reason::made_way) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
