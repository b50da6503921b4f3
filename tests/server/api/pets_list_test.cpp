// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <vector>

#include "server/api/shop_with_key.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(list_pets)

namespace {

/// The path and query of the next page; empty without one.
std::string next_of(answer const& page) {
  auto const link = page.field("Link");
  if (link.empty()) return {};
  BOOST_REQUIRE(link.starts_with("<") && link.ends_with(">; rel=\"next\""));
  return link.substr(1, link.find('>') - 1);
}

std::vector<std::int64_t> ids_of(answer const& page) {
  BOOST_REQUIRE_MESSAGE(page.status == 200, page.body);
  auto const list = page.json();
  std::vector<std::int64_t> ids;
  for (auto const& entry : list.as_array()) ids.push_back(entry.at("id").as_int64());
  return ids;
}

BOOST_AUTO_TEST_CASE(an_empty_shop_is_an_empty_list) {
  shop_with_key s;
  auto const a = s.get("/v1/pets", s.key);
  BOOST_TEST(a.status == 200u);
  BOOST_TEST(a.body == "[]");
  BOOST_TEST(a.field("Link") == "");
}

BOOST_AUTO_TEST_CASE(a_page_has_twenty_and_the_last_has_no_successor) {
  shop_with_key s;
  s.add_pets(40);
  auto const first = s.get("/v1/pets", s.key);
  BOOST_TEST(ids_of(first).size() == 20u);
  auto const second = s.get(next_of(first), s.key);
  BOOST_TEST(ids_of(second).front() == 21);
  BOOST_TEST(ids_of(second).size() == 20u);
  BOOST_TEST(next_of(second) == "");
}

BOOST_AUTO_TEST_CASE(a_link_keeps_every_known_parameter_and_no_other) {
  shop_with_key s;
  s.add_pets(3);
  auto const next = next_of(s.get("/v1/pets?x=%3E&status=available&limit=1&categoryId=1", s.key));
  BOOST_TEST(next.starts_with("/v1/pets?limit=1&status=available&categoryId=1&cursor="));
  auto const after = next_of(s.get(next, s.key));
  BOOST_TEST(after.starts_with("/v1/pets?limit=1&status=available&categoryId=1&cursor="));
  BOOST_TEST(after != next);
}

BOOST_AUTO_TEST_CASE(a_cursor_of_other_filters_is_refused) {
  shop_with_key s;
  s.add_pets(2);
  auto const next = next_of(s.get("/v1/pets?limit=1&status=available", s.key));
  auto const cursor = next.substr(next.find("cursor="));
  BOOST_TEST(s.get("/v1/pets?status=available&" + cursor, s.key).status == 200u);
  BOOST_TEST(s.get("/v1/pets?status=sold&" + cursor, s.key).status == 400u);
  BOOST_TEST(s.get("/v1/pets?" + cursor, s.key).status == 400u);
  BOOST_TEST(s.get("/v1/pets?status=available&categoryId=1&" + cursor, s.key).status == 400u);
  BOOST_TEST(s.get("/v1/store/orders?" + cursor, s.key).status == 400u);
}

BOOST_AUTO_TEST_CASE(filters_choose) {
  shop_with_key s;
  s.post(R"({"name":"a","categoryId":1,"status":"available"})");
  s.post(R"({"name":"b","categoryId":2,"status":"available"})");
  s.post(R"({"name":"c","categoryId":1,"status":"sold"})");
  s.post(R"({"name":"d","categoryId":1})");
  using ids = std::vector<std::int64_t>;
  BOOST_TEST(ids_of(s.get("/v1/pets?status=available", s.key)) == (ids{1, 2}));
  BOOST_TEST(ids_of(s.get("/v1/pets?categoryId=1", s.key)) == (ids{1, 3, 4}));
  BOOST_TEST(ids_of(s.get("/v1/pets?categoryId=1&status=sold", s.key)) == (ids{3}));
  BOOST_TEST(ids_of(s.get("/v1/pets?categoryId=3", s.key)).empty());
}

BOOST_AUTO_TEST_CASE(a_walk_over_a_changing_shop_yields_none_twice_and_skips_none) {
  shop_with_key s;
  s.add_pets(30);
  std::vector<std::int64_t> seen;
  int step = 0;
  for (std::string next = "/v1/pets?status=available&limit=4"; !next.empty(); ++step) {
    auto const page = s.get(next, s.key);
    for (auto const id : ids_of(page)) seen.push_back(id);
    next = next_of(page);
    // Behind the walk, before it and at the place where it stands.
    if (step == 1) s.remove("/v1/pets/8");
    if (step == 2) s.patch("/v1/pets/25", R"({"status":"sold"})");
    if (step == 3) s.patch("/v1/pets/2", R"({"status":"pending"})");
    if (step < 5) s.add_pets(1);
  }
  std::set<std::int64_t> const distinct(seen.begin(), seen.end());
  BOOST_TEST(distinct.size() == seen.size());
  BOOST_TEST(std::ranges::is_sorted(seen));
  for (std::int64_t id = 1; id <= 30; ++id) BOOST_TEST(distinct.contains(id) == (id != 25), id);
}

BOOST_AUTO_TEST_CASE(every_parameter_at_fault_is_named) {
  shop_with_key s;
  auto const a = s.get("/v1/pets?limit=101&status=lost&categoryId=1e3&cursor=x", s.key);
  BOOST_TEST(a.status == 400u);
  for (auto const* name : {"limit", "status", "categoryId", "cursor"})
    BOOST_TEST(a.message().find(name) != std::string::npos, name);
}

BOOST_AUTO_TEST_CASE(head_is_answered_as_get) {
  shop_with_key s;
  s.add_pets(2);
  auto const head = s.ask({.method = method::head, .target = "/v1/pets?limit=1", .key = s.key});
  BOOST_TEST(head.status == 200u);
  BOOST_TEST(head.operation == "listPets");
  BOOST_TEST(next_of(head) != "");
}

BOOST_AUTO_TEST_CASE(a_misspelled_filter_is_ignored_or_refused_as_the_setting_says) {
  shop_with_key lenient;
  BOOST_TEST(lenient.get("/v1/pets?stauts=sold", lenient.key).status == 200u);
  service_options options;
  options.refuse_unknown_parameters = true;
  service_fixture strict{options};
  auto const key = strict.make_key();
  check_error(strict.get("/v1/pets?stauts=sold", key), errc::invalid_request);
  check_error(strict.get("/v1/store/orders?categoryId=1", key), errc::invalid_request);
  check_error(strict.get("/v1/categories?status=sold", key), errc::invalid_request);
  BOOST_TEST(strict.get("/v1/pets?status=sold&limit=1", key).status == 200u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
