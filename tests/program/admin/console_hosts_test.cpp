// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/console_hosts.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(console_hosts_suite)

using namespace petstore::program;

BOOST_AUTO_TEST_CASE(addresses_in_numbers_and_localhost_always_are) {
  console_hosts const hosts;
  for (auto const* host : {"127.0.0.1", "127.0.0.1:9090", "10.0.0.11:9090", "[::1]:9090", "[2001:db8::7]", "localhost",
                           "localhost:9090", "LocalHost:9090", "localhost.:9090"})
    BOOST_TEST(hosts.has(host), host);
}

BOOST_AUTO_TEST_CASE(a_name_is_refused_that_nobody_allowed) {
  console_hosts const hosts;
  for (auto const* host : {"evil.example", "evil.example:9090", "127.0.0.1.evil.example", "localhost.evil.example", "1",
                           "127.1", "[::1", "[evil.example]:9090", ":9090", ".", "localhost.."})
    BOOST_TEST(!hosts.has(host), host);
}

BOOST_AUTO_TEST_CASE(a_name_of_the_configuration_is_allowed_in_any_case_and_with_any_port) {
  console_hosts const hosts({"console.pets.example", "node-1"});
  for (auto const* host :
       {"console.pets.example", "Console.Pets.Example:443", "console.pets.example.:9090", "node-1:9090"})
    BOOST_TEST(hosts.has(host), host);
  for (auto const* host : {"pets.example", "x.console.pets.example", "node-1.evil.example", "node-11"})
    BOOST_TEST(!hosts.has(host), host);
}

BOOST_AUTO_TEST_CASE(without_the_field_it_is_no_browser_that_asks) {
  BOOST_TEST(console_hosts{}.has(""));
}

BOOST_AUTO_TEST_SUITE_END()
