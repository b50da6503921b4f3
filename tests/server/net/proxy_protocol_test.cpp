// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <deque>
#include <string>

#include "server/net/live_listener.hpp"
#include "server/net/proxy_header_bytes.hpp"
#include "support/eventually.hpp"
#include "support/test_client.hpp"

BOOST_AUTO_TEST_SUITE(proxy_protocol)

using namespace std::chrono_literals;
using petstore::server::address_range;
using petstore::server::connection_budget;
using petstore::server::connection_limits;
using petstore::server::refusal_reason;
using petstore::tests::addresses_v4;
using petstore::tests::behind_proxy;
using petstore::tests::binary_proxy_header;
using petstore::tests::eventually;
using petstore::tests::live_listener;
using petstore::tests::test_client;

namespace {

std::string const good = "GET /peer HTTP/1.1\r\nHost: a\r\n\r\n";
std::string const last = "GET /peer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
std::string const from_client = "PROXY TCP4 192.0.2.1 198.51.100.9 4660 80\r\n";

}  // namespace

BOOST_AUTO_TEST_CASE(the_client_is_whom_the_proxy_names_for_every_request_of_the_connection) {
  live_listener server{{}, 10, connection_budget::unlimited, behind_proxy()};
  test_client proxy{server.port()};
  BOOST_TEST(proxy.exchange(from_client + good).body == "::ffff:192.0.2.1");
  BOOST_TEST(proxy.exchange(good).body == "::ffff:192.0.2.1");
}

BOOST_AUTO_TEST_CASE(both_versions_may_be_cut_anywhere) {
  live_listener server{{}, 10, connection_budget::unlimited, behind_proxy()};
  for (auto const& header : {from_client, binary_proxy_header(0x21, 0x11, std::string{addresses_v4} + "\4\0\1x")}) {
    std::string const bytes = header + last;
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      test_client proxy{server.port()};
      proxy.send(std::string_view{bytes}.substr(0, cut));
      proxy.send(std::string_view{bytes}.substr(cut));
      BOOST_TEST(proxy.receive().body == "::ffff:192.0.2.1");
    }
    test_client bytewise{server.port()};
    for (auto const& byte : bytes) bytewise.send({&byte, 1});
    BOOST_TEST(bytewise.receive().body == "::ffff:192.0.2.1");
  }
}

BOOST_AUTO_TEST_CASE(requests_that_come_with_the_header_are_all_answered) {
  live_listener server{{}, 10, connection_budget::unlimited, behind_proxy()};
  test_client proxy{server.port()};
  std::string bytes = from_client;
  for (int i = 0; i < 80; ++i) bytes += good;
  proxy.send(bytes);
  for (int i = 0; i < 80; ++i) BOOST_TEST(proxy.receive().status == 200);
}

BOOST_AUTO_TEST_CASE(the_proxys_own_checks_are_served) {
  live_listener server{{}, 10, connection_budget::unlimited, behind_proxy()};
  for (auto const& header : {binary_proxy_header(0x20, 0, ""), std::string{"PROXY UNKNOWN\r\n"}}) {
    test_client proxy{server.port()};
    BOOST_TEST(proxy.exchange(header + "GET /peer HTTP/1.0\r\n\r\n").body == "::ffff:127.0.0.1");
  }
}

BOOST_AUTO_TEST_CASE(garbage_and_a_missing_header_close_without_an_answer) {
  live_listener server{{}, 10, connection_budget::unlimited, behind_proxy()};
  for (auto const& bytes : {good, std::string{"PROXY TCP4 nonsense\r\n"} + good, std::string(5'000, 'x'),
                            binary_proxy_header(0x21, 0x11, "short") + good}) {
    test_client proxy{server.port()};
    proxy.try_send(bytes);
    BOOST_TEST(proxy.receive_rest() == "");
  }
  BOOST_TEST(server.has_logged("proxy_header_refused"));
  BOOST_TEST(server.answers().empty());
}

BOOST_AUTO_TEST_CASE(who_is_no_trusted_proxy_is_closed_whatever_it_sends) {
  live_listener server{{}, 10, connection_budget::unlimited, behind_proxy()};
  test_client stranger{server.port(), "127.0.0.2"};
  stranger.try_send(from_client + good);
  BOOST_TEST(stranger.receive_rest() == "");
  BOOST_TEST(server.has_logged("connection_refused"));
  BOOST_TEST(server.count(refusal_reason::untrusted_peer) != 0u);
  BOOST_TEST(server.budget().in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(a_header_that_does_not_come_is_waited_for_as_long_as_a_head) {
  connection_limits limits;
  limits.header_timeout = 50ms;
  live_listener server{limits, 10, connection_budget::unlimited, behind_proxy()};
  test_client silent{server.port()}, half{server.port()};
  half.send(from_client.substr(0, 20));
  BOOST_TEST(silent.receive_rest() == "");
  BOOST_TEST(half.receive_rest() == "");
}

BOOST_AUTO_TEST_CASE(a_client_has_its_share_of_connections_however_many_its_proxy_opens) {
  live_listener server{{}, 10, 1, behind_proxy(), {*address_range::parse("127.0.0.1")}};
  test_client first{server.port()}, second{server.port()}, other{server.port()};
  BOOST_TEST(first.exchange(from_client + good).status == 200);
  auto const refused = second.exchange(from_client + good);
  BOOST_TEST(refused.status == 503);
  BOOST_TEST(refused.closes());
  BOOST_TEST(server.count(refusal_reason::address_full) == 1u);
  BOOST_TEST(other.exchange("PROXY TCP4 192.0.2.2 198.51.100.9 4660 80\r\n" + good).status == 200);
  first.reset();
  for (int status = 503; status == 503;) {
    test_client again{server.port()};
    status = again.exchange(from_client + good).status;
    BOOST_TEST((status == 200 || status == 503));
  }
}

BOOST_AUTO_TEST_CASE(a_connection_that_is_refused_for_its_address_holds_no_slot_while_its_client_reads) {
  live_listener server{{}, 2, 1, behind_proxy(), {*address_range::parse("127.0.0.1")}};
  test_client first{server.port()}, second{server.port()};
  BOOST_TEST(first.exchange(from_client + good).status == 200);
  BOOST_TEST(second.exchange(from_client + good).status == 503);
  BOOST_TEST(server.budget().in_use() == 1u);
  test_client other{server.port()};
  BOOST_TEST(other.exchange("PROXY TCP4 192.0.2.2 198.51.100.9 4660 80\r\n" + good).status == 200);
  BOOST_TEST(server.budget().in_use() == 2u);
}

BOOST_AUTO_TEST_CASE(of_the_connections_that_are_refused_for_their_address_few_are_kept_until_their_clients_have_read) {
  live_listener server{{}, 200, 1, behind_proxy(), {*address_range::parse("127.0.0.1")}};
  test_client first{server.port()};
  BOOST_TEST(first.exchange(from_client + good).status == 200);
  std::deque<test_client> refused;
  for (int i = 0; i < 100; ++i)
    BOOST_TEST(refused.emplace_back(server.port()).exchange(from_client + good).status == 503);
  BOOST_TEST(server.session_count() <= 1u + 64u);
  BOOST_TEST(server.budget().in_use() == 1u);
  for (auto& client : refused) BOOST_TEST(client.ends_in_order());
  BOOST_TEST(server.count(refusal_reason::address_full) == 100u);
}

BOOST_AUTO_TEST_CASE(a_connection_that_waits_for_its_header_makes_way_like_an_idle_one) {
  connection_limits limits;
  limits.crowded_timeout = 0ms;
  live_listener server{limits, 1, connection_budget::unlimited, behind_proxy()};
  test_client silent{server.port()};
  BOOST_REQUIRE(eventually([&] { return server.session_count() != 0; }));
  test_client next{server.port()};
  BOOST_TEST(next.exchange(from_client + good).status == 200);
  BOOST_TEST(silent.receive_rest() == "");
}

BOOST_AUTO_TEST_CASE(what_was_accepted_before_the_listener_stops_is_answered_when_its_header_follows) {
  live_listener server{{}, 10, connection_budget::unlimited, behind_proxy()};
  test_client proxy{server.port()};
  proxy.send(from_client.substr(0, 10));
  BOOST_REQUIRE(eventually([&] { return server.session_count() != 0; }));
  auto stopped = server.stop();
  BOOST_TEST(server.session_count() == 1u);  // the listener's thread has come past the stop
  proxy.send(from_client.substr(10) + good);
  BOOST_TEST(proxy.receive().closes());
  stopped.wait();
}

BOOST_AUTO_TEST_CASE(a_client_that_has_sent_no_request_is_not_cut_off_by_a_stop) {
  live_listener server{{}, 10, connection_budget::unlimited, behind_proxy()};
  test_client proxy{server.port()};
  proxy.send(from_client.substr(0, 10));
  BOOST_REQUIRE(eventually([&] { return server.session_count() != 0; }));
  BOOST_TEST(server.stop(std::chrono::milliseconds{0}).get());
}

BOOST_AUTO_TEST_SUITE_END()
