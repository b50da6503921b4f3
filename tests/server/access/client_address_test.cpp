// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "access/client_address.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(client_address)

namespace {

raw_address address(std::string_view text) {
  auto const a = parse_address(text);
  BOOST_REQUIRE_MESSAGE(a, text << " is no address");
  return *a;
}

bool is_in(std::string_view range, std::string_view a) {
  auto const r = address_range::parse(range);
  BOOST_REQUIRE_MESSAGE(r, range << " is no range");
  return r->contains(address(a));
}

/// The client of a request from `peer` with these X-Forwarded-For lines, where 10/8 and 2001:db8:9::/48 are trusted.
raw_address client(std::string_view peer, std::vector<std::string_view> const& lines) {
  service_options options;
  options.trusted_proxies = {*address_range::parse("10.0.0.0/8"), *address_range::parse("2001:db8:9::/48")};
  std::vector<header_field> fields{{"Host", "example.net"}};
  for (auto const line : lines) fields.push_back({"x-forwarded-for", line});
  request req;
  req.fields = fields;
  req.peer = address(peer);
  return find_client_address(req, options);
}

BOOST_AUTO_TEST_CASE(ranges_hold_what_their_prefix_says) {
  BOOST_TEST(is_in("10.0.0.0/8", "10.255.0.1"));
  BOOST_TEST(!is_in("10.0.0.0/8", "11.0.0.1"));
  BOOST_TEST(is_in("192.0.2.128/25", "192.0.2.200"));
  BOOST_TEST(!is_in("192.0.2.128/25", "192.0.2.127"));
  BOOST_TEST(is_in("192.0.2.1", "192.0.2.1"));
  BOOST_TEST(!is_in("192.0.2.1", "192.0.2.2"));
  BOOST_TEST(is_in("0.0.0.0/0", "203.0.113.1"));
  BOOST_TEST(!is_in("0.0.0.0/0", "2001:db8::1"));
  BOOST_TEST(is_in("2001:db8::/33", "2001:db8:7fff::1"));
  BOOST_TEST(!is_in("2001:db8::/33", "2001:db8:8000::1"));
  BOOST_TEST(is_in("::1/128", "::1"));
}

BOOST_AUTO_TEST_CASE(what_is_no_range_is_refused) {
  for (auto const* bad : {"", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8x", "::/129", "10.0.0/8",
                          "example.net", "10.0.0.0/8/8", "fe80::1%eth0"})
    BOOST_TEST(!address_range::parse(bad).has_value(), bad);
}

BOOST_AUTO_TEST_CASE(a_zero_byte_does_not_end_an_address) {
  BOOST_TEST(!parse_address({"::1\0", 4}));
  BOOST_TEST(!parse_address({"10.0.0.1\0.example", 17}));
}

BOOST_AUTO_TEST_CASE(an_address_is_written_as_it_is_read) {
  for (auto const* text : {"192.0.2.1", "2001:db8::5", "::1"}) BOOST_TEST(address_text(address(text)) == text);
}

BOOST_AUTO_TEST_CASE(loopback_is_127_and_1) {
  BOOST_TEST(is_loopback(address("127.0.0.1")));
  BOOST_TEST(is_loopback(address("127.9.9.9")));
  BOOST_TEST(is_loopback(address("::1")));
  BOOST_TEST(!is_loopback(address("128.0.0.1")));
  BOOST_TEST(!is_loopback(address("::2")));
}

BOOST_AUTO_TEST_CASE(an_untrusted_peer_is_the_client_whatever_it_says) {
  BOOST_TEST(client("203.0.113.1", {"192.0.2.1"}) == address("203.0.113.1"));
}

BOOST_AUTO_TEST_CASE(a_trusted_peer_without_the_field_is_the_client) {
  BOOST_TEST(client("10.0.0.1", {}) == address("10.0.0.1"));
  BOOST_TEST(client("10.0.0.1", {" , ,"}) == address("10.0.0.1"));
}

BOOST_AUTO_TEST_CASE(the_rightmost_untrusted_address_counts) {
  BOOST_TEST(client("10.0.0.1", {"192.0.2.1"}) == address("192.0.2.1"));
  BOOST_TEST(client("10.0.0.1", {"198.51.100.7, 192.0.2.1, 10.0.0.2"}) == address("192.0.2.1"));
  BOOST_TEST(client("2001:db8:9::1", {"2001:db8::5,10.3.3.3"}) == address("2001:db8::5"));
}

BOOST_AUTO_TEST_CASE(all_lines_are_one_list) {
  BOOST_TEST(client("10.0.0.1", {"198.51.100.7", "192.0.2.1"}) == address("192.0.2.1"));
  BOOST_TEST(client("10.0.0.1", {"198.51.100.7", "10.0.0.2", "10.0.0.3"}) == address("198.51.100.7"));
}

BOOST_AUTO_TEST_CASE(where_all_are_trusted_the_leftmost_counts) {
  BOOST_TEST(client("10.0.0.1", {"10.0.0.9, 10.0.0.2"}) == address("10.0.0.9"));
}

BOOST_AUTO_TEST_CASE(a_malformed_element_ends_the_search) {
  BOOST_TEST(client("10.0.0.1", {"192.0.2.1, unknown, 10.0.0.2"}) == address("10.0.0.2"));
  BOOST_TEST(client("10.0.0.1", {"192.0.2.1, 10.0.0.2, _hidden"}) == address("10.0.0.1"));
  BOOST_TEST(client("10.0.0.1", {"192.0.2.1, 999.1.1.1"}) == address("10.0.0.1"));
  std::string const long_element = "192.0.2.1, " + std::string(300, '1');
  BOOST_TEST(client("10.0.0.1", {long_element}) == address("10.0.0.1"));
}

BOOST_AUTO_TEST_CASE(a_port_beside_the_address_is_left_out) {
  BOOST_TEST(client("10.0.0.1", {"192.0.2.1:4711"}) == address("192.0.2.1"));
  BOOST_TEST(client("10.0.0.1", {"[2001:db8::5]:4711"}) == address("2001:db8::5"));
  BOOST_TEST(client("10.0.0.1", {"[2001:db8::5]"}) == address("2001:db8::5"));
  BOOST_TEST(client("10.0.0.1", {"[2001:db8::5"}) == address("10.0.0.1"));
  BOOST_TEST(client("10.0.0.1", {"[2001:db8::5]x"}) == address("10.0.0.1"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
