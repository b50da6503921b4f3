// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "access/forwarded.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "access/client_address.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(forwarded)

namespace {

std::vector<std::string> elements_from_the_right(std::string_view value) {
  std::vector<std::string> all;
  while (!value.empty()) all.emplace_back(take_last_of_forwarded(value));
  return all;
}

bool is_for(std::string_view element, std::string_view address) {
  auto const found = parse_forwarded_for(element);
  return found && found == parse_address(address);
}

/// The client of a request from 10.0.0.1 with these Forwarded lines, where 10/8 is trusted.
raw_address client(std::vector<std::string_view> const& lines, forwarding_field by = forwarding_field::forwarded) {
  service_options options;
  options.trusted_proxies = {*address_range::parse("10.0.0.0/8")};
  options.forwarded_by = by;
  std::vector<header_field> fields{{"X-Forwarded-For", "198.51.100.1"}};
  for (auto const line : lines) fields.push_back({"forwarded", line});
  request req;
  req.fields = fields;
  req.peer = *parse_address("10.0.0.1");
  return find_client_address(req, options);
}

bool is_client(std::string_view address, std::vector<std::string_view> const& lines) {
  return client(lines) == parse_address(address);
}

BOOST_AUTO_TEST_CASE(commas_separate_elements_but_not_within_quotes) {
  using list = std::vector<std::string>;
  BOOST_TEST((elements_from_the_right("for=a, for=b") == list{"for=b", "for=a"}));
  BOOST_TEST((elements_from_the_right("for=a;by=\"x,y\" , for=b,") == list{"", "for=b", "for=a;by=\"x,y\""}));
  BOOST_TEST((elements_from_the_right(",") == list{""}));
}

BOOST_AUTO_TEST_CASE(an_element_says_for_whom_in_many_ways) {
  BOOST_TEST(is_for("for=192.0.2.43", "192.0.2.43"));
  BOOST_TEST(is_for("For=192.0.2.43", "192.0.2.43"));
  BOOST_TEST(is_for("for=\"192.0.2.43:47011\"", "192.0.2.43"));
  BOOST_TEST(is_for("for=\"[2001:db8:cafe::17]\"", "2001:db8:cafe::17"));
  BOOST_TEST(is_for("for=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"));
  BOOST_TEST(is_for("for=\"[2001:db8:cafe::17]:_obscure\"", "2001:db8:cafe::17"));
  BOOST_TEST(is_for("proto=https; for=192.0.2.43;by=203.0.113.43;;host=\"a;b,for=1.2.3.4\"", "192.0.2.43"));
}

BOOST_AUTO_TEST_CASE(an_element_may_say_it_of_nobody) {
  for (auto const* element :
       {"", ";", "for", "for=", "for=unknown", "for=_hidden", "for=\"_SEVKISEK\"", "proto=https", "by=192.0.2.43",
        "for=192.0.2.43;for=192.0.2.44", "for=\"192.0.2.43", "for=\"192.0.2.43\";by=\"", "for=192.0.2.256",
        "for=\"[2001:db8::1\"", "for=\"[2001:db8::1]x\"", "for=\"192.0.2.4\\3\"", "xfor=192.0.2.43",
        "host=\"a\\\";for=192.0.2.43"})
    BOOST_TEST(!parse_forwarded_for(element).has_value(), element);
}

BOOST_AUTO_TEST_CASE(the_rightmost_untrusted_address_of_all_lines_is_the_client) {
  BOOST_TEST(is_client("192.0.2.1", {"for=192.0.2.1;proto=https"}));
  BOOST_TEST(is_client("192.0.2.1", {"for=198.51.100.7, for=192.0.2.1", "for=10.0.0.2, for=\"10.0.0.3:80\""}));
  BOOST_TEST(is_client("10.0.0.1", {}));
}

BOOST_AUTO_TEST_CASE(who_hides_or_is_unknown_ends_the_walk) {
  BOOST_TEST(is_client("10.0.0.1", {"for=192.0.2.1, for=unknown"}));
  BOOST_TEST(is_client("10.0.0.2", {"for=192.0.2.1, for=_gateway, for=10.0.0.2"}));
  BOOST_TEST(is_client("10.0.0.1", {"for=192.0.2.1, by=10.0.0.1"}));
}

BOOST_AUTO_TEST_CASE(a_quote_that_a_client_leaves_open_hides_nothing_that_proxies_wrote) {
  BOOST_TEST(is_client("192.0.2.1", {"for=\"198.51.100.7, for=192.0.2.1"}));
  BOOST_TEST(is_client("192.0.2.1", {"for=\"198.51.100.7", "for=192.0.2.1, for=10.0.0.2"}));
  BOOST_TEST(is_client("192.0.2.1", {"by=\"\\\", for=\"192.0.2.1\""}));
}

BOOST_AUTO_TEST_CASE(quotes_that_do_not_close_name_nobody_whatever_stands_before_them) {
  std::string const open = "for=\"192.0.2.1\";proto=https, for=10.0.0.3\"";
  BOOST_TEST(is_client("10.0.0.1", {open}));
  BOOST_TEST(is_client("10.0.0.1", {"for=\"198.51.100.7, " + open}));
}

BOOST_AUTO_TEST_CASE(the_field_that_proxies_do_not_set_is_not_looked_at) {
  BOOST_TEST(is_client("192.0.2.1", {"for=192.0.2.1"}));
  BOOST_TEST((client({"for=192.0.2.1"}, forwarding_field::x_forwarded_for) == parse_address("198.51.100.1")));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
