// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/session.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "server/net/live_listener.hpp"
#include "support/test_client.hpp"

BOOST_AUTO_TEST_SUITE(session_requests)

using petstore::tests::client_answer;
using petstore::tests::live_listener;
using petstore::tests::test_client;

namespace {

std::string get(std::string_view target, std::string_view fields = "") {
  return "GET " + std::string{target} + " HTTP/1.1\r\nHost: pets.example\r\n" + std::string{fields} + "\r\n";
}

std::string line_of(client_answer const& a, std::string_view name) {
  std::string const text = "\n" + a.body + "\n";
  std::string const wanted = "\n" + std::string{name};
  auto const at = text.find(wanted);
  if (at == std::string::npos) return "(none)";
  auto const begin = at + wanted.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_connection_is_kept_for_the_next_request) {
  live_listener server;
  test_client client{server.port()};
  for (int i = 0; i < 3; ++i) {
    auto const answer = client.exchange(get("/n/" + std::to_string(i) + "?a=b"));
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(line_of(answer, "target ") == "/n/" + std::to_string(i) + "?a=b");
    BOOST_TEST(line_of(answer, "query ") == "a=b");
    BOOST_TEST(answer.count("Connection") == 0u);
    BOOST_TEST(answer.at("Date").size() == 29u);
  }
}

BOOST_AUTO_TEST_CASE(http_1_0_closes_unless_it_asks_to_be_kept) {
  live_listener server;
  {
    test_client client{server.port()};
    auto const answer = client.exchange("GET / HTTP/1.0\r\n\r\n");
    BOOST_TEST(answer.closes());
    BOOST_TEST(client.ends_in_order());
  }
  test_client client{server.port()};
  std::string const kept = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
  BOOST_TEST(client.exchange(kept).at("Connection") == "keep-alive");
  BOOST_TEST(client.exchange(kept).status == 200);
}

BOOST_AUTO_TEST_CASE(connection_close_is_honoured_from_either_side) {
  live_listener server;
  for (auto const& bytes : {get("/", "Connection: close\r\n"), get("/", "Connection: foo, Close\r\n"), get("/close")}) {
    test_client client{server.port()};
    BOOST_TEST(client.exchange(bytes).closes());
    BOOST_TEST(client.ends_in_order());
  }
}

BOOST_AUTO_TEST_CASE(requests_sent_together_are_answered_in_order) {
  live_listener server;
  test_client client{server.port()};
  std::string bytes;
  for (int i = 0; i < 100; ++i) {
    if (i % 3 == 0) {
      std::string const body(static_cast<std::size_t>(i), 'b');
      bytes += "POST /p/" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(i) +
               "\r\n\r\n" + body;
    } else {
      bytes += get("/p/" + std::to_string(i));
    }
  }
  client.send(bytes);
  for (int i = 0; i < 100; ++i) {
    auto const answer = client.receive();
    BOOST_TEST(line_of(answer, "path ") == "/p/" + std::to_string(i));
    if (i % 3 == 0 && i > 0) BOOST_TEST(line_of(answer, "body ").size() == static_cast<std::size_t>(i));
  }
  BOOST_TEST(!client.has_something());
}

BOOST_AUTO_TEST_CASE(large_answers_to_requests_sent_together_keep_their_order) {
  live_listener server;
  test_client client{server.port()};
  std::string bytes;
  for (std::size_t i = 1; i <= 30; ++i) bytes += get("/size/" + std::to_string(i * 10'000));
  client.send(bytes);
  for (std::size_t i = 1; i <= 30; ++i) BOOST_TEST(client.receive().body.size() == i * 10'000);
}

BOOST_AUTO_TEST_CASE(what_follows_a_last_request_is_not_answered) {
  live_listener server;
  test_client client{server.port()};
  client.send(get("/close") + get("/second"));
  BOOST_TEST(client.receive().closes());
  BOOST_TEST(client.ends_in_order());
  client.reset();
  server.stop().wait();
  BOOST_TEST(server.answers().size() == 1u);
}

BOOST_AUTO_TEST_CASE(requests_that_arrive_before_the_answer_to_the_first_are_answered_during_a_drain) {
  live_listener server;
  test_client client{server.port()};
  BOOST_TEST(!client.exchange(get("/0")).closes());
  server.begin_drain();
  auto const go_on = server.hold();
  for (auto const* target : {"/1", "/2", "/3"}) client.send(get(target));
  go_on->set_value();
  for (auto const* target : {"/1", "/2", "/3"}) {
    auto const answer = client.receive();
    BOOST_TEST(line_of(answer, "path ") == target);
    BOOST_TEST(answer.closes() == (target == std::string_view{"/3"}));
  }
  BOOST_TEST(client.ends_in_order());
}

BOOST_AUTO_TEST_CASE(one_byte_at_a_time_makes_the_same_request) {
  live_listener server;
  test_client client{server.port()};
  std::string const bytes =
      "\r\nPOST /slowly HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=\"y\"\r\nabc\r\n0\r\nT: u\r\n\r\n";
  for (char const c : bytes) client.send({&c, 1});
  auto const answer = client.receive();
  BOOST_TEST(line_of(answer, "path ") == "/slowly");
  BOOST_TEST(line_of(answer, "body ") == "abc");
  BOOST_TEST(client.exchange(get("/next")).status == 200);
}

BOOST_AUTO_TEST_CASE(head_has_the_length_of_a_body_that_is_left_out) {
  live_listener server;
  test_client client{server.port()};
  auto const answer = client.exchange("HEAD /size/123 HTTP/1.1\r\nHost: a\r\n\r\n", true);
  BOOST_TEST(answer.at("Content-Length") == "123");
  BOOST_TEST(line_of(client.exchange(get("/next")), "path ") == "/next");
}

BOOST_AUTO_TEST_CASE(no_content_and_not_modified_have_no_body_and_no_length) {
  live_listener server;
  test_client client{server.port()};
  for (int const status : {204, 304}) {
    auto const answer = client.exchange(get("/" + std::to_string(status)));
    BOOST_TEST(answer.status == status);
    BOOST_TEST(answer.count("Content-Length") == 0u);
  }
  BOOST_TEST(line_of(client.exchange(get("/next")), "path ") == "/next");
}

BOOST_AUTO_TEST_CASE(a_client_that_expects_it_is_told_to_continue) {
  live_listener server;
  test_client client{server.port()};
  std::string const head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-Continue\r\n\r\n";
  BOOST_TEST(client.exchange(head).status == 100);
  BOOST_TEST(line_of(client.exchange("abc"), "body ") == "abc");
  // Who has sent the body already does not wait for it.
  BOOST_TEST(client.exchange(head + "def").status == 200);
}

BOOST_AUTO_TEST_CASE(too_large_a_body_is_refused_before_it_is_asked_for) {
  live_listener server;
  test_client client{server.port()};
  auto const answer =
      client.exchange("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\nExpect: 100-continue\r\n\r\n");
  BOOST_TEST(answer.status == 413);
  BOOST_TEST(answer.closes());
}

BOOST_AUTO_TEST_CASE(bodies_of_every_size_arrive_whole) {
  live_listener server;
  test_client client{server.port()};
  for (std::size_t const size : {1u, 100u, 3'900u, 4'096u, 5'000u, 20'000u, 65'536u}) {
    std::string const body(size, 'b');
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n" + body);
    BOOST_TEST((line_of(client.receive(), "body ") == body));
    char chunk_size[16];
    std::snprintf(chunk_size, sizeof chunk_size, "%zx", size);
    client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string{chunk_size} + "\r\n" +
                body + "\r\n0\r\n\r\n");
    BOOST_TEST((line_of(client.receive(), "body ") == body));
  }
}

BOOST_AUTO_TEST_CASE(a_chunked_body_beyond_the_limit_is_the_handlers_to_judge) {
  live_listener server;
  test_client client{server.port()};
  client.send("POST /large HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n");
  auto const answer = client.receive();
  BOOST_TEST(answer.status == 413);
  BOOST_TEST(line_of(answer, "path ") == "/large");  // handled, not refused
  BOOST_TEST(answer.closes());
}

BOOST_AUTO_TEST_CASE(the_callers_request_id_is_given_back_and_another_made_for_a_bad_one) {
  live_listener server;
  test_client client{server.port()};
  BOOST_TEST(client.exchange(get("/", "X-Request-Id: abc-1\r\n")).at("X-Request-Id") == "abc-1");
  BOOST_TEST(client.exchange(get("/", "X-Request-Id: has space\r\n")).at("X-Request-Id").size() == 16u);
  auto const a = client.exchange(get("/")).at("X-Request-Id");
  auto const b = client.exchange(get("/")).at("X-Request-Id");
  BOOST_TEST(a != b);
  BOOST_TEST(client.exchange("GET /x#y HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\n\r\n").at("X-Request-Id") ==
             "mine");
}

BOOST_AUTO_TEST_CASE(every_answer_is_recorded_with_its_size) {
  live_listener server;
  {
    test_client client{server.port()};
    client.exchange(get("/one", "X-Request-Id: first\r\n"));
    client.exchange("BAD\r\n");
  }
  server.stop().wait();
  auto const answers = server.answers();
  BOOST_REQUIRE(answers.size() == 2u);
  BOOST_TEST(answers[0].target == "/one");
  BOOST_TEST(answers[0].request_id == "first");
  BOOST_TEST(answers[0].bytes_sent > 100u);
  BOOST_TEST(answers[1].status == 400u);
}

BOOST_AUTO_TEST_SUITE_END()
