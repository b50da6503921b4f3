// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/router.hpp"

#include <boost/test/unit_test.hpp>

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(router_table)

namespace {

std::string_view name_of(route const& r) {
  return r.operation ? r.operation->name : std::string_view{};
}

std::string allow_of(route const& r) {
  std::string out;
  append_allow(out, r);
  return out;
}

BOOST_AUTO_TEST_CASE(every_operation_is_found_at_its_path) {
  router const r{"/v1"};
  for (auto const& op : operations) {
    if (&op == &documentation_row) continue;  // not below the base path
    std::string path = "/v1" + std::string{op.path};
    auto const brace = path.find('{');
    if (brace != std::string::npos) path.replace(brace, std::string::npos, "42");
    auto const found = r.match(op.method, path);
    BOOST_TEST(found.may_exist());
    BOOST_TEST(name_of(found) == op.name);
    BOOST_TEST(found.id() == (brace == std::string::npos ? 0 : 42));
  }
}

BOOST_AUTO_TEST_CASE(head_comes_with_get) {
  router const r{"/v1"};
  BOOST_TEST(name_of(r.match(method::head, "/v1/pets")) == "listPets");
  BOOST_TEST(name_of(r.match(method::head, "/v1/pets/1")) == "getPet");
}

BOOST_AUTO_TEST_CASE(other_paths_do_not_exist) {
  router const r{"/v1"};
  for (auto const* path : {"",
                           "/",
                           "/v1",
                           "/v1/",
                           "/pets",
                           "/v1/pets/",
                           "/v1//pets",
                           "//v1/pets",
                           "/v1/pets/1/",
                           "/v1/pets/1/x",
                           "/v1/pet",
                           "/v1/petss",
                           "/v1/PETS",
                           "/V1/pets",
                           "/v2/pets",
                           "/v1/store",
                           "/v1/store/",
                           "/v1/store/orders/1/2",
                           "/v1/./pets",
                           "/v1/../v1/pets",
                           "*",
                           "v1/pets",
                           "/v1/pets%2F1",
                           "/v1%2Fpets",
                           "/v1/store%2Forders",
                           "/v1/pets%",
                           "/v1/{petId}"}) {
    BOOST_TEST(!r.match(method::get, path).may_exist(), path);
  }
}

BOOST_AUTO_TEST_CASE(an_empty_segment_is_no_id) {
  router const r{"/v1"};
  BOOST_TEST(r.match(method::get, "/v1/pets/").resource == nullptr);
  BOOST_TEST(r.match(method::get, "/v1/pets/x").resource != nullptr);
}

BOOST_AUTO_TEST_CASE(segments_are_decoded_once_after_splitting) {
  router const r{"/v1"};
  BOOST_TEST(name_of(r.match(method::get, "/%761/%70ets")) == "listPets");
  BOOST_TEST(r.match(method::get, "/v1/pets/%31%32").id() == 12);
  BOOST_TEST(!r.match(method::get, "/v1/%2570ets").may_exist());
  BOOST_TEST(!r.match(method::get, "/v1/pets/%zz").may_exist());
}

BOOST_AUTO_TEST_CASE(ids_are_integers_within_int64) {
  router const r{"/v1"};
  auto const id = [&](std::string const& text) { return r.match(method::get, "/v1/pets/" + text); };
  BOOST_TEST(id("0").id() == 0);
  BOOST_TEST(id("-1").id() == -1);
  BOOST_TEST(id("9223372036854775807").id() == INT64_MAX);
  BOOST_TEST(id("-9223372036854775808").id() == INT64_MIN);
  for (auto const* bad : {"00", "01", "-0", "+1", "1.0", "1e3", " 1", "1 ", "%201", "abc", "0x10",
                          "9223372036854775808", "-9223372036854775809", "99999999999999999999999999", "%31%zz"}) {
    auto const found = id(bad);
    BOOST_TEST(!found.may_exist(), bad);
    // The template matched all the same: the answers are getPet's.
    BOOST_TEST(name_of(found) == "getPet", bad);
  }
}

BOOST_AUTO_TEST_CASE(a_method_that_a_path_does_not_have_is_no_operation) {
  router const r{"/v1"};
  auto const found = r.match(method::put, "/v1/pets/1");
  BOOST_TEST(found.may_exist());
  BOOST_TEST(found.operation == nullptr);
}

BOOST_AUTO_TEST_CASE(allow_lists_what_the_table_has) {
  router const r{"/v1"};
  BOOST_TEST(allow_of(r.match(method::get, "/v1/pets")) == "GET, HEAD, POST, OPTIONS");
  BOOST_TEST(allow_of(r.match(method::get, "/v1/pets/1")) == "GET, HEAD, PATCH, DELETE, OPTIONS");
  BOOST_TEST(allow_of(r.match(method::get, "/v1/categories")) == "GET, HEAD, POST, OPTIONS");
  BOOST_TEST(allow_of(r.match(method::get, "/v1/categories/1")) == "GET, HEAD, OPTIONS");
  BOOST_TEST(allow_of(r.match(method::get, "/v1/store/orders")) == "GET, HEAD, POST, OPTIONS");
  BOOST_TEST(allow_of(r.match(method::get, "/v1/store/orders/1")) == "GET, HEAD, PATCH, OPTIONS");
  BOOST_TEST(allow_of(r.match(method::get, "/v1/quota")) == "GET, HEAD, OPTIONS");
  std::string all;
  append_allow_of_service(all);
  BOOST_TEST(all == "GET, HEAD, POST, PATCH, DELETE, OPTIONS");
}

BOOST_AUTO_TEST_CASE(the_base_path_may_be_deep_or_absent) {
  BOOST_TEST(name_of(router{"/shop/api/v1"}.match(method::get, "/shop/api/v1/pets")) == "listPets");
  BOOST_TEST(!router{"/shop/api/v1"}.match(method::get, "/v1/pets").may_exist());
  BOOST_TEST(name_of(router{""}.match(method::get, "/pets")) == "listPets");
  BOOST_TEST(!router{""}.match(method::get, "/v1/pets").may_exist());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
