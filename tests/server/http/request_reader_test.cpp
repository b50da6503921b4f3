// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/request_reader.hpp"

#include <malloc.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <list>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(request_reader_)

using petstore::errc;
using petstore::server::connection_limits;
using petstore::server::http::request_reader;
using progress = request_reader::progress;
using stage = request_reader::stage;

namespace {

void feed(request_reader& reader, std::string_view bytes) {
  while (!bytes.empty()) {
    auto const room = reader.prepare();
    BOOST_REQUIRE(!room.empty());
    std::size_t const n = std::min(room.size(), bytes.size());
    std::memcpy(room.data(), bytes.data(), n);
    reader.commit(n);
    bytes.remove_prefix(n);
    if (!bytes.empty()) BOOST_REQUIRE((reader.advance() == progress::needs_bytes));
  }
}

std::string text_of(request_reader& reader) {
  auto const& req = reader.request();
  std::string text{to_string(req.method)};
  text.append(" ").append(req.target);
  for (auto const& field : req.fields) text.append("|").append(field.name).append("=").append(field.value);
  return text.append("|").append(req.body);
}

/// What is read from bytes that come in pieces of one size.
std::vector<std::string> read_all(std::string_view bytes, std::size_t piece_size) {
  connection_limits const limits;
  request_reader reader{limits};
  std::vector<std::string> found;
  for (;;) {
    switch (reader.advance()) {
      case progress::request:
        found.push_back(text_of(reader));
        reader.consume();
        break;
      case progress::refused: found.emplace_back(describe(reader.refusal().code).code); return found;
      case progress::needs_bytes: {
        if (bytes.empty()) return found;
        auto const room = reader.prepare();
        std::size_t const n = std::min({room.size(), bytes.size(), piece_size});
        std::memcpy(room.data(), bytes.data(), n);
        reader.commit(n);
        bytes.remove_prefix(n);
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_requests_are_read_however_the_bytes_are_cut) {
  std::string const bytes =
      "\r\n\r\nGET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
      "POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789"
      "\r\nPOST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n2\r\nef\r\n0\r\nT: t\r\n\r\n"
      "GET http://b/4 HTTP/1.1\r\nHost: a\r\n\r\n"
      "GET /5\r\n";
  std::vector<std::string> const expected{
      "GET /1|Host=a|",
      "POST /2|Host=a|Content-Length=10|0123456789",
      "POST /3|Host=a|Transfer-Encoding=chunked|abcdef",
      "GET /4|Host=b|",
      "malformed_http",
  };
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) BOOST_TEST(read_all(bytes, piece) == expected);
}

BOOST_AUTO_TEST_CASE(requests_larger_than_the_first_buffer_are_read_however_they_are_cut) {
  std::string const head = "POST /" + std::string(5'000, 'p') + " HTTP/1.1\r\nHost: a\r\nX: " + std::string(7'000, 'x');
  std::string const body(30'000, 'b');
  std::string bytes;
  for (int i = 0; i < 3; ++i) {
    bytes += head + "\r\nContent-Length: 30000\r\n\r\n" + body;
    bytes += head + "\r\nTransfer-Encoding: chunked\r\n\r\n7530\r\n" + body + "\r\n0\r\n\r\n";
  }
  auto const whole = read_all(bytes, bytes.size());
  BOOST_REQUIRE(whole.size() == 6u);
  BOOST_TEST(whole[0].ends_with("|" + body));
  for (std::size_t const piece : {1u, 7u, 1'000u, 4'095u, 4'096u, 16'384u})
    BOOST_TEST((read_all(bytes, piece) == whole));
}

BOOST_AUTO_TEST_CASE(a_fault_of_the_request_line_is_told_before_one_of_the_fields_however_they_are_cut) {
  std::string_view const bytes = "GET / HTTP/3.0\r\nHost: a\r\n folded\r\n\r\n";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece)
    BOOST_TEST(read_all(bytes, piece).at(0) == "http_version_not_supported");
}

BOOST_AUTO_TEST_CASE(a_version_is_judged_alike_whether_its_line_comes_alone_or_with_the_fields) {
  for (std::string_view const fields : {"", "Host: a\r\n\r\n"}) {
    BOOST_TEST(read_all(std::string{"GET / HTTP/2\r\n"}.append(fields), 99).at(0) == "http_version_not_supported");
    BOOST_TEST(read_all(std::string{"GET / HT\r\n"}.append(fields), 99).at(0) == "malformed_http");
  }
}

BOOST_AUTO_TEST_CASE(more_than_two_empty_lines_are_no_request) {
  for (std::size_t piece = 1; piece <= 4; ++piece) {
    BOOST_TEST(read_all("\r\n\r\nGET / HTTP/1.0\r\n\r\n", piece).at(0) == "GET /|");
    BOOST_TEST(read_all("\r\n\r\n\r\nGET / HTTP/1.0\r\n\r\n", piece).at(0) == "malformed_http");
    BOOST_TEST(read_all("\rGET / HTTP/1.0\r\n\r\n", piece).at(0) == "malformed_http");
    BOOST_TEST(read_all("\nGET / HTTP/1.0\r\n\r\n", piece).at(0) == "malformed_http");
  }
}

BOOST_AUTO_TEST_CASE(empty_lines_between_requests_do_not_begin_one) {
  connection_limits const limits;
  request_reader reader{limits};
  feed(reader, "GET / HTTP/1.0\r\n\r\n\r\n");
  BOOST_TEST((reader.advance() == progress::request));
  reader.consume();
  BOOST_TEST((reader.advance() == progress::needs_bytes));
  BOOST_TEST((reader.where() == stage::between));
}

BOOST_AUTO_TEST_CASE(the_stage_says_what_is_waited_for) {
  connection_limits const limits;
  request_reader reader{limits};
  BOOST_TEST((reader.advance() == progress::needs_bytes));
  BOOST_TEST((reader.where() == stage::between));
  feed(reader, "P");
  BOOST_TEST((reader.advance() == progress::needs_bytes));
  BOOST_TEST((reader.where() == stage::head));
  feed(reader, "OST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n");
  BOOST_TEST((reader.advance() == progress::needs_bytes));
  BOOST_TEST((reader.where() == stage::body));
  feed(reader, "x");
  BOOST_TEST((reader.advance() == progress::request));
  BOOST_TEST((reader.where() == stage::done));
  BOOST_TEST((reader.advance() == progress::request));
  BOOST_TEST(!reader.has_more());
}

BOOST_AUTO_TEST_CASE(the_body_may_be_as_long_as_the_limit) {
  connection_limits limits;
  limits.body_bytes_max = 5;
  std::string const head = "POST / HTTP/1.1\r\nHost: a\r\n";
  {
    request_reader reader{limits};
    feed(reader, head + "Content-Length: 5\r\n\r\nabcde");
    BOOST_TEST((reader.advance() == progress::request));
    BOOST_TEST(reader.request().body == "abcde");
  }
  {
    request_reader reader{limits};
    feed(reader, head + "Content-Length: 6\r\n\r\n");
    BOOST_TEST((reader.advance() == progress::refused));
    BOOST_TEST((reader.refusal().code == errc::payload_too_large));
  }
  request_reader reader{limits};
  feed(reader, head + "Transfer-Encoding: chunked\r\n\r\n6\r\n");
  BOOST_TEST((reader.advance() == progress::request));
  BOOST_TEST(reader.request().body_too_large);
  BOOST_TEST(reader.request().body.empty());
}

BOOST_AUTO_TEST_CASE(a_reader_for_which_nothing_arrives_holds_no_buffer) {
  connection_limits const limits;
  petstore::server::http::input_buffers shared;
  request_reader reader{limits, &shared};
  void const* const held = reader.prepare().data();
  reader.commit_nothing();
  auto const given_back = shared.take();
  BOOST_TEST(static_cast<void const*>(given_back.get()) == held);

  feed(reader, "GET /a HT");
  BOOST_TEST((reader.advance() == progress::needs_bytes));
  reader.prepare();
  reader.commit_nothing();
  feed(reader, "TP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST((reader.advance() == progress::request));
  BOOST_TEST(reader.request().path == "/a");
}

BOOST_AUTO_TEST_CASE(a_reader_that_ends_within_a_request_gives_its_buffer_back) {
  connection_limits const limits;
  petstore::server::http::input_buffers shared;
  void const* held = nullptr;
  {
    request_reader reader{limits, &shared};
    held = reader.prepare().data();
    feed(reader, "GET /a HT");
  }
  auto const given_back = shared.take();
  BOOST_TEST(static_cast<void const*>(given_back.get()) == held);
}

BOOST_AUTO_TEST_CASE(an_idle_reader_keeps_no_body) {
  constexpr std::size_t count = 64;
  connection_limits const limits;
  petstore::server::http::input_buffers shared;
  std::list<request_reader> readers;
  for (std::size_t i = 0; i < count; ++i) readers.emplace_back(limits, &shared);
  auto const before = ::mallinfo2().uordblks;  // 0 under a sanitizer
  for (auto& reader : readers) {
    feed(reader, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000\r\n\r\n");
    BOOST_TEST((reader.advance() == progress::needs_bytes));
    feed(reader, std::string(4'000, 'x'));
    BOOST_TEST((reader.advance() == progress::request));
    reader.consume();
  }
  BOOST_TEST(::mallinfo2().uordblks - before < count * 1'024);
}

BOOST_AUTO_TEST_CASE(memory_for_a_body_follows_what_arrives) {
  connection_limits limits;
  limits.body_bytes_max = std::size_t{1} << 40;
  request_reader reader{limits};
  feed(reader, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000000\r\n\r\n");
  BOOST_TEST((reader.advance() == progress::needs_bytes));
  BOOST_TEST(reader.prepare().size() <= 4'096u);
}

BOOST_AUTO_TEST_CASE(a_100_is_due_once_and_only_when_nothing_of_the_body_has_come) {
  connection_limits const limits;
  std::string const head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
  {
    request_reader reader{limits};
    feed(reader, head);
    BOOST_TEST((reader.advance() == progress::needs_bytes));
    BOOST_TEST(reader.take_continue());
    BOOST_TEST(!reader.take_continue());
  }
  request_reader reader{limits};
  feed(reader, head + "a");
  BOOST_TEST((reader.advance() == progress::needs_bytes));
  BOOST_TEST(!reader.take_continue());
}

BOOST_AUTO_TEST_SUITE_END()
