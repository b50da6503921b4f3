// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/head.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "http/head_parser.hpp"
#include "server/http/parse_head.hpp"

BOOST_AUTO_TEST_SUITE(head_)

using petstore::errc;
using petstore::server::method;
using petstore::server::http::head;
using petstore::server::http::head_parser;
using petstore::server::http::parse_head;

namespace {

struct row {
  std::string_view bytes;
  errc code;
};

void check_refused(row const& r) {
  head out;
  auto const no = parse_head(r.bytes, out);
  BOOST_TEST_CONTEXT(std::string{r.bytes}) {
    BOOST_REQUIRE(no.has_value());
    BOOST_TEST(describe(no->code).code == describe(r.code).code);
  }
}

/// Of a head of which only this line has come.
std::optional<petstore::server::http::refusal> check_request_line(std::string_view line) {
  head out;
  head_parser parser{{line.size(), line.size(), line.size()}};
  if (parser.parse(line, out) != head_parser::state::refused) return std::nullopt;
  return parser.refusal();
}

head accepted(std::string_view bytes) {
  head out;
  auto const no = parse_head(bytes, out);
  BOOST_TEST_CONTEXT(std::string{bytes}) BOOST_REQUIRE(!no.has_value());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_head_becomes_a_request) {
  std::string const bytes =
      "PATCH /v1/pets/7?a=b&c HTTP/1.1\r\nHost: pets.example:80\r\nX-Empty:\r\nX:  y z \t\r\n\r\n";
  auto const h = accepted(bytes);
  BOOST_TEST((h.request.method == method::patch));
  BOOST_TEST(h.request.target == "/v1/pets/7?a=b&c");
  BOOST_TEST(h.request.path == "/v1/pets/7");
  BOOST_TEST(h.request.query == "a=b&c");
  BOOST_TEST(!h.request.http_1_0);
  BOOST_TEST(!h.request.has_body);
  BOOST_TEST(h.keep_alive);
  BOOST_TEST(h.fields.size() == 3u);
  BOOST_TEST(h.fields[2].value == "y z");
  BOOST_TEST(h.fields[1].value.data() != nullptr);
}

BOOST_AUTO_TEST_CASE(the_log_of_a_refused_request_has_its_own_method) {
  head h;
  BOOST_TEST(parse_head("PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n", h).has_value());
  BOOST_TEST((h.request.method == method::propfind));
  BOOST_TEST(parse_head("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", h).has_value());
  BOOST_TEST((h.request.method == method::unknown));
}

BOOST_AUTO_TEST_CASE(the_methods_of_the_service_are_known_and_no_other) {
  for (std::string_view const m : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
    std::string const bytes = std::string{m} + " / HTTP/1.1\r\nHost: a\r\n\r\n";
    BOOST_TEST(to_string(accepted(bytes).request.method) == m);
  }
  for (std::string_view const m : {"FOO", "get", "Get", "PROPFIND", "M-SEARCH", "PRI"}) {
    check_refused({std::string{m} + " / HTTP/1.1\r\nHost: a\r\n\r\n", errc::not_implemented});
  }
  check_refused({"CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", errc::method_not_allowed});
  check_refused({"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", errc::method_not_allowed});
}

BOOST_AUTO_TEST_CASE(malformed_request_lines_are_refused_before_the_head_is_whole) {
  row const rows[] = {
      {"\r\n", errc::malformed_http},
      {"GET\r\n", errc::malformed_http},
      {"GET /\r\n", errc::malformed_http},  // HTTP/0.9
      {"GET / \r\n", errc::malformed_http},
      {" GET / HTTP/1.1\r\n", errc::malformed_http},
      {"GET  / HTTP/1.1\r\n", errc::malformed_http},
      {"GET /  HTTP/1.1\r\n", errc::malformed_http},
      {"GET / HTTP/1.1 \r\n", errc::malformed_http},
      {"GET / x HTTP/1.1\r\n", errc::malformed_http},
      {"GET / x HTTP/2.0\r\n", errc::malformed_http},
      {"G(T / HTTP/1.1\r\n", errc::malformed_http},
      {"G\x80T / HTTP/1.1\r\n", errc::malformed_http},
      {"GET / http/1.1\r\n", errc::malformed_http},
      {"GET / HTTP/1\r\n", errc::malformed_http},
      {"GET / HTTP/1.\r\n", errc::malformed_http},
      {"GET / HTTP/1.10\r\n", errc::malformed_http},
      {"GET / HTTP/01.1\r\n", errc::malformed_http},
      {"GET / HTTP/0.9\r\n", errc::malformed_http},
      {"GET / HTTPS/1.1\r\n", errc::malformed_http},
      {"GET / ICE/1.0\r\n", errc::malformed_http},
      {"GET / HTTP/1.2\r\n", errc::http_version_not_supported},
      {"GET / HTTP/1.9\r\n", errc::http_version_not_supported},
      {"GET / HTTP/2.0\r\n", errc::http_version_not_supported},
      {"GET / HTTP/2\r\n", errc::http_version_not_supported},
      {"GET / HTTP/3\r\n", errc::http_version_not_supported},
      {"PRI * HTTP/2.0\r\n", errc::http_version_not_supported},
  };
  for (auto const& r : rows) {
    auto const no = check_request_line(r.bytes);
    BOOST_TEST_CONTEXT(std::string{r.bytes}) {
      BOOST_REQUIRE(no.has_value());
      BOOST_TEST(describe(no->code).code == describe(r.code).code);
    }
    std::string const whole = std::string{r.bytes} + "Host: a\r\n\r\n";
    check_refused({whole, r.code});
  }
  for (std::string_view const line : {"GET / HTTP/1.1\r\n", "FOO * HTTP/1.0\r\n"})
    BOOST_TEST(!check_request_line(line));
}

BOOST_AUTO_TEST_CASE(malformed_fields_are_refused) {
  for (std::string_view const field : {": a", "A B: c", "A : b", "A", "A\x80: b", "(A): b", "A: b\x7f", "\"A\": b"}) {
    std::string const bytes = "GET / HTTP/1.1\r\nHost: a\r\n" + std::string{field} + "\r\n\r\n";
    check_refused({bytes, errc::malformed_http});
  }
}

BOOST_AUTO_TEST_CASE(a_refused_head_tells_what_was_understood) {
  head out;
  auto const no = parse_head("GET /x?y HTTP/1.1\r\nX-Request-Id: mine\r\nbad field: a\r\n\r\n", out);
  BOOST_REQUIRE(no.has_value());
  BOOST_TEST(out.request.path == "/x");
  BOOST_TEST(out.request.find("x-request-id") == "mine");
}

BOOST_AUTO_TEST_CASE(lengths_that_two_readers_could_read_differently_are_refused) {
  for (std::string_view const fields : {
           "Content-Length: 1\r\nContent-Length: 2",
           "Content-Length: 1\r\nContent-Length: 1",
           "Content-Length: 1, 1",
           "Content-Length: +1",
           "Content-Length: -1",
           "Content-Length: 0x1",
           "Content-Length: 1 1",
           "Content-Length: 1.0",
           "Content-Length: ",
           "Content-Length: ,",
           "Content-Length: 18446744073709551616",
           "Content-Length: 99999999999999999999999",
           "Content-Length: 3\r\nTransfer-Encoding: chunked",
           "Transfer-Encoding: chunked\r\nContent-Length: 3",
           "Transfer-Encoding: gzip\r\nContent-Length: 3",
           "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
           "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
           "Transfer-Encoding: chunked, chunked",
           "Transfer-Encoding: chunked, gzip",
           "Transfer-Encoding: chunked;a=b",
           "Transfer-Encoding: \"chunked\"",
           "Transfer-Encoding: ,chunked",
           "Transfer-Encoding: chunked,",
           "Transfer-Encoding: chun ked",
           "Transfer-Encoding: ",
       }) {
    std::string const bytes = "POST / HTTP/1.1\r\nHost: a\r\n" + std::string{fields} + "\r\n\r\n";
    check_refused({bytes, errc::malformed_http});
  }
  check_refused({"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", errc::malformed_http});
  check_refused({"POST / HTTP/1.0\r\nTransfer-Encoding: gzip\r\n\r\n", errc::malformed_http});
}

BOOST_AUTO_TEST_CASE(unknown_transfer_codings_are_not_implemented) {
  for (std::string_view const coding : {"gzip", "identity", "gzip, chunked", "xchunked", "chunked-x", "gzip;q=1"}) {
    std::string const bytes = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: " + std::string{coding} + "\r\n\r\n";
    check_refused({bytes, errc::not_implemented});
  }
}

BOOST_AUTO_TEST_CASE(the_length_of_the_body_is_understood) {
  auto const none = accepted("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
  BOOST_TEST(!none.request.has_body);
  auto const some = accepted("POST / HTTP/1.1\r\nHost: a\r\ncontent-length:  007 \r\n\r\n");
  BOOST_TEST(some.request.has_body);
  BOOST_TEST(some.content_length == 7u);
  auto const most = accepted("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551615\r\n\r\n");
  BOOST_TEST(most.content_length == std::uint64_t(-1));
  auto const chunked = accepted("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n");
  BOOST_TEST(chunked.chunked);
  BOOST_TEST(chunked.request.has_body);
}

BOOST_AUTO_TEST_CASE(there_is_one_host_and_it_is_one) {
  check_refused({"GET / HTTP/1.1\r\n\r\n", errc::malformed_http});
  check_refused({"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", errc::malformed_http});
  check_refused({"GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", errc::malformed_http});
  for (std::string_view const host :
       {"",       "a b", "a/b", "user@a", "a:b", "a:65536", "a:80:80", "[::1",  "::1", "[a]",
        "[::1]x", "a?b", "a#b", "a\\b",   "%",   "%2",      "%zz",     "a\x80", "a^b", ":80"}) {
    std::string const bytes = "GET / HTTP/1.1\r\nHost: " + std::string{host} + "\r\n\r\n";
    check_refused({bytes, errc::malformed_http});
  }
  for (std::string_view const host : {"a", "pets.example:8080", "127.0.0.1", "[::1]", "[2001:db8::1]:80", "a_b",
                                      "a:", "%41", "xn--bcher-kva.example", "a!$&'()*+,;=~"}) {
    accepted("GET / HTTP/1.1\r\nHost: " + std::string{host} + "\r\n\r\n");
  }
  accepted("GET / HTTP/1.0\r\n\r\n");
}

BOOST_AUTO_TEST_CASE(two_credentials_are_refused) {
  check_refused({"GET / HTTP/1.1\r\nHost: a\r\nAuthorization: x\r\nauthorization: x\r\n\r\n", errc::malformed_http});
}

BOOST_AUTO_TEST_CASE(targets_that_are_no_path_are_refused) {
  for (std::string_view const target :
       {"*", "a", "a:80", "//x#y", "/#", "/a#b", "/\x80", "/\xc3\xa4", "http:/x", "http://", "http:///x", "http://a b/",
        "http://user@a/", "ftp://a/", "http://a:x/", "?a", "http://[::1/"}) {
    std::string const bytes = "GET " + std::string{target} + " HTTP/1.1\r\nHost: a\r\n\r\n";
    check_refused({bytes, errc::malformed_http});
  }
}

BOOST_AUTO_TEST_CASE(an_absolute_target_is_its_path_and_its_authority_the_host) {
  struct {
    std::string_view sent, target, path, query;
  } const rows[] = {
      {"http://b/x?y", "/x?y", "/x", "y"}, {"HTTP://b:80/x", "/x", "/x", ""},        {"https://b/?", "/?", "/", ""},
      {"http://b", "/", "/", ""},          {"http://b?y=/z", "/?y=/z", "/", "y=/z"},
  };
  for (auto const& r : rows) {
    std::string const bytes = "GET " + std::string{r.sent} + " HTTP/1.1\r\nHost: a\r\n\r\n";
    auto const h = accepted(bytes);
    BOOST_TEST(h.request.target == r.target);
    BOOST_TEST(h.request.path == r.path);
    BOOST_TEST(h.request.query == r.query);
    BOOST_TEST(h.request.find("Host").substr(0, 1) == "b");
  }
}

BOOST_AUTO_TEST_CASE(the_asterisk_is_for_options_alone) {
  BOOST_TEST(accepted("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").request.path == "*");
  BOOST_TEST(accepted("OPTIONS http://b HTTP/1.1\r\nHost: a\r\n\r\n").request.path == "*");
}

BOOST_AUTO_TEST_CASE(only_one_expectation_is_met) {
  std::string const head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n";
  check_refused({head + "Expect: 200-ok\r\n\r\n", errc::expectation_failed});
  check_refused({head + "Expect: 100-continue, x\r\n\r\n", errc::expectation_failed});
  check_refused({head + "Expect: 100-continue\r\nExpect: x\r\n\r\n", errc::expectation_failed});
  BOOST_TEST(accepted(head + "Expect: 100-Continue\r\n\r\n").expects_continue);
  BOOST_TEST(!accepted("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n").expects_continue);
  BOOST_TEST(!accepted("POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n").expects_continue);
}

BOOST_AUTO_TEST_CASE(a_connection_is_kept_as_the_version_and_the_field_say) {
  struct {
    std::string_view version, connection;
    bool kept;
  } const rows[] = {
      {"1.1", "", true},
      {"1.1", "Connection: close\r\n", false},
      {"1.1", "Connection: x, CLOSE\r\n", false},
      {"1.0", "", false},
      {"1.0", "Connection: Keep-Alive\r\n", true},
      {"1.1", "Connection: keep-alive\r\n", true},
      {"1.1", "Connection: x\r\nConnection: close\r\n", false},
  };
  for (auto const& r : rows) {
    std::string const bytes =
        "GET / HTTP/" + std::string{r.version} + "\r\nHost: a\r\n" + std::string{r.connection} + "\r\n";
    BOOST_TEST_CONTEXT(bytes) BOOST_TEST(accepted(bytes).keep_alive == r.kept);
  }
}

BOOST_AUTO_TEST_CASE(nothing_of_a_head_stays_for_the_next) {
  head out;
  BOOST_TEST(
      !parse_head("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n", out));
  BOOST_TEST(!parse_head("GET /next HTTP/1.1\r\nHost: a\r\n\r\n", out));
  BOOST_TEST(!out.chunked);
  BOOST_TEST(!out.expects_continue);
  BOOST_TEST(!out.request.has_body);
  BOOST_TEST(out.fields.size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
