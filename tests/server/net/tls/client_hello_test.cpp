// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/client_hello.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using petstore::server::tls::client_hello_bytes_max;
using petstore::server::tls::is_whole_client_hello;

namespace {

std::string record(std::string const& payload) {
  return std::string{"\x16\x03\x01"} + static_cast<char>(payload.size() >> 8) + static_cast<char>(payload.size()) +
         payload;
}

/// A message of that type with `size` bytes in it.
std::string message(char type, std::size_t size) {
  return std::string{type, static_cast<char>(size >> 16), static_cast<char>(size >> 8), static_cast<char>(size)} +
         std::string(size, 'x');
}

}  // namespace

BOOST_AUTO_TEST_SUITE(client_hello)

BOOST_AUTO_TEST_CASE(it_is_whole_with_its_last_byte_and_not_before) {
  auto const hello = record(message(1, 300));
  for (std::size_t size = 0; size < hello.size(); ++size)
    BOOST_TEST(!is_whole_client_hello(hello.substr(0, size)), size);
  BOOST_TEST(is_whole_client_hello(hello));
  BOOST_TEST(is_whole_client_hello(hello + "what follows"));
}

BOOST_AUTO_TEST_CASE(it_may_come_in_several_records_of_any_size) {
  auto const whole = message(1, 40);
  for (std::size_t const size : {1u, 2u, 3u, 5u, 40u, 43u}) {
    std::string records;
    for (std::size_t at = 0; at < whole.size(); at += size) {
      BOOST_TEST(!is_whole_client_hello(records));
      records += record(whole.substr(at, size));
    }
    BOOST_TEST(is_whole_client_hello(records));
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_waited_for_that_cannot_become_one) {
  BOOST_TEST(is_whole_client_hello("\x15"));                   // an alert
  BOOST_TEST(is_whole_client_hello("\x80"));                   // SSL 2
  BOOST_TEST(is_whole_client_hello(record("\x02")));           // a ServerHello
  BOOST_TEST(is_whole_client_hello(record("")));               // an empty record
  BOOST_TEST(is_whole_client_hello("\x16\x03\x01\x40\x01"));   // a record that is too long
  BOOST_TEST(is_whole_client_hello(record("\x01") + "\x17"));  // another record in the middle of the message
}

BOOST_AUTO_TEST_CASE(it_is_waited_for_up_to_a_limit) {
  auto const dripped = record(std::string{"\x01\xff\xff\xff"});
  std::string bytes = dripped;
  while (bytes.size() + dripped.size() < client_hello_bytes_max) bytes += dripped;
  BOOST_TEST(!is_whole_client_hello(bytes));
  BOOST_TEST(is_whole_client_hello(bytes + dripped));
}

BOOST_AUTO_TEST_SUITE_END()
