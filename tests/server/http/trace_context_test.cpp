// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/trace_context.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "petstore/server/request.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(trace_context_)

namespace {

constexpr std::string_view example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

trace_context find(std::vector<std::string_view> const& lines) {
  std::vector<header_field> fields;
  for (auto const line : lines) fields.push_back({"TraceParent", line});
  request req;
  req.fields = fields;
  return find_trace_context(req);
}

BOOST_AUTO_TEST_CASE(it_names_the_trace_and_the_callers_span) {
  auto const found = find({example});
  BOOST_TEST(found.trace_id == "4bf92f3577b34da6a3ce929d0e0e4736");
  BOOST_TEST(found.parent_id == "00f067aa0ba902b7");
}

BOOST_AUTO_TEST_CASE(later_versions_may_say_more) {
  std::string const later = "cc" + std::string{example.substr(2)};
  BOOST_TEST(parse_traceparent(later).is_known());
  BOOST_TEST(parse_traceparent(later + "-what-the-future-brings").is_known());
  BOOST_TEST(!parse_traceparent(later + ".x").is_known());
  BOOST_TEST(!parse_traceparent(std::string{example} + "-x").is_known());
  BOOST_TEST(!parse_traceparent("ff" + std::string{example.substr(2)}).is_known());
}

BOOST_AUTO_TEST_CASE(no_byte_of_it_may_be_another) {
  for (std::size_t i = 0; i < example.size(); ++i)
    for (char const c : {'G', 'F', '_', ' '}) {
      std::string wrong{example};
      wrong[i] = c;
      BOOST_TEST(!parse_traceparent(wrong).is_known(), wrong);
    }
  for (std::size_t n = 0; n < example.size(); ++n) BOOST_TEST(!parse_traceparent(example.substr(0, n)).is_known());
}

BOOST_AUTO_TEST_CASE(zeros_name_nothing) {
  BOOST_TEST(!parse_traceparent("00-00000000000000000000000000000000-00f067aa0ba902b7-01").is_known());
  BOOST_TEST(!parse_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01").is_known());
}

BOOST_AUTO_TEST_CASE(two_of_them_are_as_good_as_none) {
  BOOST_TEST(!find({example, example}).is_known());
  BOOST_TEST(!find({}).is_known());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
