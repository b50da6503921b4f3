// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_list.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <string>

#include "admin/openapi/embedded.hpp"

using namespace petstore;
using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(admin_list_suite)

namespace {

admin_list keys(std::string_view query) {
  return {"keys", {"plan", "name"}, query};
}

/// The message of the error; empty if there is none.
std::string fault_of(std::string_view query) {
  auto list = keys(query);
  auto const page = list.finish();
  return page ? std::string{} : page.error().message;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_query_without_parameters_is_the_first_page) {
  auto list = keys("");
  auto const page = list.finish().value();
  BOOST_TEST(page.limit == 50u);
  BOOST_TEST(!page.after.has_value());
  BOOST_TEST(!list.text("plan").has_value());
}

BOOST_AUTO_TEST_CASE(the_limit_is_described_as_it_is_checked) {
  auto const document = boost::json::parse(embedded_admin_description());
  auto const& schema = document.at_pointer("/components/parameters/Limit/schema");
  BOOST_TEST(schema.at("maximum").to_number<std::uint32_t>() == admin_page::limit_max);
  BOOST_TEST(schema.at("default").to_number<std::uint32_t>() == admin_page{}.limit);
}

BOOST_AUTO_TEST_CASE(a_walk_keeps_its_parameters_and_no_others) {
  auto first = keys("limit=2&x=1&name=a%26b%20%c3%a4");
  BOOST_TEST(first.finish()->limit == 2u);
  BOOST_TEST(first.text("name").value() == "a&b \xc3\xa4");
  auto const next = first.next_query({17, 5});
  BOOST_TEST(next.starts_with("limit=2&name=a%26b%20%C3%A4&cursor="));
  auto second = keys(next);
  auto const page = second.finish().value();
  BOOST_TEST(page.limit == 2u);
  BOOST_TEST(page.after.value().number == 17u);
  BOOST_TEST(page.after.value().rank == 5u);
  BOOST_TEST(second.next_query({17, 5}) == next);
}

BOOST_AUTO_TEST_CASE(every_fault_is_named) {
  BOOST_TEST(fault_of("limit=0&plan=&name=a&name=b") ==
             "plan is empty; name is given twice; limit must be an integer from 1 to 200");
  for (auto const* query : {"limit=201", "limit=x", "limit=", "limit=01"}) BOOST_TEST(!fault_of(query).empty(), query);
  BOOST_TEST(fault_of("limit=200").empty());
}

BOOST_AUTO_TEST_CASE(a_cursor_belongs_to_its_list_and_its_filters) {
  auto const text = keys("plan=pro").next_query({9});
  auto const cursor = text.substr(text.find("cursor="));
  BOOST_TEST(fault_of("plan=pro&" + cursor).empty());
  BOOST_TEST(fault_of("plan=pro&limit=7&" + cursor).empty());
  BOOST_TEST(fault_of("plan=free&" + cursor) == "cursor belongs to other filters");
  BOOST_TEST(fault_of(cursor) == "cursor belongs to other filters");
  admin_list audit{"audit", {"plan", "name"}, "plan=pro&" + cursor};
  BOOST_TEST(!audit.finish().has_value());
  for (std::size_t at = std::string_view{"cursor="}.size(); at < cursor.size(); ++at) {
    auto damaged = cursor;
    damaged[at] = damaged[at] == '0' ? '1' : '0';
    BOOST_TEST(fault_of("plan=pro&" + damaged) == "cursor is none that this list gave out");
  }
  BOOST_TEST(!fault_of("plan=pro&" + cursor + "0").empty());
}

BOOST_AUTO_TEST_SUITE_END()
