// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/query.hpp"

#include <boost/test/unit_test.hpp>

#include "petstore/cursor.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(query)

namespace {

list_query read(std::string_view query) {
  auto const r = list_parameters{record_kind::pet, query}.parse();
  BOOST_REQUIRE_MESSAGE(r, query << ": " << r.error().message);
  return *r;
}

std::string fault(std::string_view query) {
  auto const r = list_parameters{record_kind::pet, query}.parse();
  BOOST_REQUIRE_MESSAGE(!r, query << " was taken");
  BOOST_TEST((r.error().code == errc::invalid_request));
  return r.error().message;
}

std::string next(std::string_view query) {
  std::string out;
  list_parameters{record_kind::pet, query}.append_next(out);
  out.append("C");
  return out;
}

BOOST_AUTO_TEST_CASE(nothing_asked_is_the_first_page_of_twenty) {
  for (auto const* text : {"", "&", "&&", "other=1", "LIMIT=5", "limit%00=5"}) {
    auto const r = read(text);
    BOOST_TEST(r.limit == 20u);
    BOOST_TEST((r.filters == filter_values{}));
    BOOST_TEST(r.after == 0);
  }
}

BOOST_AUTO_TEST_CASE(known_parameters_are_read) {
  auto const r = read("limit=100&status=sold&categoryId=-7");
  BOOST_TEST(r.limit == 100u);
  BOOST_TEST((r.filters == pet_filters(pet_status::sold, -7)));
}

BOOST_AUTO_TEST_CASE(names_and_values_are_percent_decoded) {
  BOOST_TEST(read("%6Cimit=%35").limit == 5u);
  BOOST_TEST((read("status=%61vailable").filters == pet_filters(pet_status::available, {})));
  BOOST_TEST(fault("limit=%zz") == "limit must be an integer from 1 to 100");
  BOOST_TEST(fault("limit=%2535") == "limit must be an integer from 1 to 100");
}

BOOST_AUTO_TEST_CASE(a_limit_is_an_integer_from_1_to_100) {
  BOOST_TEST(read("limit=1").limit == 1u);
  for (auto const* bad :
       {"0", "101", "-1", "05", "5.0", "1e1", "five", "+5", "%205", "5%20", "4294967297", "99999999999999999999"}) {
    BOOST_TEST(fault(std::string{"limit="} + bad) == "limit must be an integer from 1 to 100", bad);
  }
}

BOOST_AUTO_TEST_CASE(a_known_parameter_twice_or_empty_is_a_fault) {
  BOOST_TEST(fault("limit=5&limit=5") == "limit is given twice");
  BOOST_TEST(fault("limit=5&li%6Dit=6") == "limit is given twice");
  BOOST_TEST(fault("limit=") == "limit is empty");
  BOOST_TEST(fault("limit") == "limit is empty");
  BOOST_TEST(fault("status=&categoryId=") == "status is empty; categoryId is empty");
  BOOST_TEST(fault("cursor=") == "cursor is empty");
}

BOOST_AUTO_TEST_CASE(unknown_parameters_may_be_anything) {
  BOOST_TEST(read("x=1&x=2&y=&%zz=%zz&=&limit=3").limit == 3u);
}

BOOST_AUTO_TEST_CASE(every_fault_is_named) {
  BOOST_TEST(
      fault("limit=0&status=lost&categoryId=x&cursor=y") ==
      "limit must be an integer from 1 to 100; status must be one of available, pending, sold; categoryId must be "
      "an integer within int64; cursor is none that this list gave out");
}

BOOST_AUTO_TEST_CASE(a_cursor_is_taken_with_its_own_filters_only) {
  auto const made = [](cursor c) { return "&cursor=" + to_string(c); };
  auto const plain = made({record_kind::pet, {}, 9});
  auto const sold = made({record_kind::pet, pet_filters(pet_status::sold, {}), 9});
  auto const of_seven = made({record_kind::pet, pet_filters({}, 7), 9});
  BOOST_TEST(read("limit=2" + plain).after == 9);
  BOOST_TEST(read("status=sold" + sold).after == 9);
  BOOST_TEST(read("categoryId=7" + of_seven).after == 9);
  BOOST_TEST(fault("status=sold" + plain) == "cursor belongs to other filters");
  BOOST_TEST(fault("status=available" + sold) == "cursor belongs to other filters");
  BOOST_TEST(fault("limit=1" + sold) == "cursor belongs to other filters");
  BOOST_TEST(fault("categoryId=8" + of_seven) == "cursor belongs to other filters");
  BOOST_TEST(fault(made({record_kind::order, {}, 9})) == "cursor is none that this list gave out");
  BOOST_TEST(fault("cursor=abc") == "cursor is none that this list gave out");
  BOOST_TEST(fault("cursor=" + std::string(500, 'A')) == "cursor is none that this list gave out");
}

BOOST_AUTO_TEST_CASE(the_next_query_keeps_the_other_known_parameters) {
  BOOST_TEST(next("") == "cursor=C");
  BOOST_TEST(next("limit=2&status=sold&categoryId=-7") == "limit=2&status=sold&categoryId=-7&cursor=C");
  BOOST_TEST(next("limit=2&cursor=B") == "limit=2&cursor=C");
  BOOST_TEST(next("c%75rsor=B&&%6cimit=%31%30") == "limit=10&cursor=C");
}

BOOST_AUTO_TEST_CASE(the_next_query_repeats_nothing_that_is_unknown) {
  BOOST_TEST(next("limit=2&x=a&y&LIMIT=3&status2=sold") == "limit=2&cursor=C");
  BOOST_TEST(next("key=ps_live_0123&limit=2") == "limit=2&cursor=C");
  BOOST_TEST(next("x=>;rel=\"next\"") == "cursor=C");
  BOOST_TEST(next(std::string(8'000, '"')) == "cursor=C");
}

BOOST_AUTO_TEST_CASE(unknown_parameters_are_refused_where_that_is_asked_and_never_repeated) {
  auto const refusal = [](std::string_view query) -> std::string {
    auto const r = list_parameters{record_kind::pet, query}.parse(unknown_parameters::refused);
    return r ? "" : r.error().message;
  };
  BOOST_TEST(refusal("") == "");
  BOOST_TEST(refusal("limit=5&status=sold&%63ategoryId=7&&") == "");
  std::string const told = "a parameter is none of limit, cursor, status, categoryId";
  for (auto const* text : {"stauts=sold", "LIMIT=5", "limit=5&x", "=", "ps_live_guess=1"})
    BOOST_TEST(refusal(text) == told, text);
  BOOST_TEST(refusal("limit=0&petId=1") == "limit must be an integer from 1 to 100; " + told);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
