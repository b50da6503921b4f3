// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "safety.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_safety)

namespace {

/// Addresses only, so that nobody is asked for a name.
std::vector<destination> to(std::initializer_list<char const*> urls) {
  std::vector<destination> all;
  for (auto const* url : urls) {
    auto t = parse_target(url).value.value();
    auto addresses = resolve(t).value.value();
    all.push_back({std::move(t), std::move(addresses)});
  }
  return all;
}

std::optional<std::string> nobody(std::string const&) {
  return std::nullopt;
}

BOOST_AUTO_TEST_CASE(this_machine_may_always_be_loaded) {
  BOOST_TEST(!refusal(to({"http://127.0.0.1:8080", "http://[::1]"}), {}, nobody).has_value());
}

BOOST_AUTO_TEST_CASE(another_one_only_by_its_exact_name) {
  auto const elsewhere = to({"http://192.0.2.1:8080"});
  BOOST_TEST(refusal(elsewhere, {}, nobody).value().find("--yes-i-may-load 192.0.2.1") != std::string::npos);
  BOOST_TEST(!refusal(elsewhere, std::vector<std::string>{"192.0.2.1"}, nobody).has_value());
  for (auto const* name : {"192.0.2.10", "192.0.2.", "", "192.0.2.1:8080", "yes"})
    BOOST_TEST(refusal(elsewhere, std::vector<std::string>{name}, nobody).has_value(), name);
}

BOOST_AUTO_TEST_CASE(each_of_several_must_be_permitted) {
  auto const several = to({"http://127.0.0.1", "http://192.0.2.1", "http://192.0.2.2"});
  BOOST_TEST(refusal(several, std::vector<std::string>{"192.0.2.1"}, nobody).has_value());
  BOOST_TEST(!refusal(several, std::vector<std::string>{"192.0.2.2", "192.0.2.1"}, nobody).has_value());
}

BOOST_AUTO_TEST_CASE(a_name_that_also_leads_elsewhere_is_not_this_machine) {
  auto mixed = to({"http://127.0.0.1"});
  mixed.front().addresses.push_back(to({"http://192.0.2.1"}).front().addresses.front());
  BOOST_TEST(refusal(mixed, {}, nobody).has_value());
}

BOOST_AUTO_TEST_CASE(a_person_permits_by_typing_the_name_once) {
  auto const elsewhere = to({"http://192.0.2.1", "http://192.0.2.1:81"});
  int asked = 0;
  auto const types = [&](std::string const& line) {
    return [&asked, line](std::string const& question) -> std::optional<std::string> {
      ++asked;
      BOOST_TEST(question.find("192.0.2.1") != std::string::npos);
      return line;
    };
  };
  BOOST_TEST(!refusal(elsewhere, {}, types("192.0.2.1")).has_value());
  BOOST_TEST(asked == 1);
  for (auto const* line : {"y", "yes", "", "192.0.2.2"}) BOOST_TEST(refusal(elsewhere, {}, types(line)).has_value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
