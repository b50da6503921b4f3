// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client/answer_reader.hpp"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <optional>
#include <random>
#include <string>

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_answer_reader)

namespace {

struct request {
  bool is_head = false;
  bool keep_body = true;
  bool closes = false;  ///< the connection, after the last byte
};

struct outcome {
  reading progress;
  unsigned status = 0;
  std::string head;
  std::string body;
  bool keeps_connection = false;
  std::string mistake;

  bool operator==(outcome const&) const = default;
};

/// Reads a text in pieces of this many bytes, each in memory of its own that is gone before the next one comes.
outcome read_in_pieces(std::string_view text, std::size_t piece, request wanted) {
  answer_reader reader;
  reader.expect(wanted.is_head, wanted.keep_body);
  auto progress = reading::incomplete;
  std::unique_ptr<char[]> memory;
  while (progress == reading::incomplete && !text.empty()) {
    auto const part = text.substr(0, piece);
    memory.reset(new char[part.size()]);
    part.copy(memory.get(), part.size());
    progress = reader.read({memory.get(), part.size()});
    text.remove_prefix(part.size());
  }
  if (progress == reading::incomplete && wanted.closes) progress = reader.end();
  outcome read{progress, {}, {}, {}, {}, reader.mistake()};
  if (progress == reading::complete) {
    auto const& answer = reader.answer();
    read.status = answer.status;
    read.head = answer.head;
    read.body = answer.body;
    read.keeps_connection = reader.keeps_connection();
  }
  return read;
}

/// The same however it is cut.
outcome read(std::string_view text, request wanted = {}) {
  auto const whole = read_in_pieces(text, text.size() + 1, wanted);
  for (std::size_t const piece : {1u, 2u, 3u, 7u, 50u})
    BOOST_TEST((read_in_pieces(text, piece, wanted) == whole), text);
  return whole;
}

bool is_malformed(std::string_view text) {
  // Cut into pieces a mistake may be found before what comes after it, which makes no other mistake of it.
  auto const whole = read_in_pieces(text, text.size() + 1, {});
  auto const bytewise = read_in_pieces(text, 1, {});
  return whole.progress == reading::malformed && (bytewise.progress == reading::malformed ||
                                                  // Nobody reads on after an answer that is complete.
                                                  bytewise.progress == reading::complete);
}

constexpr std::string_view ok = "HTTP/1.1 200 OK\r\n";

std::string with(std::string_view rest) {
  return std::string(ok).append(rest);
}

BOOST_AUTO_TEST_CASE(a_length_ends_an_answer) {
  auto const a = read(with("Content-Length: 5\r\n\r\nhello"));
  BOOST_TEST((a.progress == reading::complete));
  BOOST_TEST(a.status == 200u);
  BOOST_TEST(a.head == with("Content-Length: 5\r\n\r\n"));
  BOOST_TEST(a.body == "hello");
  BOOST_TEST(a.keeps_connection);
  BOOST_TEST((read(with("content-length:0\r\n\r\n")).progress == reading::complete));
  BOOST_TEST((read(with("Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello")).progress == reading::complete));
}

BOOST_AUTO_TEST_CASE(chunks_end_with_one_of_no_bytes_and_trailers) {
  auto const a =
      read(with("Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\nA \r\n, 10 bytes\r\n0\r\nX-Sum: 1\r\n\r\n"));
  BOOST_TEST((a.progress == reading::complete));
  BOOST_TEST(a.body == "hello, 10 bytes");
  BOOST_TEST(a.keeps_connection);
}

BOOST_AUTO_TEST_CASE(without_length_or_chunks_the_connection_ends_an_answer) {
  auto const a = read(with("\r\nall that comes"), {.closes = true});
  BOOST_TEST((a.progress == reading::complete));
  BOOST_TEST(a.body == "all that comes");
  BOOST_TEST(!a.keeps_connection);
}

BOOST_AUTO_TEST_CASE(some_answers_have_no_body_whatever_they_say) {
  for (auto const text : {"HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n"})
    BOOST_TEST((read(text).progress == reading::complete), text);
  auto const head = read(with("Content-Length: 7\r\n\r\n"), {.is_head = true});
  BOOST_TEST((head.progress == reading::complete));
  BOOST_TEST((read(with("Transfer-Encoding: chunked\r\n\r\n"), {.is_head = true}).progress == reading::complete));
}

BOOST_AUTO_TEST_CASE(interim_answers_are_passed_over) {
  auto const a = read(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 201 Created\r\n"
      "Content-Length: 2\r\n\r\nok");
  BOOST_TEST(a.status == 201u);
  BOOST_TEST(a.body == "ok");
  BOOST_TEST(is_malformed("HTTP/1.1 101 Switching Protocols\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(who_keeps_the_connection_follows_version_and_field) {
  auto const keeps = [](std::string_view head) {
    return read(std::string(head) + "Content-Length: 0\r\n\r\n").keeps_connection;
  };
  BOOST_TEST(keeps("HTTP/1.1 200 OK\r\n"));
  BOOST_TEST(!keeps("HTTP/1.1 200 OK\r\nConnection: x, Close\r\n"));
  BOOST_TEST(!keeps("HTTP/1.0 200 OK\r\n"));
  BOOST_TEST(keeps("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n"));
  BOOST_TEST(!keeps("HTTP/1.0 200 OK\r\nConnection: keep-alive, close\r\n"));
}

BOOST_AUTO_TEST_CASE(a_reason_may_be_empty_or_missing_and_lines_may_end_in_lf) {
  BOOST_TEST((read("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n").progress == reading::complete));
  BOOST_TEST((read("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n").progress == reading::complete));
  BOOST_TEST(read("HTTP/1.1 200 OK\nContent-Length: 1\n\nx").body == "x");
}

BOOST_AUTO_TEST_CASE(what_is_no_answer_is_malformed) {
  for (auto const text :
       {"SSH-2.0-OpenSSH_9.2\r\n", "<html>", "\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/2 200\r\n\r\n",
        "HTTP/1.2 200 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n", "http/1.1 200 OK\r\n\r\n"})
    BOOST_TEST(is_malformed(text), text);
}

BOOST_AUTO_TEST_CASE(framing_that_can_be_read_in_two_ways_is_malformed) {
  for (auto const rest :
       {"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "Content-Length: -1\r\n\r\n",
        "Content-Length: +5\r\n\r\nhello", "Content-Length: 5, 5\r\n\r\nhello", "Content-Length: \r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 0x5\r\n\r\nhello",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding: identity\r\n\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "No field\r\n\r\n",
        "Space : a\r\n\r\n", ": a\r\n\r\n", "A: b\r\n folded\r\n\r\n"})
    BOOST_TEST(is_malformed(with(rest)), rest);
  BOOST_TEST(is_malformed("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
  BOOST_TEST(is_malformed(with(std::string_view("A: b\0c\r\n\r\n", 10))));
}

BOOST_AUTO_TEST_CASE(chunks_that_do_not_add_up_are_malformed) {
  for (auto const chunks : {"\r\n", "x\r\n", "-1\r\n", "5\r\nhello!\r\n", "5\nhello\r\n", "5\r\nhello\n0\r\n\r\n",
                            "10000000000000000\r\n", "0x5\r\nhello\r\n"})
    BOOST_TEST(is_malformed(with("Transfer-Encoding: chunked\r\n\r\n") + chunks), chunks);
}

BOOST_AUTO_TEST_CASE(bytes_after_the_end_are_malformed) {
  BOOST_TEST(is_malformed(with("Content-Length: 5\r\n\r\nhello, surplus")));
  BOOST_TEST(is_malformed("HTTP/1.1 204 No Content\r\n\r\nx"));
  answer_reader reader;
  BOOST_TEST((reader.read("HTTP/1.1 200 OK\r\n") == reading::malformed));  // that nobody asked for
}

BOOST_AUTO_TEST_CASE(a_connection_that_ends_too_early_is_told) {
  for (auto const text : {"", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
                          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"})
    BOOST_TEST((read(text, {.closes = true}).progress == reading::closed), text);
}

BOOST_AUTO_TEST_CASE(a_head_has_a_limit_and_so_have_interim_heads_together) {
  auto const line = "A: " + std::string(1'000, 'x') + "\r\n";
  std::string head(ok);
  while (head.size() + line.size() + 2 <= answer_reader::head_bytes_max) head += line;
  BOOST_TEST((read_in_pieces(head + "Content-Length: 0\r\n\r\n", 999, {}).progress == reading::complete));
  BOOST_TEST((read_in_pieces(head + line + line, 999, {}).progress == reading::too_large));
  BOOST_TEST((read_in_pieces(head + line + line + "\r\n", 1 << 20, {}).progress == reading::too_large));
  std::string interim;
  while (interim.size() <= answer_reader::head_bytes_max) interim += "HTTP/1.1 100 Continue\r\n\r\n";
  BOOST_TEST((read_in_pieces(interim, 1 << 20, {}).progress == reading::too_large));
  std::string trailers = with("Transfer-Encoding: chunked\r\n\r\n0\r\n");
  while (trailers.size() <= answer_reader::head_bytes_max + 1'000) trailers += "A: b\r\n";
  BOOST_TEST((read_in_pieces(trailers, 1 << 20, {}).progress == reading::too_large));
}

BOOST_AUTO_TEST_CASE(a_line_of_a_chunked_body_has_a_limit) {
  auto const extended = "5;" + std::string(answer_reader::chunk_line_bytes_max, 'x') + "\r\n";
  BOOST_TEST(is_malformed(with("Transfer-Encoding: chunked\r\n\r\n") + extended));
}

BOOST_AUTO_TEST_CASE(only_a_body_that_is_kept_has_a_limit) {
  auto const head = with("Content-Length: " + std::to_string(answer_reader::body_bytes_max + 1) + "\r\n\r\n");
  std::string const body(answer_reader::body_bytes_max + 1, 'x');
  BOOST_TEST((read_in_pieces(head + body, 1 << 16, {}).progress == reading::too_large));
  auto const counted = read_in_pieces(head + body, 1 << 16, {.keep_body = false});
  BOOST_TEST((counted.progress == reading::complete));
  BOOST_TEST(counted.body.empty());
  BOOST_TEST((read_in_pieces(with("\r\n") + body, 1 << 16, {.closes = true}).progress == reading::too_large));
}

BOOST_AUTO_TEST_CASE(fields_of_limits_are_noted_however_the_answer_comes) {
  auto const text = with(
      "Date: Sun, 22 Nov 2026 02:00:00 GMT\r\nx-ratelimit-limit: 60\r\nX-RateLimit-Remaining:  12 \r\n"
      "X-RateLimit-Reset: 1795312860\r\nX-RateLimit-Resource: minute\r\nRetry-After: 7\r\n"
      "RateLimit-Policy: \"minute\";q=60;w=60\r\nRateLimit: \"minute\";r=12;t=48\r\nRateLimit: second\r\n"
      "Content-Length: 2\r\n\r\nok");
  for (std::size_t const piece : {1ul, 10ul, text.size() - 1, text.size()}) {
    answer_reader reader;
    reader.expect(false, false);
    for (std::string_view left = text; !left.empty(); left.remove_prefix(std::min(piece, left.size())))
      reader.read(std::string(left.substr(0, piece)));
    // The last piece is gone by now: only what was kept, or never left this text, may be looked at.
    if (piece == text.size()) {
      reader.expect(false, false);
      reader.read(text);
    }
    auto const& noted = reader.answer().noted;
    BOOST_TEST(noted.date == "Sun, 22 Nov 2026 02:00:00 GMT");
    BOOST_TEST(noted.limit == "60");
    BOOST_TEST(noted.remaining == "12");
    BOOST_TEST(noted.reset == "1795312860");
    BOOST_TEST(noted.resource == "minute");
    BOOST_TEST(noted.retry_after == "7");
    BOOST_TEST(noted.rate_limit_policy == "\"minute\";q=60;w=60");
    BOOST_TEST(noted.rate_limit == "\"minute\";r=12;t=48");
    BOOST_TEST(reader.answer().field("X-RATELIMIT-reset") == "1795312860");
    BOOST_TEST(reader.answer().field("absent").empty());
  }
}

BOOST_AUTO_TEST_CASE(one_reader_reads_many_answers) {
  answer_reader reader;
  for (int i = 0; i < 100; ++i) {
    reader.expect(false, true);
    auto const body = std::to_string(i);
    auto const text = with("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    auto const cut = static_cast<std::size_t>(i) % text.size();
    if (cut > 0) BOOST_TEST((reader.read(std::string_view(text).substr(0, cut)) == reading::incomplete));
    BOOST_TEST((reader.read(std::string_view(text).substr(cut)) == reading::complete));
    BOOST_TEST(reader.answer().body == body);
  }
}

BOOST_AUTO_TEST_CASE(noise_is_never_more_than_malformed) {
  std::mt19937 random(1);
  std::string const seed = with("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
  for (int i = 0; i < 20'000; ++i) {
    auto text = seed;
    for (int edits = 0; edits < 3; ++edits) text[random() % text.size()] = static_cast<char>(random() % 256);
    auto const whole = read_in_pieces(text, text.size(), {.closes = true});
    auto const bytewise = read_in_pieces(text, 1, {.closes = true});
    BOOST_TEST(!(whole.progress == reading::incomplete || bytewise.progress == reading::incomplete));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
