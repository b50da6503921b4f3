// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "admin/admin_api.hpp"
#include "petstore/quota/local.hpp"
#include "petstore/storage/memory.hpp"
#include "server/forwarding_quotas.hpp"
#include "store/await.hpp"
#include "support/free_key.hpp"

namespace petstore::program {

namespace {

using namespace std::chrono_literals;

/// Quotas that another node uses too: this node learns of it when it asks.
class distant_quotas final : public tests::forwarding_quotas {
 public:
  using forwarding_quotas::forwarding_quotas;

  ports::eventual<limits::verdict> look(ports::payer const& who, limits::instant now) override {
    ++looks;
    return ask(who, now);
  }

  int looks = 0;

 private:
  boost::asio::awaitable<limits::verdict> ask(ports::payer const& who, limits::instant now) {
    auto charging = inner_.charge(who, 1, now).wait();
    [[maybe_unused]] auto const used_elsewhere = co_await std::move(charging);
    co_return inner_.observe(who, now);
  }
};

/// The administration API over a store with keys that were used at different times.
struct api_fixture {
  api_fixture() {
    for (unsigned char number = 1; number <= 6; ++number)
      BOOST_REQUIRE(await(store->change_keys(tests::free_key(number), noon, "test")).has_value());
    use(2, noon - 1h);
    use(3, noon - 3h);
    use(5, noon - 2h);
    use(6, noon - 1h);
  }

  void use(std::uint64_t key, unix_ms at) {
    ports::usage_of_key const used{
        .key = key, .day = std::chrono::floor<std::chrono::days>(at), .admitted = 1, .refused = 0, .last_used = at};
    BOOST_REQUIRE(await(store->add_usage({.token = {}, .rows = {used}})).has_value());
  }

  boost::json::value get(std::string target) {
    std::vector<server::header_field> const fields{{"Host", "127.0.0.1:9090"},
                                                   {"Authorization", "Bearer 0123456789abcdefghijklmnopqrstuvwxyz"}};
    server::request request;
    request.path = std::string_view{target}.substr(0, target.find('?'));
    if (auto const at = target.find('?'); at != target.npos) request.query = std::string_view{target}.substr(at + 1);
    request.fields = fields;
    response.clear();
    await([](admin_api& asked_api, server::request const& asked, server::response& out) -> boost::asio::awaitable<int> {
      auto answering = asked_api.handle(asked, out);
      co_await std::move(answering);
      co_return 0;
    }(api, request, response));
    return boost::json::parse(response.body);
  }

  /// The target of the next page; empty: there is none.
  std::string next() const {
    auto const at = response.fields.find("Link: <");
    if (at == std::string::npos) return {};
    auto const begin = at + std::string_view{"Link: <"}.size();
    return response.fields.substr(begin, response.fields.find('>', begin) - begin);
  }

  /// The ids of all pages.
  std::string walk(std::string target) {
    std::string ids;
    for (; !target.empty(); target = next()) {
      auto const page = get(target);
      for (auto const& key : page.as_array()) ids.append(key.at("id").as_string().c_str());
    }
    return ids;
  }

  unix_ms const noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 25} + 12h};
  limits::instant const now{limits::boot_time{2h}, noon};
  std::unique_ptr<ports::store> store = storage::make_memory_store(environment::production);
  std::unique_ptr<quota::local_quota> quotas = quota::open_local_quota({});
  admin_access access{admin_tokens::parse("vera viewer 0123456789abcdefghijklmnopqrstuvwxyz\n"),
                      [this] { return now; }};
  distant_quotas distant{*quotas};
  admin_api api{{*store, distant, access,
                 [] {
                   return plan_table{{"free", {limits::per_minute(60), limits::per_day(1'000)}}};
                 },
                 [this] { return now; },
                 [](server::severity, std::string_view, std::string_view, server::log_origin const&) {}}};
  server::response response;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(admin_api_lists, api_fixture)

BOOST_AUTO_TEST_CASE(keys_are_in_the_order_of_their_last_use) {
  for (auto const* limit : {"1", "2", "3", "4", "50"})
    BOOST_TEST(walk("/admin/v1/keys?sort=-lastUsedAt&limit=" + std::string{limit}) == "k2k6k5k3k1k4", limit);
  BOOST_TEST(walk("/admin/v1/keys?sort=id&limit=4") == "k1k2k3k4k5k6");
}

BOOST_AUTO_TEST_CASE(a_walk_in_that_order_shows_no_key_twice) {
  get("/admin/v1/keys?sort=-lastUsedAt&limit=2");
  auto const rest = next();
  use(2, noon);
  use(6, noon);
  BOOST_TEST(walk(rest) == "k5k3k1k4");
}

BOOST_AUTO_TEST_CASE(each_key_has_the_time_of_its_last_use) {
  for (auto const* sort : {"id", "-lastUsedAt"}) {
    auto const keys = get("/admin/v1/keys?sort=" + std::string{sort});
    for (auto const& key : keys.as_array()) {
      if (key.at("id") == "k5") BOOST_TEST(key.at("lastUsedAt").as_string() == "2026-11-25T10:00:00.000Z");
      if (key.at("id") == "k4") BOOST_TEST(key.at("lastUsedAt").is_null());
    }
  }
  BOOST_TEST(get("/admin/v1/keys/k3").at("lastUsedAt").as_string() == "2026-11-25T09:00:00.000Z");
}

BOOST_AUTO_TEST_CASE(quotas_are_shown_with_what_other_nodes_have_used) {
  auto const used = [](boost::json::value const& key) { return key.at("quota").at("day").at("used").as_int64(); };
  BOOST_TEST(used(get("/admin/v1/keys/k3")) == 1);
  BOOST_TEST(used(get("/admin/v1/keys?include=quota&limit=3").at(2)) == 2);
  BOOST_TEST(distant.looks == 4);
  get("/admin/v1/keys");
  get("/admin/v1/keys/k3/usage");
  BOOST_TEST(distant.looks == 4);
}

BOOST_AUTO_TEST_CASE(usage_of_the_last_30_days_by_default) {
  use(5, noon - std::chrono::days{29});
  use(5, noon - std::chrono::days{30});
  auto const days = get("/admin/v1/keys/k5/usage").as_array();
  BOOST_REQUIRE(days.size() == 30u);
  BOOST_TEST(days.front().at("date").as_string() == "2026-10-27");
  BOOST_TEST(days.front().at("admitted").as_int64() == 1);
  BOOST_TEST(days.back().at("date").as_string() == "2026-11-25");
  BOOST_TEST(days.back().at("admitted").as_int64() == 1);
  BOOST_TEST(days.at(1).at("admitted").as_int64() == 0);
}

BOOST_AUTO_TEST_CASE(animals_and_orders_have_filters_and_pages) {
  for (std::int64_t number = 1; number <= 5; ++number) {
    new_pet const animal{"Rosa", number % 2, pet_status::available};
    BOOST_REQUIRE(await(store->create_pet(animal, false, std::nullopt, noon)).has_value());
  }
  for (std::int64_t const animal : {2, 4})
    BOOST_REQUIRE(await(store->create_order({animal}, std::nullopt, noon)).has_value());
  auto const ids = [&](std::string target) {
    std::string all;
    for (; !target.empty(); target = next()) {
      auto const page = get(target);
      for (auto const& record : page.as_array()) all += std::to_string(record.at("id").as_int64());
    }
    return all;
  };
  for (auto const* limit : {"1", "2", "5", "200"})
    BOOST_TEST(ids("/admin/v1/pets?limit=" + std::string{limit}) == "12345", limit);
  BOOST_TEST(ids("/admin/v1/pets?limit=1&categoryId=0") == "24");
  BOOST_TEST(ids("/admin/v1/pets?status=available") == "135");
  BOOST_TEST(ids("/admin/v1/pets?status=available&categoryId=0").empty());
  BOOST_TEST(ids("/admin/v1/orders?limit=1&status=placed") == "12");
  BOOST_TEST(ids("/admin/v1/orders?petId=4") == "2");
  BOOST_TEST(get("/admin/v1/pets").at(0).at("name").as_string() == "Rosa");
}

BOOST_AUTO_TEST_CASE(every_fault_of_a_list_of_animals_is_told) {
  auto const fault = get("/admin/v1/pets?status=lost&categoryId=1.0&limit=0");
  BOOST_TEST(response.status == 400u);
  for (auto const* name : {"status", "categoryId", "limit"})
    BOOST_TEST(fault.at("message").as_string().find(name) != std::string_view::npos, name);
  get("/admin/v1/orders?limit=1&cursor=00");
  BOOST_TEST(response.status == 400u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::program
