// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>

#include "contract/expectations.hpp"
#include "contract/walk.hpp"

using namespace contract;

namespace {

// Each case lists a category of its own, so that the cases do not disturb each other in the shared store.
std::string pet_of(std::int64_t category, const std::string& status = {}) {
  return R"({"name":"Rex","categoryId":)" + std::to_string(category) +
         (status.empty() ? "" : R"(,"status":")" + status + '"') + "}";
}

std::vector<std::int64_t> make_pets(client& api, int count, std::int64_t category, const std::string& status = {}) {
  std::vector<std::int64_t> ids;
  for (int i = 0; i < count; ++i) ids.push_back(api.make_pet(pet_of(category, status)));
  return ids;
}

std::string in_category(std::int64_t category) {
  return "/v1/pets?categoryId=" + std::to_string(category);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(list_pets, on_open_node, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(a_page_has_twenty_entries_unless_asked_otherwise) {
  const auto ids = make_pets(api, 25, 1001);
  const answer page = api.get(in_category(1001));
  BOOST_TEST(page.status == 200);
  BOOST_TEST(ids_of(page) == std::vector<std::int64_t>(ids.begin(), ids.begin() + 20),
             boost::test_tools::per_element());
  BOOST_TEST(link_of(page, "next").has_value());
}

BOOST_AUTO_TEST_CASE(an_empty_list_is_an_empty_array) {
  const answer page = api.get(in_category(1002));
  BOOST_TEST(page.status == 200);
  BOOST_TEST(page.value().elements().empty());
  BOOST_TEST(!page.has("Link"));
}

BOOST_AUTO_TEST_CASE(entries_are_whole_animals) {
  const std::int64_t id = api.make_pet(R"({"name":"Zoë","categoryId":1003,"status":"sold"})");
  const answer page = api.get(in_category(1003));
  BOOST_REQUIRE(page.value().size() == 1U);
  const json pet = page.value()[0];
  BOOST_TEST(pet.size() == 4U);
  BOOST_TEST(pet["id"].integer() == id);
  BOOST_TEST(pet["name"].text() == "Zoë");
  BOOST_TEST(pet["categoryId"].integer() == 1003);
  BOOST_TEST(pet["status"].text() == "sold");
}

BOOST_AUTO_TEST_CASE(a_page_that_ends_with_the_last_entry_has_no_link) {
  make_pets(api, 3, 1004);
  BOOST_TEST(!api.get(in_category(1004) + "&limit=3").has("Link"));
  BOOST_TEST(!api.get(in_category(1004) + "&limit=4").has("Link"));
  BOOST_TEST(link_of(api.get(in_category(1004) + "&limit=2"), "next").has_value());
}

BOOST_AUTO_TEST_CASE(the_link_is_an_absolute_path_that_keeps_every_known_parameter) {
  make_pets(api, 3, 1005, "sold");
  const auto next =
      link_of(api.get("/v1/pets?limit=2&status=sold&categoryId=1005&colour=red&" + std::string(6'000, '"')), "next");
  BOOST_REQUIRE(next.has_value());
  BOOST_TEST(next->starts_with("/v1/pets?"));
  const std::string query = '&' + next->substr(next->find('?') + 1) + '&';
  for (const char* kept : {"&limit=2&", "&status=sold&", "&categoryId=1005&"}) {
    BOOST_TEST(query.find(kept) != std::string::npos, *next << " lacks " << kept);
  }
  BOOST_TEST(query.find("&cursor=") != std::string::npos);
  BOOST_TEST(query.size() < 100U);
  const auto last = api.get(*next);
  BOOST_TEST(last.value().size() == 1U);
  BOOST_TEST(!last.has("Link"));
}

BOOST_AUTO_TEST_CASE(a_walk_meets_every_match_once_in_order_whatever_the_filters) {
  std::vector<std::int64_t> all, available, sold, in_1006, sold_in_1006;
  for (int i = 0; i < 30; ++i) {
    const std::int64_t category = i % 2 == 0 ? 1006 : 1007;
    const std::string status = i % 3 == 0 ? "sold" : i % 3 == 1 ? "available" : "";
    const std::int64_t id = api.make_pet(pet_of(category, status));
    all.push_back(id);
    if (status == "available") available.push_back(id);
    if (status == "sold") sold.push_back(id);
    if (category == 1006) in_1006.push_back(id);
    if (category == 1006 && status == "sold") sold_in_1006.push_back(id);
  }
  // Other cases have left animals without these categories; they are older.
  const auto from_here = [&](std::vector<std::int64_t> ids) {
    std::erase_if(ids, [&](std::int64_t id) { return id < all.front(); });
    return ids;
  };
  using boost::test_tools::per_element;
  BOOST_TEST(walk(api, in_category(1006) + "&limit=4") == in_1006, per_element());
  BOOST_TEST(walk(api, in_category(1006) + "&status=sold&limit=1") == sold_in_1006, per_element());
  BOOST_TEST(from_here(walk(api, "/v1/pets?limit=7")) == all, per_element());
  BOOST_TEST(from_here(walk(api, "/v1/pets?status=available&limit=3")) == available, per_element());
  BOOST_TEST(from_here(walk(api, "/v1/pets?status=sold&limit=100")) == sold, per_element());
}

BOOST_AUTO_TEST_CASE(a_walk_survives_changes_between_its_pages) {
  const auto before = make_pets(api, 24, 1008, "available");
  std::set<std::int64_t> steady(before.begin(), before.end());
  std::size_t step = 0;
  const auto disturb = [&] {
    // A listed animal and one that is not listed yet leave the list, by deletion or by a change; a new one is added.
    for (const std::size_t index : {step, before.size() - 1 - step}) {
      const std::string target = pet_path(before[index]);
      const answer gone = step % 2 == 0 ? api.del(target) : api.patch(target, R"({"status":"sold"})");
      BOOST_TEST(gone.status / 100 == 2);
      steady.erase(before[index]);
    }
    make_pets(api, 1, 1008, "available");
    ++step;
  };
  const auto met = walk(api, in_category(1008) + "&status=available&limit=5", [&] {
    if (step < 4) disturb();
  });
  BOOST_TEST(std::is_sorted(met.begin(), met.end()));
  BOOST_TEST((std::set<std::int64_t>(met.begin(), met.end()).size() == met.size()), "one was met twice");
  for (const std::int64_t id : steady) {
    BOOST_TEST((std::find(met.begin(), met.end(), id) != met.end()), id << " was skipped");
  }
}

BOOST_AUTO_TEST_CASE(a_cursor_outlives_the_entry_it_stands_on) {
  const auto ids = make_pets(api, 4, 1009);
  const auto next = link_of(api.get(in_category(1009) + "&limit=2"), "next");
  BOOST_REQUIRE(next.has_value());
  BOOST_TEST(api.del(pet_path(ids[1])).status == 204);
  BOOST_TEST(api.del(pet_path(ids[2])).status == 204);
  BOOST_TEST(ids_of(api.get(*next)) == std::vector<std::int64_t>{ids[3]}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_cursor_takes_another_limit_but_no_other_filter) {
  make_pets(api, 6, 1010, "sold");
  const auto next = link_of(api.get(in_category(1010) + "&limit=2"), "next");
  BOOST_REQUIRE(next.has_value());
  const std::size_t begin = next->find("cursor=") + 7;
  const std::string cursor = next->substr(begin, next->find('&', begin) - begin);
  BOOST_TEST(api.get(in_category(1010) + "&limit=1&cursor=" + cursor).value().size() == 1U);
  BOOST_TEST(api.get(in_category(1010) + "&cursor=" + cursor).value().size() == 4U);
  for (const std::string& target : {in_category(1010) + "&status=sold&cursor=", in_category(1011) + "&cursor=",
                                    std::string("/v1/pets?cursor="), std::string("/v1/pets?status=sold&cursor="),
                                    std::string("/v1/categories?cursor="), std::string("/v1/store/orders?cursor=")}) {
    BOOST_TEST_CONTEXT(target) {
      expect_error(api.get(target + cursor), 400, "invalid_request");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cursor_with_any_character_changed_is_refused) {
  make_pets(api, 3, 1012);
  const std::string next = link_of(api.get(in_category(1012) + "&limit=2"), "next").value();
  const std::size_t begin = next.find("cursor=") + 7;
  const std::size_t end = std::min(next.find('&', begin), next.size());
  for (std::size_t at = begin; at < end; ++at) {
    std::string forged = next;
    forged[at] = forged[at] == 'A' ? 'B' : 'A';
    BOOST_TEST_CONTEXT(forged) {
      expect_error(api.get(forged), 400, "invalid_request");
    }
  }
  std::string cut = next;
  cut.erase(end - 1, 1);
  expect_error(api.get(cut), 400, "invalid_request");
}

BOOST_AUTO_TEST_CASE(a_bad_parameter_is_refused) {
  for (const std::string query : {"limit=0",
                                  "limit=101",
                                  "limit=-1",
                                  "limit=abc",
                                  "limit=1.5",
                                  "limit=%2B5",
                                  "limit=05",
                                  "limit=",
                                  "limit",
                                  "limit=1e1",
                                  "limit=0x10",
                                  "limit=5%20",
                                  "limit=9223372036854775808",
                                  "limit=18446744073709551617",
                                  "limit=5&limit=5",
                                  "limit=5&%6Cimit=5",
                                  "status=",
                                  "status=Available",
                                  "status=lost",
                                  "status=available%00",
                                  "status=sold&status=pending",
                                  "categoryId=",
                                  "categoryId=dogs",
                                  "categoryId=-0",
                                  "categoryId=1.0",
                                  "categoryId=007",
                                  "categoryId=9223372036854775808",
                                  "categoryId=-9223372036854775809",
                                  "categoryId=1&categoryId=1",
                                  "cursor=",
                                  "cursor=x",
                                  "cursor=AAAAAAAAAAAAAAAA",
                                  "cursor=%00",
                                  "limit=5&status=lost"}) {
    BOOST_TEST_CONTEXT(query) {
      expect_error(api.get("/v1/pets?" + query), 400, "invalid_request");
      // HEAD checks the query, too.
      BOOST_TEST(api.head("/v1/pets?" + query).status == 400);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_good_parameter_is_taken) {
  for (const std::string query :
       {"limit=1", "limit=100", "limit=%31%30", "status=available", "status=pending", "status=%73old", "categoryId=0",
        "categoryId=-5", "categoryId=9223372036854775807", "categoryId=-9223372036854775808", "colour=red",
        "colour=&colour=red", "LIMIT=0", "petId=abc", ""}) {
    BOOST_TEST_CONTEXT(query) {
      BOOST_TEST(api.get("/v1/pets?" + query).status == 200);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_fault_of_a_query_is_named) {
  const std::string message = api.get("/v1/pets?limit=0&status=lost").value()["message"].text();
  BOOST_TEST(message.find("limit") != std::string::npos);
  BOOST_TEST(message.find("status") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(head_answers_as_get_does_without_the_body) {
  make_pets(api, 3, 1013);
  const answer got = api.get(in_category(1013) + "&limit=2");
  const answer head = api.head(in_category(1013) + "&limit=2");
  BOOST_TEST(head.status == 200);
  BOOST_TEST(head["Link"] == got["Link"]);
  BOOST_TEST(head["Content-Type"] == "application/json");
  BOOST_TEST(head["Content-Length"] == got["Content-Length"]);
}

BOOST_AUTO_TEST_CASE(operations_of_the_contract_carry_no_stability_marker) {
  BOOST_TEST(!api.get("/v1/pets").has("X-Stability"));
  BOOST_TEST(!api.get("/v1/store/orders").has("X-Stability"));
  BOOST_TEST(!api.post("/v1/pets", pet_of(1014)).has("X-Stability"));
}

BOOST_AUTO_TEST_SUITE_END()
