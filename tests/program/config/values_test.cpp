// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/values.hpp"

#include <boost/test/unit_test.hpp>

#include "petstore/order.hpp"

BOOST_AUTO_TEST_SUITE(values)

using namespace petstore::program;
using namespace std::chrono_literals;

namespace {

auto duration(std::string_view text) {
  return parse_duration(text, 0ms, 48h);
}
auto size(std::string_view text) {
  return parse_size(text, 0, std::uint64_t{1} << 40);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_duration_is_a_whole_number_and_its_unit) {
  BOOST_TEST((duration("250ms") == 250ms));
  BOOST_TEST((duration("10s") == 10s));
  BOOST_TEST((duration("5m") == 5min));
  BOOST_TEST((duration("24h") == 24h));
  BOOST_TEST((duration("2d") == 48h));
  BOOST_TEST((duration("0s") == 0ms));
}

BOOST_AUTO_TEST_CASE(what_is_no_duration_is_refused) {
  for (auto const* text : {"", "10", "s", "-1s", "+1s", " 1s", "1 s", "1s ", "1.5s", "1S", "1min", "1h30m",
                           "99999999999999999999s", "9223372036854775807d"}) {
    BOOST_TEST_INFO(text);
    BOOST_CHECK_THROW(duration(text), value_error);
  }
}

BOOST_AUTO_TEST_CASE(a_duration_outside_its_range_names_the_range) {
  BOOST_CHECK_EXCEPTION(parse_duration("2h", 250ms, 1h), value_error,
                        [](value_error const& e) { return std::string_view(e.what()) == "is outside 250ms to 1h"; });
  BOOST_TEST((parse_duration("1h", 250ms, 1h) == 1h));
  BOOST_TEST((parse_duration("250ms", 250ms, 1h) == 250ms));
}

BOOST_AUTO_TEST_CASE(a_size_is_bytes_or_binary_units) {
  BOOST_TEST(size("65536") == 65'536u);
  BOOST_TEST(size("64KiB") == 65'536u);
  BOOST_TEST(size("1MiB") == 1'048'576u);
  BOOST_TEST(size("2GiB") == 2'147'483'648u);
  for (auto const* text : {"", "64KB", "64k", "-1", "1.5MiB", "KiB", "64 KiB", "18446744073709551616"}) {
    BOOST_TEST_INFO(text);
    BOOST_CHECK_THROW(size(text), value_error);
  }
  BOOST_CHECK_THROW(parse_size("9", 10, 20), value_error);
}

BOOST_AUTO_TEST_CASE(a_host_name_has_no_scheme_no_port_and_no_star) {
  BOOST_TEST(parse_host_name("console.pets.example") == "console.pets.example");
  BOOST_TEST(parse_host_name("node-1") == "node-1");
  for (auto const* text : {"", "*", "http://node-1", "node-1:9090", "node-1/", "[::1]", "a b"}) {
    BOOST_TEST_INFO(text);
    BOOST_CHECK_THROW(parse_host_name(text), value_error);
  }
}

BOOST_AUTO_TEST_CASE(an_endpoint_is_an_address_and_a_port) {
  auto const v4 = parse_endpoint("127.0.0.1:8080");
  BOOST_TEST(v4.address().is_v4());
  BOOST_TEST(v4.port() == 8080);
  auto const v6 = parse_endpoint("[::1]:0");
  BOOST_TEST(v6.address().is_v6());
  BOOST_TEST(v6.port() == 0);
}

BOOST_AUTO_TEST_CASE(what_is_no_endpoint_is_refused) {
  for (auto const* text : {"", "127.0.0.1", ":8080", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:8080",
                           "[127.0.0.1]:80", "localhost:8080", "127.0.0.1:80a", "[::1]", "300.0.0.1:80"}) {
    BOOST_TEST_INFO(text);
    BOOST_CHECK_THROW(parse_endpoint(text), value_error);
  }
}

BOOST_AUTO_TEST_CASE(an_endpoint_survives_its_text) {
  for (auto const* text : {"127.0.0.1:8080", "[::1]:9090", "0.0.0.0:1", "[2001:db8::7]:65535"}) {
    BOOST_TEST(to_text(parse_endpoint(text)) == text);
  }
}

BOOST_AUTO_TEST_CASE(a_list_is_separated_by_commas) {
  BOOST_TEST(parse_list("").empty());
  BOOST_TEST(parse_list("a") == std::vector<std::string>{"a"});
  BOOST_TEST((parse_list("a, b ,c") == std::vector<std::string>{"a", "b", "c"}));
  BOOST_CHECK_THROW(parse_list("a,,b"), value_error);
}

BOOST_AUTO_TEST_CASE(an_integer_has_neither_plus_nor_fraction) {
  BOOST_TEST(parse_integer("0", 0, 9) == 0);
  BOOST_TEST(parse_integer("9", 0, 9) == 9);
  for (auto const* text : {"", "+1", "1.0", "1e1", "10", "-1", "0x1", " 1"}) {
    BOOST_TEST_INFO(text);
    BOOST_CHECK_THROW(parse_integer(text, 0, 9), value_error);
  }
}

BOOST_AUTO_TEST_CASE(a_choice_lists_what_it_could_have_been) {
  BOOST_CHECK_EXCEPTION(parse_choice<int>("c", {{"a", 1}, {"b", 2}}), value_error,
                        [](value_error const& e) { return std::string_view(e.what()) == "is none of a, b"; });
}

BOOST_AUTO_TEST_CASE(a_word_is_one_of_its_enumeration) {
  BOOST_TEST((parse_enumerator<petstore::order_status>("placed") == petstore::order_status::placed));
  auto const says = [](std::string_view text) { return [text](value_error const& e) { return e.what() == text; }; };
  BOOST_CHECK_EXCEPTION(parse_enumerator<petstore::order_status>("lost"), value_error,
                        says("is none of placed, approved, delivered, cancelled"));
  BOOST_CHECK_EXCEPTION(parse_enumerator<petstore::order_status>("lost", "none"), value_error,
                        says("is none of none, placed, approved, delivered, cancelled"));
}

BOOST_AUTO_TEST_CASE(a_base_address_has_a_scheme_and_no_end_slash) {
  BOOST_TEST(parse_base_url("https://api.example.com/v1") == "https://api.example.com/v1");
  BOOST_TEST(parse_base_url("http://[::1]:8080/v1") == "http://[::1]:8080/v1");
  for (auto const* text : {"", "api.example.com/v1", "ftp://a/v1", "https:///v1", "https://a/v1/", "https://a/v1?x",
                           "https://user:secret@a/v1", "https://a/v1#x"}) {
    BOOST_TEST_INFO(text);
    BOOST_CHECK_THROW(parse_base_url(text), value_error);
  }
}

BOOST_AUTO_TEST_CASE(an_origin_has_no_path) {
  BOOST_TEST(parse_origin("https://shop.example.com:8443") == "https://shop.example.com:8443");
  BOOST_TEST(parse_origin("*") == "*");
  for (auto const* text : {"", "shop.example.com", "https://a/", "https://a/b", "https://", "null"}) {
    BOOST_TEST_INFO(text);
    BOOST_CHECK_THROW(parse_origin(text), value_error);
  }
}

BOOST_AUTO_TEST_CASE(a_base_path_starts_with_a_slash_and_does_not_end_with_one) {
  BOOST_TEST(parse_base_path("/v1") == "/v1");
  BOOST_TEST(parse_base_path("/api/v1") == "/api/v1");
  for (auto const* text : {"", "/", "v1", "/v1/", "//v1", "/a//b", "/v 1", "/v%31", "/docs", "/livez"}) {
    BOOST_TEST_INFO(text);
    BOOST_CHECK_THROW(parse_base_path(text), value_error);
  }
}

BOOST_AUTO_TEST_CASE(a_contact_is_a_url_or_an_e_mail_address) {
  for (auto const* text : {"https://pets.example/help?to=us", "http://127.0.0.1", "help@pets.example"})
    BOOST_TEST(parse_contact(text) == text);
  for (auto const* text :
       {"", "help", "@pets.example", "help@", "a@b@c", "ftp://pets.example", "ftp://help@pets.example",
        "help @pets.example", "https://", "help@pets.example\n", "https://pets.example/\"x"}) {
    BOOST_TEST_INFO(text);
    BOOST_CHECK_THROW(parse_contact(text), value_error);
  }
}

BOOST_AUTO_TEST_SUITE_END()
