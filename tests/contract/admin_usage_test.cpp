// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <string>

#include "contract/admin_node.hpp"
#include "contract/expectations.hpp"
#include "contract/stores.hpp"

BOOST_AUTO_TEST_SUITE(admin_usage,
                      *boost::unit_test::label("every_store") * boost::unit_test::precondition(contract::store_is_here))

using namespace contract;

namespace {

const std::string keys_path = "/admin/v1/keys";

// A service whose key k1 was used five times, two of them admitted, and k2 twice, the last time after that. The counts
// are on disk, since the service was stopped and started again.
struct used_node : admin_node {
  used_node() {
    const std::string often =
        rosa->make_key(R"({"name":"often","plan":"enterprise","perMinute":2,"perDay":99})")["key"].text();
    const std::string twice = rosa->make_key()["key"].text();
    rosa->make_key();
    // A request before the key is known is nobody's.
    BOOST_REQUIRE(eventually([&] { return ask_as_customer(twice).status == 200; }));
    for (const int status : {200, 200, 429, 429, 429}) BOOST_TEST(ask_as_customer(often).status == status);
    BOOST_TEST(ask_as_customer("ps_live_unknown").status == 401);
    BOOST_TEST(ask_as_customer(twice, "/v1/quota").status == 200);
    BOOST_REQUIRE(node.close() == 0);
    node.open({"--admin-token-file", token_file(), "--admin-hosts", "pets.example"});
    rosa.emplace(node, operators_token);
    vera.emplace(node, viewers_token);
  }
};

std::int64_t sum_of(const json& days, const char* member) {
  std::int64_t sum = 0;
  for (const json& day : days.elements()) sum += day[member].integer();
  return sum;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(usage_is_counted_by_key_and_day, used_node) {
  const json days = vera->get(keys_path + "/k1/usage").value();
  BOOST_TEST(days.size() == 30u);
  BOOST_TEST(sum_of(days, "admitted") == 2);
  BOOST_TEST(sum_of(days, "refused") == 3);
  const json last = days[29];
  BOOST_TEST(last.members().size() == 3u);
  BOOST_TEST(last["date"].text().size() == std::string("2026-11-25").size());
  BOOST_TEST(days[0]["date"].text() < last["date"].text());
  BOOST_TEST(sum_of(rosa->get(keys_path + "/k2/usage").value(), "admitted") == 2);
  BOOST_TEST(sum_of(rosa->get(keys_path + "/k3/usage").value(), "admitted") == 0);
}

BOOST_FIXTURE_TEST_CASE(usage_can_be_had_as_csv, used_node) {
  const answer got = vera->get(keys_path + "/k1/usage?from=2020-02-28&to=2020-03-01", {{"Accept", "text/csv"}});
  BOOST_TEST(got.status == 200);
  BOOST_TEST(got["Content-Type"] == "text/csv; charset=utf-8");
  BOOST_TEST(got["Vary"] == "Accept");
  BOOST_TEST(got.body == "date,admitted,refused\r\n2020-02-28,0,0\r\n2020-02-29,0,0\r\n2020-03-01,0,0\r\n");
  const answer json_first = vera->get(keys_path + "/k1/usage", {{"Accept", "application/json, text/csv;q=0.5"}});
  BOOST_TEST(json_first.value().size() == 30u);
}

BOOST_FIXTURE_TEST_CASE(a_period_that_makes_no_sense_is_refused, admin_node) {
  rosa->make_key();
  for (const char* query : {"from=yesterday", "from=", "to=2026-02-30", "to=2026-1-1", "from=2026-11-25T00:00:00Z",
                            "from=2026-01-02&to=2026-01-01", "from=2024-01-01&to=2026-01-01",
                            "from=2026-01-01&from=2026-01-01", "from=9999-01-01"})
    expect_error(vera->get(keys_path + "/k1/usage?" + query), 400, "invalid_request");
  BOOST_TEST(vera->get(keys_path + "/k1/usage?from=2025-01-01&to=2026-02-04&unknown=1").value().size() == 400u);
  expect_error(vera->get(keys_path + "/k7/usage"), 404, "not_found");
  expect_error(vera->get(keys_path + "/k0/usage"), 404, "not_found");
  expect_error(rosa->post(keys_path + "/k1/usage", "{}"), 405, "method_not_allowed");
  expect_error(admin_client(node, "").get(keys_path + "/k1/usage"), 401, "unauthorized");
}

BOOST_FIXTURE_TEST_CASE(keys_say_when_they_were_used_last, used_node) {
  const json first = rosa->get(keys_path + "/k1").value();
  const json second = rosa->get(keys_path + "/k2").value();
  BOOST_TEST(first["createdAt"].text() < first["lastUsedAt"].text());
  BOOST_TEST(first["lastUsedAt"].text() <= second["lastUsedAt"].text());
  BOOST_TEST(rosa->get(keys_path + "/k3").value()["lastUsedAt"].is_null());

  const json listed = rosa->get(keys_path).value();
  BOOST_TEST(listed[0]["lastUsedAt"].text() == first["lastUsedAt"].text());
  BOOST_TEST(listed[2]["lastUsedAt"].is_null());
  BOOST_TEST(rosa->get(keys_path + "?sort=-lastUsedAt&limit=1").value()[0]["id"].text() != "k3");
}

BOOST_FIXTURE_TEST_CASE(the_command_line_tells_usage_of_a_server_and_of_a_store, used_node) {
  const finished_run asked = keys_command({"usage", "k1", "--csv"});
  BOOST_TEST(asked.exit_code == 0, asked.errors);
  BOOST_TEST(asked.output.starts_with("date,admitted,refused\r\n"));
  BOOST_TEST(asked.output.find(",2,3\r\n") != std::string::npos, asked.output);
  BOOST_TEST(node.keys("usage", "k1", {"--csv"}).output == asked.output);
  const std::string cells = keys_command({"usage", "k1"}).output;
  BOOST_TEST(cells.find("\t2\t3\n") != std::string::npos, cells);
  BOOST_TEST(sum_of(json::parse(node.keys("usage", "k1", {"--json"}).output), "refused") == 3);
  const std::string last_use = rosa->get(keys_path + "/k1").value()["lastUsedAt"].text();
  BOOST_TEST(json::parse(keys_command({"show", "k1", "--json"}).output)["last_used_at"].text() == last_use);
  BOOST_TEST(node.keys("show", "k1").output.find(last_use) != std::string::npos);
  BOOST_TEST(keys_command({"usage", "k9"}).exit_code == 1);
  BOOST_TEST(keys_command({"usage", "k1", "--from", "tomorrow"}).exit_code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
