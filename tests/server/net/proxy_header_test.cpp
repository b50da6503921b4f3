// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/proxy_header.hpp"

#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>

#include "server/net/proxy_header_bytes.hpp"

namespace petstore::server {

static std::ostream& boost_test_print_type(std::ostream& out, proxy_header::progress s) {
  return out << static_cast<int>(s);
}

BOOST_AUTO_TEST_SUITE(proxy_header_)

namespace {

using progress = proxy_header::progress;
using tests::addresses_v4;
using tests::binary_proxy_header;

constexpr std::string_view request_line = "GET / HTTP/1.1\r\n";

/// What a header says, with something behind it, and that no cut changes it.
proxy_header read(std::string_view header) {
  std::string const bytes{std::string{header}.append(request_line)};
  auto const whole = parse_proxy_header(bytes);
  auto before = progress::unfinished;
  for (std::size_t n = 0; n <= bytes.size(); ++n) {
    auto const h = parse_proxy_header(std::string_view{bytes}.substr(0, n));
    if (before != progress::unfinished) BOOST_TEST(h.state == before);
    BOOST_TEST((h.state == progress::unfinished || h.state == whole.state));
    if (h.state == progress::complete)
      BOOST_TEST((h.size == whole.size && h.client == whole.client && n >= whole.size));
    before = h.state;
  }
  return whole;
}

/// The client that a header names, which has to be right; nullopt when it names none.
std::optional<raw_address> client(std::string_view header) {
  auto const h = read(header);
  BOOST_TEST_REQUIRE(h.state == progress::complete, header);
  BOOST_TEST(h.size == header.size());
  return h.client;
}

void refuse(std::string_view header) {
  BOOST_TEST(read(header).state == progress::malformed, header);
}

BOOST_AUTO_TEST_CASE(a_line_names_the_client) {
  BOOST_CHECK(client("PROXY TCP4 192.0.2.1 198.51.100.9 4660 80\r\n") == parse_address("192.0.2.1"));
  BOOST_CHECK(client("PROXY TCP4 0.0.0.0 255.255.255.255 0 65535\r\n") == parse_address("0.0.0.0"));
  BOOST_CHECK(client("PROXY TCP6 2001:db8::5 2001:db8::1 4660 80\r\n") == parse_address("2001:db8::5"));
  BOOST_CHECK(client("PROXY TCP6 ::ffff:192.0.2.1 ::1 4660 80\r\n") == parse_address("192.0.2.1"));
}

BOOST_AUTO_TEST_CASE(the_longest_line_is_taken_and_one_byte_more_is_not) {
  std::string const long_v6 = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
  std::string const longest = "PROXY UNKNOWN " + long_v6 + " " + long_v6 + " 65535 65535\r\n";
  BOOST_TEST(longest.size() == 107u);
  BOOST_CHECK(!client(longest));
  refuse("PROXY UNKNOWN " + long_v6 + " " + long_v6 + " 65535 655350\r\n");
  refuse("PROXY UNKNOWN" + std::string(200, ' '));
}

BOOST_AUTO_TEST_CASE(unknown_names_nobody_whatever_follows) {
  BOOST_CHECK(!client("PROXY UNKNOWN\r\n"));
  BOOST_CHECK(!client("PROXY UNKNOWN anything at all\r\n"));
}

BOOST_AUTO_TEST_CASE(a_line_that_is_not_exactly_one_is_refused) {
  for (auto const* line : {
           "PROXY TCP4 192.0.2.1 198.51.100.9 4660\r\n",
           "PROXY TCP4 192.0.2.1 198.51.100.9 4660 80 \r\n",
           "PROXY TCP4 192.0.2.1 198.51.100.9 4660 80 1\r\n",
           "PROXY  TCP4 192.0.2.1 198.51.100.9 4660 80\r\n",
           "PROXY TCP4  192.0.2.1 198.51.100.9 4660 80\r\n",
           "PROXY TCP4 192.0.2.1 198.51.100.9 04660 80\r\n",
           "PROXY TCP4 192.0.2.1 198.51.100.9 65536 80\r\n",
           "PROXY TCP4 192.0.2.1 198.51.100.9 -1 80\r\n",
           "PROXY TCP4 192.0.2.1 198.51.100.9  80\r\n",
           "PROXY TCP4 192.0.2.256 198.51.100.9 4660 80\r\n",
           "PROXY TCP4 192.0.2.1 nowhere 4660 80\r\n",
           "PROXY TCP4 2001:db8::5 2001:db8::1 4660 80\r\n",
           "PROXY TCP6 192.0.2.1 198.51.100.9 4660 80\r\n",
           "PROXY TCP6 [2001:db8::5] ::1 4660 80\r\n",
           "PROXY TCP5 192.0.2.1 198.51.100.9 4660 80\r\n",
           "PROXY UDP4 192.0.2.1 198.51.100.9 4660 80\r\n",
           "PROXY TCP4 192.0.2.1 198.51.100.9 4660 80\n",
           "PROXY UNKNOWNS\r\n",
           "PROXY \r\n",
           "PROXY\r\n",
           "proxy UNKNOWN\r\n",
           "\r\nPROXY UNKNOWN\r\n",
           "GET / HTTP/1.1\r\n\r\n",
       })
    refuse(line);
}

BOOST_AUTO_TEST_CASE(a_binary_header_names_the_client) {
  BOOST_CHECK(client(binary_proxy_header(0x21, 0x11, addresses_v4)) == parse_address("192.0.2.1"));
  std::string const v6 = "\x20\x01\x0d\xb8" + std::string(11, '\0') + "\x05" + std::string(20, '\1');
  BOOST_CHECK(client(binary_proxy_header(0x21, 0x21, v6)) == parse_address("2001:db8::5"));
}

BOOST_AUTO_TEST_CASE(extensions_are_skipped_whatever_they_are) {
  BOOST_CHECK(client(binary_proxy_header(0x21, 0x11, std::string{addresses_v4} + "\xea\xff\xff?")) ==
              parse_address("192.0.2.1"));
  BOOST_CHECK(client(binary_proxy_header(0x21, 0x11, std::string{addresses_v4}.append(1'000, '\4'))) ==
              parse_address("192.0.2.1"));
}

BOOST_AUTO_TEST_CASE(a_binary_header_has_an_end) {
  BOOST_CHECK(!client(binary_proxy_header(0x20, 0, std::string(proxy_header_bytes_max - 16, 'x'))));
  refuse(binary_proxy_header(0x20, 0, std::string(proxy_header_bytes_max - 15, 'x')));
  refuse(binary_proxy_header(0x21, 0x11, std::string(65'535, '\4')));
}

BOOST_AUTO_TEST_CASE(the_proxys_own_connections_name_nobody_whatever_they_carry) {
  BOOST_CHECK(!client(binary_proxy_header(0x20, 0x00, "")));
  BOOST_CHECK(!client(binary_proxy_header(0x20, 0x11, addresses_v4)));
  BOOST_CHECK(!client(binary_proxy_header(0x20, 0xff, "anything")));
}

BOOST_AUTO_TEST_CASE(clients_without_an_address_of_tcp_are_not_named) {
  BOOST_CHECK(!client(binary_proxy_header(0x21, 0x00, "")));
  BOOST_CHECK(!client(binary_proxy_header(0x21, 0x00, "whatever")));
  BOOST_CHECK(!client(binary_proxy_header(0x21, 0x31, std::string(216, '/'))));
}

BOOST_AUTO_TEST_CASE(a_binary_header_of_another_kind_is_refused) {
  for (int const command : {0x00, 0x01, 0x11, 0x22, 0x2f, 0x31})
    refuse(binary_proxy_header(command, 0x11, addresses_v4));
  for (int const family : {0x01, 0x10, 0x12, 0x13, 0x22, 0x30, 0x32, 0x41, 0xff})
    refuse(binary_proxy_header(0x21, family, std::string(216, '\1')));
  refuse(binary_proxy_header(0x21, 0x11, addresses_v4.substr(1)));
  refuse(binary_proxy_header(0x21, 0x21, std::string(35, '\1')));
}

BOOST_AUTO_TEST_CASE(a_signature_with_another_byte_is_refused) {
  std::string const right = binary_proxy_header(0x21, 0x11, addresses_v4);
  for (std::size_t i = 0; i < 12; ++i) {
    auto wrong = right;
    wrong[i] = static_cast<char>(wrong[i] + 1);
    refuse(wrong);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
