// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <random>
#include <string>

#include "http/request_reader.hpp"

BOOST_AUTO_TEST_SUITE(beast_comparison)

/// What this server reads from bytes, held against what Beast's own request_parser reads from the same ones: whatever
/// is taken here means the same there. Beast takes more, which is one reason why it is not what reads here.

namespace http = boost::beast::http;
using petstore::server::connection_limits;
using petstore::server::http::request_reader;

namespace {

/// nullopt when refused or unfinished.
std::optional<std::string> read_here(std::string_view bytes) {
  connection_limits const limits;
  request_reader reader{limits};
  auto progress = reader.advance();
  while (progress == request_reader::progress::needs_bytes && !bytes.empty()) {
    auto const room = reader.prepare();
    std::size_t const n = std::min(room.size(), bytes.size());
    std::memcpy(room.data(), bytes.data(), n);
    reader.commit(n);
    bytes.remove_prefix(n);
    progress = reader.advance();
  }
  if (progress != request_reader::progress::request) return std::nullopt;
  auto const& req = reader.request();
  std::string text{to_string(req.method)};
  text.append(" ").append(req.target).append(req.http_1_0 ? " 1.0" : " 1.1");
  text.append(reader.head().keep_alive ? " kept\n" : "\n");
  for (auto const& field : req.fields) text.append(field.name).append(": ").append(field.value).append("\n");
  return text.append(req.body);
}

std::optional<std::string> read_by_beast(std::string_view bytes) {
  http::request_parser<http::string_body> parser;
  parser.eager(true);
  while (!bytes.empty() && !parser.is_done()) {
    boost::system::error_code ec;
    std::size_t const n = parser.put(boost::asio::buffer(bytes), ec);
    bytes.remove_prefix(n);
    if (ec) return std::nullopt;
  }
  if (!parser.is_done()) return std::nullopt;
  auto const& req = parser.get();
  std::string text{req.method_string()};
  text.append(" ").append(req.target()).append(req.version() == 10 ? " 1.0" : " 1.1");
  text.append(parser.keep_alive() ? " kept\n" : "\n");
  for (auto const& field : req) {
    text.append(field.name_string()).append(": ").append(field.value()).append("\n");
  }
  return text.append(req.body());
}

std::string const valid[] = {
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /a?b=c HTTP/1.0\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: a\r\nX:\r\nY:  z  \r\nZ: \xff\t\x80\r\n\r\n",
    "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nConnection: keep-alive, x\r\n\r\nab\r\nc",
    "PATCH /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;e=\"f\"\r\nde\r\n0\r\n\r\n",
    "DELETE /p/1 HTTP/1.1\r\nHost: [::1]:80\r\nIf-Match: \"1\", \"2\"\r\nIf-Match: *\r\n\r\n",
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_both_take_is_the_same_request) {
  for (auto const& bytes : valid) {
    auto const here = read_here(bytes);
    BOOST_TEST_CONTEXT(bytes) {
      BOOST_REQUIRE(here.has_value());
      BOOST_TEST((here == read_by_beast(bytes)));
    }
  }
}

// Fields that Beast drops (an obs-fold is joined, a trailer is merged) make the comparison; what is only refused here
// is counted, so that the test is known to have tried something.
BOOST_AUTO_TEST_CASE(whatever_is_taken_here_beast_reads_alike) {
  std::mt19937 random{20260601};
  std::string_view const spices = "\r\n\t :;,=\"0123456789abcdefXYZ/?*#%-+\x01\x7f\xff\x80";
  std::size_t taken = 0, refused = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string bytes = valid[random() % std::size(valid)];
    for (auto changes = 1 + random() % 2; changes > 0; --changes) {
      std::size_t const at = random() % bytes.size();
      char const spice = spices[random() % spices.size()];
      switch (random() % 3) {
        case 0: bytes[at] = spice; break;
        case 1: bytes.insert(at, 1, spice); break;
        default: bytes.erase(at, 1);
      }
    }
    auto const here = read_here(bytes);
    ++(here ? taken : refused);
    if (!here) continue;
    // Leading empty lines are skipped here and refused there.
    auto const there = read_by_beast(std::string_view{bytes}.substr(bytes.find_first_not_of("\r\n")));
    BOOST_TEST_CONTEXT(bytes) BOOST_REQUIRE((here == there));
  }
  BOOST_TEST(taken > 1'000u);
  BOOST_TEST(refused > 1'000u);
}

BOOST_AUTO_TEST_SUITE_END()
