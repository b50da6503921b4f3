// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/conditions.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(conditions)

namespace {

std::string read_key(std::vector<std::string> const& values) {
  std::vector<header_field> fields;
  for (auto const& value : values) fields.push_back({"Idempotency-Key", value});
  request req;
  req.fields = fields;
  auto const r = read_idempotency(req, 7);
  if (!r) return "fault: " + r.error().message;
  if (!*r) return "none";
  BOOST_TEST((*r)->identity == 7u);
  BOOST_TEST(((*r)->body_digest == sha256_digest{}));  // no body has been read
  return (*r)->key;
}

BOOST_AUTO_TEST_CASE(a_key_is_visible_ascii_and_loses_one_pair_of_quotes) {
  BOOST_TEST(read_key({}) == "none");
  BOOST_TEST(read_key({"abc"}) == "abc");
  BOOST_TEST(read_key({"\"abc\""}) == "abc");
  BOOST_TEST(read_key({"\"\"abc\"\""}) == "\"abc\"");
  BOOST_TEST(read_key({"\""}) == "\"");
  BOOST_TEST(read_key({std::string(255, '~')}) == std::string(255, '~'));
  BOOST_TEST(read_key({'"' + std::string(255, '!') + '"'}) == std::string(255, '!'));
}

BOOST_AUTO_TEST_CASE(a_key_that_seems_to_be_an_api_key_is_not_kept_as_it_is) {
  BOOST_TEST(read_key({"ps_live_abc"}) == "bc276066424f09399f476f32fc3084264584138f02a3591af82d44beb384ea88");
  BOOST_TEST(read_key({"\"ps_live_abc\""}) == read_key({"ps_live_abc"}));
  BOOST_TEST(read_key({"ps_live_abd"}) != read_key({"ps_live_abc"}));
}

BOOST_AUTO_TEST_CASE(a_malformed_or_repeated_key_is_a_fault) {
  std::string const rule = "fault: Idempotency-Key must be 1 to 255 visible ASCII characters.";
  for (auto const* bad : {"", "\"\"", "a b", "\"a b\"", "a\tb", "\xC3\xA4", "\x7f"})
    BOOST_TEST(read_key({bad}) == rule);
  BOOST_TEST(read_key({std::string(256, 'a')}) == rule);
  BOOST_TEST(read_key({"a", "a"}) == "fault: Idempotency-Key is given twice.");
}

BOOST_AUTO_TEST_CASE(lines_of_a_condition_are_one_list) {
  entity_tag const tag{3, 0x9a41c07e};
  std::vector<header_field> const fields{{"If-Match", "\"1-00000000\""}, {"if-match", "\"3-9a41c07e\""}};
  request req;
  req.fields = fields;
  auto const c = read_condition(req, known_field::if_match);
  BOOST_REQUIRE(c);
  BOOST_TEST(c->present());
  BOOST_TEST(c->matches_strong(tag));
  BOOST_TEST(!c->matches_strong({2, 0}));
  BOOST_TEST(!read_condition(req, known_field::if_none_match)->present());
}

BOOST_AUTO_TEST_CASE(an_empty_condition_line_is_not_the_same_as_none) {
  std::vector<header_field> const fields{{"If-Match", ""}};
  request req;
  req.fields = fields;
  auto const c = read_condition(req, known_field::if_match);
  BOOST_TEST((!c || (c->present() && !c->matches_strong({1, 1}))));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
