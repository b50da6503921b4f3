// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <future>

#include "program/system/two_nodes.hpp"
#include "support/needs_postgres.hpp"

/// The administration API of two nodes: what one does, the other one has.
BOOST_AUTO_TEST_SUITE(admin_nodes, *boost::unit_test::precondition(petstore::tests::needs_postgres))

using namespace petstore::tests;

namespace {

std::string const operators_token = "operators-token-0123456789-0123456789";
std::string const keys_path = "/admin/v1/keys";
std::string const audit_path = "/admin/v1/audit";

struct token_file {
  temporary_directory directory;
  std::string const path = directory.write("tokens", "rosa operator " + operators_token + "\n");
};

client_answer administer(running_server const& node, std::string_view method, std::string const& target,
                         std::string_view body = {}, std::vector<std::string> const& fields = {}) {
  return ask(node.admin_port(), method, target, operators_token, body, fields);
}

boost::json::value get_json(running_server const& node, std::string const& target) {
  auto const got = administer(node, "GET", target);
  BOOST_REQUIRE_MESSAGE(got.status == 200, target << ": " << got.body);
  return boost::json::parse(got.body);
}

std::string text(boost::json::value const& object, std::string_view member) {
  auto const* const value = object.at(member).if_string();
  return value ? std::string{*value} : std::string{};
}

/// A key as the answer that makes it shows it.
struct new_key {
  std::string id;
  std::string secret;
  std::string path = keys_path + "/" + id;
};

new_key read_new_key(client_answer const& got) {
  BOOST_REQUIRE_MESSAGE(got.status == 201, got.body);
  auto const object = boost::json::parse(got.body);
  return {text(object, "id"), text(object, "key")};
}

new_key make_key(running_server const& node, std::string_view body = R"({"name":"Rosa's","plan":"free"})") {
  return read_new_key(administer(node, "POST", keys_path, body));
}

/// The target of the link to the next page.
std::string next_of(client_answer const& page) {
  auto const link = page.field("Link");
  auto const end = link.find(">; rel=\"next\"");
  BOOST_REQUIRE_MESSAGE(link.starts_with("<") && end != link.npos, page.head);
  return link.substr(1, end - 1);
}

std::vector<std::string> texts_in(client_answer const& page, std::string_view member) {
  BOOST_REQUIRE_MESSAGE(page.status == 200, page.body);
  std::vector<std::string> texts;
  auto const list = boost::json::parse(page.body);
  for (auto const& one : list.as_array()) texts.push_back(text(one, member));
  return texts;
}

client_answer list_pets(running_server const& node, std::string const& key) {
  return ask(node.port(), "GET", "/v1/pets?limit=1", key);
}

boost::json::value quota_of(running_server const& node, std::string const& key) {
  return boost::json::parse(ask(node.port(), "GET", "/v1/quota", key).body);
}

/// Both nodes have the token of rosa.
struct administered_nodes : token_file, two_nodes {
  explicit administered_nodes(std::string const& quota_deadline = patient_deadline)
      : two_nodes{quota_deadline, {"PETSTORE_ADMIN_TOKEN_FILE=" + path}} {}

  /// Waits until both nodes apply each change so far: they apply changes in order, and know a key that is made now.
  void await_changes() const { BOOST_REQUIRE(both_know(*this, make_key(first).secret)); }

  /// Both answers to requests that are sent at the same time, one to each node.
  template <class Send>
  std::pair<client_answer, client_answer> send_at_once(Send send) const {
    auto other = std::async(std::launch::async, [&] { return send(second); });
    auto one = send(first);
    return {std::move(one), other.get()};
  }
};

struct impatient_nodes : administered_nodes {
  impatient_nodes() : administered_nodes{"250ms"} {}
};

std::vector<std::string> if_match(std::string const& tag) {
  return {"If-Match: " + tag};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_key_that_one_node_makes_works_on_the_other, administered_nodes) {
  auto const key = make_key(first);
  BOOST_TEST(eventually([&] { return list_pets(second, key.secret).status == 200; }));
  auto const shown = administer(second, "GET", key.path);
  BOOST_TEST(shown.status == 200);
  BOOST_TEST(shown.field("ETag") == administer(first, "GET", key.path).field("ETag"));
  BOOST_TEST(administer(first, "GET", keys_path).body == administer(second, "GET", keys_path).body);
}

BOOST_FIXTURE_TEST_CASE(a_plan_and_a_scope_that_one_node_changes_are_in_force_on_the_other, administered_nodes) {
  auto const key = make_key(first);
  await_changes();
  BOOST_TEST(text(quota_of(second, key.secret), "plan") == "free");
  BOOST_TEST(administer(first, "PATCH", key.path, R"({"plan":"pro","perMinute":7})").status == 200);
  await_changes();
  BOOST_TEST(text(quota_of(second, key.secret), "plan") == "pro");
  BOOST_TEST(list_pets(second, key.secret).field("X-RateLimit-Limit") == "7");

  BOOST_TEST(administer(second, "PATCH", key.path, R"({"scope":"read"})").status == 200);
  await_changes();
  auto const refused = ask(first.port(), "POST", "/v1/pets", key.secret, R"({"name":"Rex","categoryId":1})");
  BOOST_TEST(refused.status == 403);
}

BOOST_FIXTURE_TEST_CASE(a_rotation_by_one_node_holds_on_the_other, administered_nodes) {
  auto const old = make_key(first);
  auto const renewed = read_new_key(administer(first, "POST", old.path + "/rotate", R"({"grace":3600})"));
  await_changes();
  BOOST_TEST(list_pets(second, renewed.secret).status == 200);
  BOOST_TEST(list_pets(second, old.secret).status == 200);
  BOOST_TEST(text(get_json(second, renewed.path), "identity") == old.id);
  BOOST_TEST(administer(second, "POST", old.path + "/rotate", "{}").status == 409);

  auto const last = read_new_key(administer(second, "POST", renewed.path + "/rotate", R"({"grace":0})"));
  await_changes();
  BOOST_TEST(list_pets(first, renewed.secret).status == 401);
  BOOST_TEST(list_pets(first, last.secret).status == 200);
}

BOOST_FIXTURE_TEST_CASE(a_key_that_one_node_revokes_ends_on_the_other, administered_nodes) {
  auto const key = make_key(first);
  await_changes();
  BOOST_TEST(list_pets(second, key.secret).status == 200);
  auto const revoked = administer(first, "POST", key.path + "/revoke");
  BOOST_TEST(revoked.status == 200);
  await_changes();
  BOOST_TEST(list_pets(second, key.secret).status == 401);
  auto const shown = get_json(second, key.path);
  BOOST_TEST(text(shown, "state") == "revoked");
  auto const again = administer(second, "POST", key.path + "/revoke");
  BOOST_TEST(again.status == 200);
  BOOST_TEST(again.field("ETag") == revoked.field("ETag"));
}

BOOST_FIXTURE_TEST_CASE(a_ban_by_one_node_holds_on_the_other_which_lifts_it_for_both, administered_nodes) {
  auto const key = make_key(first);
  BOOST_TEST(administer(first, "PUT", key.path + "/ban", R"({"seconds":600})").status == 200);
  await_changes();
  auto const banned = list_pets(second, key.secret);
  BOOST_TEST(banned.status == 429);
  BOOST_TEST(banned.body.find("banned") != std::string::npos, banned.body);
  BOOST_TEST(text(get_json(second, key.path), "state") == "banned");
  BOOST_TEST(text(get_json(second, key.path), "bannedUntil") == text(get_json(first, key.path), "bannedUntil"));

  auto const lifted = administer(second, "DELETE", key.path + "/ban");
  BOOST_TEST(lifted.status == 200);
  BOOST_TEST(text(boost::json::parse(lifted.body), "state") == "active");
  await_changes();
  for (auto const* node : {&first, &second}) {
    BOOST_TEST(list_pets(*node, key.secret).status == 200);
    BOOST_TEST(text(get_json(*node, key.path), "state") == "active");
  }
}

BOOST_FIXTURE_TEST_CASE(a_quota_that_one_node_resets_is_one_whole_quota_for_both, administered_nodes) {
  auto const key = make_key(first, R"({"name":"small","plan":"enterprise","perMinute":1000,"perDay":20})");
  await_changes();
  auto const admitted_of = [&](int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; ++i)
      admitted += list_pets(i % 2 == 0 ? first : second, key.secret).status == 200 ? 1 : 0;
    return admitted;
  };
  BOOST_TEST(admitted_of(30) <= 20);
  BOOST_TEST(administer(first, "POST", key.path + "/reset-quota").status == 200);
  await_changes();
  for (auto const* node : {&first, &second}) {
    BOOST_TEST(quota_of(*node, key.secret).at("day").at("remaining").as_int64() == 20);
    BOOST_TEST(get_json(*node, key.path).at("quota").at("day").at("remaining").as_int64() == 20);
  }
  auto const admitted = admitted_of(40);
  BOOST_TEST(admitted <= 20);
  BOOST_TEST(admitted >= 19);
}

BOOST_FIXTURE_TEST_CASE(a_node_shows_what_the_other_has_admitted, administered_nodes) {
  auto const key = make_key(first, R"({"name":"shared","plan":"free"})");
  await_changes();
  for (int i = 0; i < 5; ++i) BOOST_TEST(list_pets(first, key.secret).status == 200);
  // The second node has not served the key. The first one gives back what it has taken ahead.
  auto const used = [](boost::json::value const& shown) { return shown.at("quota").at("day").at("used").as_int64(); };
  BOOST_TEST(eventually([&] { return used(get_json(second, key.path)) == 5; }));
  BOOST_TEST(used(get_json(second, keys_path + "?include=quota&name=shared").at(0)) == 5);
  auto const of_console = ask(second.admin_port(), "GET", "/keys/" + key.id + "/facts");
  BOOST_TEST(used(boost::json::parse(of_console.body)) == 5, of_console.body);
}

BOOST_FIXTURE_TEST_CASE(a_ban_for_ignored_refusals_is_shown_by_both_nodes_and_lifted_by_either, administered_nodes) {
  auto const key = make_key(first, R"({"name":"deaf","plan":"enterprise","perMinute":1,"perDay":1000})");
  await_changes();
  auto const is_banned = [&](running_server const& node) {
    return list_pets(node, key.secret).body.find("\"banned\"") != std::string::npos;
  };
  BOOST_REQUIRE(eventually([&] { return is_banned(first); }));
  BOOST_TEST(eventually([&] { return text(get_json(second, key.path), "state") == "banned"; }));
  BOOST_TEST(text(get_json(second, keys_path + "?include=quota&name=deaf").at(0), "state") == "banned");
  auto const lifted = administer(second, "DELETE", key.path + "/ban");
  BOOST_TEST(lifted.status == 200);
  BOOST_TEST(text(boost::json::parse(lifted.body), "state") == "active");
  await_changes();
  BOOST_TEST(!is_banned(first));
  BOOST_TEST(!is_banned(second));
  for (auto const* node : {&first, &second}) BOOST_TEST(text(get_json(*node, key.path), "state") == "active");
}

BOOST_FIXTURE_TEST_CASE(a_node_shows_keys_while_redis_is_gone, impatient_nodes) {
  auto const key = make_key(first);
  redis.kill();
  for (auto const* node : {&first, &second}) {
    BOOST_TEST(get_json(*node, key.path).at("quota").at("day").at("quota").as_int64() == 1'000);
    BOOST_TEST(get_json(*node, keys_path + "?include=quota").as_array().size() == 2u);
  }
}

/// Then each node grants the quota for itself.
BOOST_FIXTURE_TEST_CASE(without_redis_a_ban_and_a_reset_reach_the_quota_of_each_node, administered_nodes) {
  running_server third{{"--quota", "local"}, variables};
  running_server fourth{{"--quota", "local"}, variables};
  auto const key = make_key(third, R"({"name":"small","plan":"enterprise","perMinute":2,"perDay":20})");
  BOOST_REQUIRE(eventually([&] { return knows(fourth, key.secret); }));
  for (int const status : {200, 200, 429}) BOOST_TEST(list_pets(fourth, key.secret).status == status);
  auto const await_on_fourth = [&] {
    auto const marker = make_key(third);
    BOOST_REQUIRE(eventually([&] { return knows(fourth, marker.secret); }));
  };
  BOOST_TEST(administer(third, "POST", key.path + "/reset-quota").status == 200);
  await_on_fourth();
  BOOST_TEST(list_pets(fourth, key.secret).status == 200);
  BOOST_TEST(administer(third, "PUT", key.path + "/ban", R"({"seconds":600})").status == 200);
  await_on_fourth();
  BOOST_TEST(list_pets(fourth, key.secret).body.find("\"banned\"") != std::string::npos);
  BOOST_TEST(administer(third, "DELETE", key.path + "/ban").status == 200);
  await_on_fourth();
  BOOST_TEST(list_pets(fourth, key.secret).status == 200);
}

BOOST_FIXTURE_TEST_CASE(both_nodes_have_one_audit_log, administered_nodes) {
  auto const key = make_key(first);
  administer(second, "PATCH", key.path, R"({"plan":"pro"})");
  administer(first, "PUT", key.path + "/ban", R"({"seconds":60})");
  administer(second, "DELETE", key.path + "/ban");
  administer(first, "POST", key.path + "/reset-quota");
  administer(second, "POST", key.path + "/rotate");
  administer(first, "POST", key.path + "/revoke");
  auto const of_first = administer(first, "GET", audit_path);
  BOOST_TEST(of_first.body == administer(second, "GET", audit_path).body);
  std::vector<std::string> const expected{"revoke", "rotate", "reset-quota", "unban", "ban", "update", "create"};
  BOOST_TEST(texts_in(administer(first, "GET", audit_path + "?key=" + key.id), "action") == expected,
             boost::test_tools::per_element());

  std::vector<std::string> walked;
  auto page = administer(first, "GET", audit_path + "?limit=3&key=" + key.id);
  for (bool on_second = true; walked.size() < expected.size(); on_second = !on_second) {
    auto const actions = texts_in(page, "action");
    BOOST_REQUIRE(!actions.empty());
    walked.insert(walked.end(), actions.begin(), actions.end());
    if (walked.size() < expected.size()) page = administer(on_second ? second : first, "GET", next_of(page));
  }
  BOOST_TEST(walked == expected, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(the_cursor_of_one_node_continues_a_list_of_the_other, administered_nodes) {
  for (int i = 0; i < 3; ++i) make_key(i % 2 == 0 ? first : second);
  for (std::string const sort : {"id", "-lastUsedAt"}) {
    auto const query = "?sort=" + sort;
    auto const expected = texts_in(administer(first, "GET", keys_path + query), "id");
    BOOST_REQUIRE(expected.size() == 4u);  // the first one is the demonstration's
    auto page = administer(first, "GET", keys_path + query + "&limit=1");
    for (std::size_t i = 0; i < expected.size(); ++i) {
      BOOST_TEST(texts_in(page, "id") == std::vector{expected[i]}, boost::test_tools::per_element());
      if (i + 1 < expected.size()) page = administer(i % 2 == 0 ? second : first, "GET", next_of(page));
    }
    BOOST_TEST(page.count("Link") == 0u);
  }
}

BOOST_FIXTURE_TEST_CASE(a_condition_of_one_node_fails_after_a_change_by_the_other, administered_nodes) {
  auto const key = make_key(first);
  auto const seen = administer(first, "GET", key.path).field("ETag");
  BOOST_TEST(administer(second, "PATCH", key.path, R"({"name":"of second"})", if_match(seen)).status == 200);
  auto const late = administer(first, "PATCH", key.path, R"({"name":"of first"})", if_match(seen));
  BOOST_TEST(late.status == 412);
  BOOST_TEST(late.body.find("precondition_failed") != std::string::npos, late.body);
  BOOST_TEST(text(get_json(first, key.path), "name") == "of second");
}

BOOST_FIXTURE_TEST_CASE(of_two_conditional_changes_at_once_one_succeeds, administered_nodes) {
  auto const key = make_key(first);
  for (int round = 0; round < 10; ++round) {
    auto const seen = administer(first, "GET", key.path).field("ETag");
    auto const [one, other] = send_at_once([&](running_server const& node) {
      auto const name = std::to_string(round) + (&node == &first ? " of first" : " of second");
      return administer(node, "PATCH", key.path, R"({"name":")" + name + "\"}", if_match(seen));
    });
    BOOST_TEST(std::min(one.status, other.status) == 200);
    BOOST_TEST(std::max(one.status, other.status) == 412);
    auto const& done = one.status == 200 ? one : other;
    BOOST_TEST(text(get_json(second, key.path), "name") == text(boost::json::parse(done.body), "name"));
  }
}

BOOST_FIXTURE_TEST_CASE(a_creation_on_one_node_is_repeated_by_the_other_without_a_second_key, administered_nodes) {
  std::vector<std::string> const once{"Idempotency-Key: order-1"};
  std::string const body = R"({"name":"once","plan":"free"})";
  auto const made = administer(first, "POST", keys_path, body, once);
  auto const key = read_new_key(made);
  auto const again = administer(second, "POST", keys_path, body, once);
  BOOST_TEST(again.status == 201);
  BOOST_TEST(again.field("Idempotency-Replayed") == "true");
  BOOST_TEST(again.field("Location") == made.field("Location"));
  BOOST_TEST(again.field("ETag") == made.field("ETag"));
  BOOST_TEST(!boost::json::parse(again.body).as_object().contains("key"));
  BOOST_TEST(administer(second, "POST", keys_path, R"({"name":"two","plan":"free"})", once).status == 409);
  BOOST_TEST(get_json(second, keys_path + "?name=once").as_array().size() == 1u);

  auto const rotate = [&](running_server const& node) {
    return administer(node, "POST", key.path + "/rotate", R"({"grace":60})", once);
  };
  auto const renewed = rotate(second);
  auto const repeated = rotate(first);
  BOOST_TEST(renewed.status == 201);
  BOOST_TEST(repeated.status == 201);
  BOOST_TEST(repeated.field("Idempotency-Replayed") == "true");
  BOOST_TEST(repeated.field("Location") == renewed.field("Location"));
  BOOST_TEST(get_json(first, keys_path + "?name=once").as_array().size() == 2u);
}

BOOST_FIXTURE_TEST_CASE(of_two_equal_creations_at_once_one_makes_a_key, administered_nodes) {
  for (int round = 0; round < 10; ++round) {
    auto const name = "once-" + std::to_string(round);
    auto const [one, other] = send_at_once([&](running_server const& node) {
      return administer(node, "POST", keys_path, R"({"name":")" + name + R"(","plan":"free"})",
                        {"Idempotency-Key: " + name});
    });
    BOOST_TEST(one.status == 201, one.body);
    BOOST_TEST(other.status == 201, other.body);
    BOOST_TEST(one.field("Location") == other.field("Location"));
    BOOST_TEST(one.count("Idempotency-Replayed") + other.count("Idempotency-Replayed") == 1u);
    auto const shows = [](client_answer const& got) {
      return boost::json::parse(got.body).as_object().contains("key") ? 1 : 0;
    };
    BOOST_TEST(shows(one) + shows(other) == 1);
  }
  BOOST_TEST(get_json(first, keys_path + "?name=once").as_array().size() == 10u);
}

BOOST_FIXTURE_TEST_CASE(of_two_rotations_at_once_one_makes_a_key, administered_nodes) {
  auto key = make_key(first);
  for (int round = 0; round < 10; ++round) {
    auto const [one, other] =
        send_at_once([&](running_server const& node) { return administer(node, "POST", key.path + "/rotate", "{}"); });
    BOOST_TEST(std::min(one.status, other.status) == 201);
    BOOST_TEST(std::max(one.status, other.status) == 409);
    key = read_new_key(one.status == 201 ? one : other);
  }
}

/// Nodes store what they have counted when they stop.
BOOST_FIXTURE_TEST_CASE(both_nodes_tell_one_usage_of_a_key, administered_nodes) {
  auto const key = make_key(first, R"({"name":"often","plan":"enterprise","perMinute":1000,"perDay":1000})");
  await_changes();
  for (auto const* node : {&first, &second, &second}) BOOST_TEST(list_pets(*node, key.secret).status == 200);
  BOOST_TEST(first.stop() == 0);
  BOOST_TEST(second.stop() == 0);

  running_server third{{}, variables};
  running_server fourth{{}, variables};
  auto const usage = administer(third, "GET", key.path + "/usage");
  BOOST_TEST(usage.status == 200);
  std::int64_t admitted = 0;
  auto const days = boost::json::parse(usage.body);
  for (auto const& day : days.as_array()) admitted += day.at("admitted").as_int64();
  BOOST_TEST(admitted == 3);
  BOOST_TEST(administer(fourth, "GET", key.path + "/usage").body == usage.body);
  auto const last_use = text(get_json(third, key.path), "lastUsedAt");
  BOOST_TEST(!last_use.empty());
  BOOST_TEST(text(get_json(fourth, key.path), "lastUsedAt") == last_use);
  auto const by_use = keys_path + "?sort=-lastUsedAt";
  auto const listed = administer(third, "GET", by_use);
  BOOST_TEST(administer(fourth, "GET", by_use).body == listed.body);
  auto const page = administer(third, "GET", by_use + "&limit=1");
  BOOST_TEST(texts_in(page, "id").at(0) == texts_in(listed, "id").at(0));
  BOOST_TEST(texts_in(administer(fourth, "GET", next_of(page)), "id").at(0) == texts_in(listed, "id").at(1));
}

BOOST_AUTO_TEST_SUITE_END()
