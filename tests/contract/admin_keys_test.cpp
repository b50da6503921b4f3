// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

#include "contract/admin_node.hpp"
#include "contract/expectations.hpp"
#include "contract/stores.hpp"

BOOST_FIXTURE_TEST_SUITE(admin_keys, contract::admin_node,
                         *boost::unit_test::label("every_store") *
                             boost::unit_test::precondition(contract::store_is_here))

using namespace contract;

namespace {

const std::string keys_path = "/admin/v1/keys";

std::string path_of(const json& key) {
  return keys_path + "/" + key["id"].text();
}

const std::set<std::string> key_members{"id",         "identity",    "name",   "plan",      "perMinute",
                                        "perDay",     "scope",       "state",  "createdAt", "expiresAt",
                                        "lastUsedAt", "bannedUntil", "prefix", "lastFour"};

std::set<std::string> names_in(const json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.members()) names.insert(name);
  return names;
}

// As the command line spells it: `last_used_at`.
std::string snake_case(const std::string& name) {
  std::string out;
  for (const char c : name) out += c >= 'A' && c <= 'Z' ? std::string{'_', static_cast<char>(c + 32)} : std::string{c};
  return out;
}

std::vector<std::string> ids_in(const answer& got) {
  BOOST_REQUIRE_MESSAGE(got.status == 200, got.body);
  std::vector<std::string> ids;
  const json keys = got.value();
  for (const json& key : keys.elements()) ids.push_back(key["id"].text());
  return ids;
}

// The target of the link to the next page; empty if there is none.
std::string next_of(const answer& got) {
  if (!got.has("Link")) return {};
  const std::string& link = got["Link"];
  const auto end = link.find(">; rel=\"next\"");
  BOOST_REQUIRE_MESSAGE(link.starts_with("<") && end != std::string::npos, link);
  return link.substr(1, end - 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_key_is_made_and_shown_once) {
  const answer made = rosa->post(keys_path, R"({"name":"Rosa's","plan":"free"})");
  BOOST_TEST(made.status == 201);
  const json key = made.value();
  BOOST_TEST(made["Location"] == path_of(key));
  BOOST_TEST(key["key"].text().starts_with("ps_live_"));
  BOOST_TEST(eventually([&] { return ask_as_customer(key["key"].text()).status == 200; }));

  const answer shown = rosa->get(path_of(key));
  BOOST_TEST(!shown.value().has("key"));
  BOOST_TEST(shown.body.find(key["key"].text().substr(8)) == std::string::npos);
  BOOST_TEST(node.process().errors().find(key["key"].text()) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_key_object_has_exactly_its_members) {
  const json key = rosa->make_key();
  const auto expect_members = [](const json& object, const char* one_more = nullptr) {
    std::set<std::string> expected = key_members;
    if (one_more) expected.insert(one_more);
    BOOST_TEST(names_in(object) == expected, boost::test_tools::per_element());
  };
  expect_members(key, "key");
  expect_members(rosa->get(keys_path).value()[0]);
  expect_members(rosa->get(path_of(key)).value(), "quota");
  const std::string other = path_of(rosa->make_key());
  expect_members(rosa->patch(other, "{}").value());
  expect_members(rosa->put(other + "/ban", R"({"seconds":60})").value());
  expect_members(rosa->del(other + "/ban").value());
  expect_members(rosa->post(other + "/reset-quota", "{}").value());
  expect_members(rosa->post(other + "/rotate", "{}").value(), "key");
  expect_members(rosa->post(other + "/revoke", "{}").value());

  BOOST_TEST(key["id"].text() == "k1");
  BOOST_TEST(key["identity"].text() == "k1");
  BOOST_TEST(key["name"].text() == "Rosa's");
  BOOST_TEST(key["plan"].text() == "free");
  BOOST_TEST(key["scope"].text() == "write");
  BOOST_TEST(key["state"].text() == "active");
  BOOST_TEST(key["createdAt"].text().size() == std::string("2026-06-01T12:00:00.000Z").size());
  for (const char* none : {"perMinute", "perDay", "expiresAt", "lastUsedAt", "bannedUntil"})
    BOOST_TEST(key[none].is_null(), none);
  BOOST_TEST(key["prefix"].text() == "ps_live_");
  const std::string& secret = key["key"].text();
  BOOST_TEST(key["lastFour"].text() == secret.substr(secret.size() - 4));
}

BOOST_AUTO_TEST_CASE(a_single_key_has_its_quota_as_getQuota_has_it) {
  const json key = rosa->make_key();
  const std::string secret = key["key"].text();
  BOOST_TEST(eventually([&] { return ask_as_customer(secret).status == 200; }));
  const json by_operator = rosa->get(path_of(key)).value()["quota"];
  const json by_customer = ask_as_customer(secret, "/v1/quota").value();
  BOOST_TEST(by_operator["plan"].text() == "free");
  for (const char* window : {"minute", "day"})
    for (const char* number : {"quota", "used", "remaining"})
      BOOST_TEST(by_operator[window][number].integer() == by_customer[window][number].integer());
}

BOOST_AUTO_TEST_CASE(every_member_of_a_new_key_counts) {
  const json key = rosa->make_key(R"({"name":"big","plan":"enterprise","perMinute":7,"perDay":70,"scope":"read",)"
                                  R"("expiresAt":"2035-01-01T00:00:00.000Z","unknown":1})");
  BOOST_TEST(key["perMinute"].integer() == 7);
  BOOST_TEST(key["perDay"].integer() == 70);
  BOOST_TEST(key["scope"].text() == "read");
  BOOST_TEST(key["expiresAt"].text() == "2035-01-01T00:00:00.000Z");
  BOOST_TEST(rosa->get(path_of(key)).value()["quota"]["minute"]["quota"].integer() == 7);
}

BOOST_AUTO_TEST_CASE(an_expiry_may_have_any_form_of_rfc_3339_and_is_shown_in_one) {
  for (const char* time : {"2035-01-01T00:00:00.000Z", "2035-01-01t00:00:00z", "2035-01-01T00:00:00.000999Z",
                           "2035-01-01T01:30:00+01:30", "2034-12-31T16:00:00.0-08:00", "2035-01-01T00:00:00-00:00"}) {
    const std::string member = R"("expiresAt":")" + std::string(time) + "\"";
    const json key = rosa->make_key(R"({"name":"x","plan":"free",)" + member + "}");
    BOOST_TEST(key["expiresAt"].text() == "2035-01-01T00:00:00.000Z", time);
    const json plain = rosa->make_key();
    const json changed = rosa->patch(path_of(plain), "{" + member + "}").value();
    BOOST_TEST(changed["expiresAt"].text() == "2035-01-01T00:00:00.000Z", time);
  }
  for (const char* wrong : {"2035-01-01", "2035-01-01 00:00:00Z", "2035-01-01T00:00:00", "2035-01-01T00:00Z",
                            "2035-02-29T00:00:00Z", "2035-01-01T00:00:00+0100", "2035-01-01T00:00:00.Z"}) {
    const std::string member = R"("expiresAt":")" + std::string(wrong) + "\"";
    const answer refused = rosa->post(keys_path, R"({"name":"x","plan":"free",)" + member + "}");
    expect_error(refused, 400, "invalid_request");
    BOOST_TEST(refused.value()["message"].text() == "expiresAt must be a time like 2026-06-01T12:00:00.000Z");
    expect_error(rosa->patch(keys_path + "/k1", "{" + member + "}"), 400, "invalid_request");
  }
}

BOOST_AUTO_TEST_CASE(a_body_that_makes_no_key_is_refused) {
  for (const char* body : {"",
                           "[]",
                           "{",
                           "{}",
                           R"({"plan":"free"})",
                           R"({"name":"x"})",
                           R"({"name":"","plan":"free"})",
                           R"({"name":"a\u0007b","plan":"free"})",
                           R"({"name":"x","plan":"gold"})",
                           R"({"name":"x","plan":7})",
                           R"({"name":"x","plan":"enterprise"})",
                           R"({"name":"x","plan":"enterprise","perMinute":5})",
                           R"({"name":"x","plan":"free","perMinute":0})",
                           R"({"name":"x","plan":"free","perDay":-1})",
                           R"({"name":"x","plan":"free","perMinute":"5"})",
                           R"({"name":"x","plan":"free","scope":"admin"})",
                           R"({"name":"x","plan":"free","scope":null})",
                           R"({"name":"x","plan":"free","expiresAt":"tomorrow"})",
                           R"({"name":"x","plan":"free","expiresAt":"2001-01-01T00:00:00.000Z"})",
                           R"({"name":"x","name":"y","plan":"free"})"})
    expect_error(rosa->post(keys_path, body), 400, "invalid_request");
  const std::string secret = rosa->make_key()["key"].text();
  expect_error(rosa->post(keys_path, R"({"name":")" + secret + R"(","plan":"free"})"), 400, "invalid_request");
  expect_error(rosa->post(keys_path, "{}", {{"Content-Type", "text/plain"}}), 415, "unsupported_media_type");
  expect_error(rosa->send({"POST", keys_path, {}, "{}"}), 415, "unsupported_media_type");
  BOOST_TEST(rosa->get(keys_path).value().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_repeated_creation_makes_one_key_and_shows_it_once) {
  const std::string body = R"({"name":"once","plan":"free"})";
  const fields header{{"Idempotency-Key", "order-1"}};
  const json first = rosa->post(keys_path, body, header).value();
  const answer again = rosa->post(keys_path, body, header);
  BOOST_TEST(again.status == 201);
  BOOST_TEST(again["Idempotency-Replayed"] == "true");
  BOOST_TEST(again["Location"] == path_of(first));
  BOOST_TEST(again.value()["id"].text() == first["id"].text());
  BOOST_TEST(first.has("key"));
  BOOST_TEST(!again.value().has("key"));
  expect_error(rosa->post(keys_path, R"({"name":"two","plan":"free"})", header), 409, "conflict");
  expect_error(rosa->post(keys_path, body, {{"Idempotency-Key", ""}}), 400, "invalid_request");
  BOOST_TEST(rosa->get(keys_path).value().size() == 1u);
  BOOST_TEST(rosa->get("/admin/v1/audit").value().size() == 1u);
}

BOOST_AUTO_TEST_CASE(keys_are_listed_in_pages) {
  std::vector<std::string> expected;
  for (int i = 0; i < 7; ++i) expected.push_back(rosa->make_key()["id"].text());
  BOOST_TEST(ids_in(rosa->get(keys_path)) == expected, boost::test_tools::per_element());
  std::vector<std::string> walked;
  std::string target = keys_path + "?limit=3&unknown=1";
  int pages = 0;
  for (; !target.empty(); ++pages) {
    const answer page = rosa->get(target);
    for (const auto& id : ids_in(page)) walked.push_back(id);
    target = next_of(page);
    BOOST_TEST(target.find("unknown") == std::string::npos);
  }
  BOOST_TEST(pages == 3);
  BOOST_TEST(walked == expected, boost::test_tools::per_element());
  BOOST_TEST(ids_in(rosa->get(keys_path + "?sort=-lastUsedAt")) == expected, boost::test_tools::per_element());
  BOOST_TEST(!rosa->get(keys_path + "?limit=7").has("Link"));
}

BOOST_AUTO_TEST_CASE(a_list_can_be_filtered) {
  const json rex = rosa->make_key(R"({"name":"Rex the Dog","plan":"free"})");
  const json max = rosa->make_key(R"({"name":"Max","plan":"pro"})");
  const json tom = rosa->make_key(R"({"name":"Tom & dog","plan":"pro"})");
  rosa->post(path_of(max) + "/revoke", "{}");
  rosa->put(path_of(tom) + "/ban", R"({"seconds":600})");
  const auto found = [&](const std::string& query) {
    std::string ids;
    for (const auto& id : ids_in(rosa->get(keys_path + query))) ids += id;
    return ids;
  };
  BOOST_TEST(found("?plan=pro") == "k2k3");
  BOOST_TEST(found("?plan=gold") == "");
  BOOST_TEST(found("?name=DOG") == "k1k3");
  BOOST_TEST(found("?name=%26%20d") == "k3");
  BOOST_TEST(found("?state=active") == "k1");
  BOOST_TEST(found("?state=revoked") == "k2");
  BOOST_TEST(found("?state=banned") == "k3");
  BOOST_TEST(found("?state=expired") == "");
  BOOST_TEST(found("?plan=pro&name=dog&state=banned") == "k3");

  const std::string next = next_of(rosa->get(keys_path + "?name=%64og&limit=1"));
  BOOST_TEST(ids_in(rosa->get(next)).front() == "k3");
}

BOOST_AUTO_TEST_CASE(a_list_has_the_quotas_when_it_is_asked_for_them) {
  const json made = rosa->make_key();
  rosa->make_key();
  BOOST_TEST(eventually([&] { return ask_as_customer(made["key"].text()).status == 200; }));
  const answer page = rosa->get(keys_path + "?include=quota&limit=1");
  BOOST_TEST(page.status == 200);
  const json key = page.value()[0];
  BOOST_TEST(key["quota"]["day"]["used"].integer() == 1);
  BOOST_TEST(key["quota"]["day"]["quota"].integer() == 1000);
  BOOST_TEST(rosa->get(next_of(page)).value()[0].has("quota"));
  BOOST_TEST(!rosa->get(keys_path).value()[0].has("quota"));
}

BOOST_AUTO_TEST_CASE(a_query_that_makes_no_sense_is_refused) {
  for (int i = 0; i < 2; ++i) rosa->make_key();
  const std::string cursor = next_of(rosa->get(keys_path + "?limit=1"));
  const std::string text = cursor.substr(cursor.find("cursor="));
  for (const std::string& query :
       {std::string("name=%zz"), std::string("limit=0"), std::string("limit=201"), std::string("limit=x"),
        std::string("limit="), std::string("limit=1&limit=1"), std::string("state=dead"), std::string("sort=name"),
        std::string("include=usage"), std::string("name="), std::string("cursor=abc"), text + "0", text + "&plan=free",
        text.substr(0, text.size() - 1) + "!"})
    expect_error(rosa->get(keys_path + "?" + query), 400, "invalid_request");
  expect_error(rosa->get("/admin/v1/audit?" + text), 400, "invalid_request");
  BOOST_TEST(rosa->get(keys_path + "?limit=200&name=%72osa").status == 200);
}

BOOST_AUTO_TEST_CASE(a_patch_changes_what_it_names) {
  const json key = rosa->make_key();
  const answer changed = rosa->patch(path_of(key),
                                     R"({"name":"Max","plan":"pro","perMinute":5,"scope":"read",)"
                                     R"("expiresAt":"2035-01-01T00:00:00.000Z"})",
                                     {{"Content-Type", "application/merge-patch+json"}});
  BOOST_TEST(changed.status == 200);
  const json after = rosa->get(path_of(key)).value();
  BOOST_TEST(after["name"].text() == "Max");
  BOOST_TEST(after["plan"].text() == "pro");
  BOOST_TEST(after["perMinute"].integer() == 5);
  BOOST_TEST(after["perDay"].is_null());
  BOOST_TEST(after["scope"].text() == "read");
  BOOST_TEST(after["expiresAt"].text() == "2035-01-01T00:00:00.000Z");
  BOOST_TEST(after["quota"]["minute"]["quota"].integer() == 5);

  BOOST_TEST(rosa->patch(path_of(key), R"({"perMinute":null,"expiresAt":null})").status == 200);
  const json plain = rosa->get(path_of(key)).value();
  BOOST_TEST(plain["perMinute"].is_null());
  BOOST_TEST(plain["expiresAt"].is_null());
  BOOST_TEST(plain["quota"]["minute"]["quota"].integer() == 300);

  const answer unchanged = rosa->patch(path_of(key), R"({"name":"Max"})");
  BOOST_TEST(unchanged.status == 200);
  BOOST_TEST(rosa->patch(path_of(key), "{}")["ETag"] == unchanged["ETag"]);
  BOOST_TEST(rosa->get("/admin/v1/audit").value().size() == 3U);

  for (const char* wrong :
       {R"({"name":null})", R"({"name":""})", R"({"plan":null})", R"({"plan":"gold"})", R"({"scope":null})",
        R"({"plan":"enterprise"})", R"({"perDay":0})", R"({"expiresAt":"2001-01-01T00:00:00.000Z"})", "[]"})
    expect_error(rosa->patch(path_of(key), wrong), 400, "invalid_request");
  expect_error(rosa->patch(keys_path + "/k99", "{}"), 404, "not_found");
}

BOOST_AUTO_TEST_CASE(a_patch_takes_effect_only_on_what_it_has_seen) {
  const json key = rosa->make_key();
  const std::string seen = rosa->get(path_of(key))["ETag"];
  const answer first = rosa->patch(path_of(key), R"({"name":"first"})", {{"If-Match", seen}});
  BOOST_TEST(first.status == 200);
  expect_error(rosa->patch(path_of(key), R"({"name":"second"})", {{"If-Match", seen}}), 412, "precondition_failed");
  BOOST_TEST(rosa->get(path_of(key)).value()["name"].text() == "first");
  BOOST_TEST(rosa->get(path_of(key))["ETag"] == first["ETag"]);
  BOOST_TEST(rosa->patch(path_of(key), R"({"name":"third"})", {{"If-Match", first["ETag"]}}).status == 200);
  BOOST_TEST(rosa->patch(path_of(key), R"({"name":"fourth"})", {{"If-Match", "*"}}).status == 200);
  expect_error(rosa->patch(path_of(key), "{}", {{"If-Match", "nonsense"}}), 400, "invalid_request");
}

BOOST_AUTO_TEST_CASE(rotation_makes_a_second_key_of_the_identity) {
  const json old = rosa->make_key();
  const answer rotated = rosa->post(path_of(old) + "/rotate", R"({"grace":3600})");
  BOOST_TEST(rotated.status == 201);
  const json renewed = rotated.value();
  BOOST_TEST(rotated["Location"] == path_of(renewed));
  BOOST_TEST(renewed["id"].text() == "k2");
  BOOST_TEST(renewed["identity"].text() == "k1");
  BOOST_TEST(eventually([&] { return ask_as_customer(renewed["key"].text()).status == 200; }));
  BOOST_TEST(ask_as_customer(old["key"].text()).status == 200);
  BOOST_TEST(!rosa->get(path_of(old)).value()["expiresAt"].is_null());
  expect_error(rosa->post(path_of(old) + "/rotate", "{}"), 409, "conflict");
  expect_error(rosa->post(path_of(renewed) + "/rotate", R"({"grace":-1})"), 400, "invalid_request");
  BOOST_TEST(rosa->send({"POST", path_of(renewed) + "/rotate", {}, {}}).status == 201);
}

BOOST_AUTO_TEST_CASE(a_repeated_rotation_makes_one_key_and_shows_it_once) {
  const json old = rosa->make_key();
  const json other = rosa->make_key();
  const fields header{{"Idempotency-Key", "renewal-1"}};
  const answer first = rosa->post(path_of(old) + "/rotate", R"({"grace":3600})", header);
  BOOST_TEST(first.status == 201);
  BOOST_TEST(!first.has("Idempotency-Replayed"));
  const answer again = rosa->post(path_of(old) + "/rotate", R"({"grace":3600})", header);
  BOOST_TEST(again.status == 201);
  BOOST_TEST(again["Idempotency-Replayed"] == "true");
  BOOST_TEST(again["Location"] == first["Location"]);
  BOOST_TEST(again["ETag"] == first["ETag"]);
  BOOST_TEST(again.value()["id"].text() == "k3");
  BOOST_TEST(first.value().has("key"));
  BOOST_TEST(!again.value().has("key"));
  expect_error(rosa->post(path_of(old) + "/rotate", R"({"grace":60})", header), 409, "conflict");
  expect_error(rosa->post(path_of(other) + "/rotate", "{}", {{"Idempotency-Key", ""}}), 400, "invalid_request");
  // Neither another key nor a creation is a repetition.
  BOOST_TEST(rosa->post(path_of(other) + "/rotate", R"({"grace":3600})", header).value()["id"].text() == "k4");
  BOOST_TEST(rosa->post(keys_path, R"({"name":"x","plan":"free"})", header).value()["id"].text() == "k5");
  const fields without_body{{"Idempotency-Key", "renewal-2"}};
  for (int i = 0; i < 2; ++i)
    BOOST_TEST(rosa->send({"POST", keys_path + "/k5/rotate", without_body, {}}).value()["id"].text() == "k6");
  BOOST_TEST(rosa->get("/admin/v1/audit").value().size() == 6U);
}

BOOST_AUTO_TEST_CASE(a_revoked_key_stays_revoked) {
  const json key = rosa->make_key();
  BOOST_TEST(eventually([&] { return ask_as_customer(key["key"].text()).status == 200; }));
  const answer revoked = rosa->post(path_of(key) + "/revoke", "{}");
  BOOST_TEST(revoked.status == 200);
  BOOST_TEST(revoked.value()["state"].text() == "revoked");
  const answer again = rosa->post(path_of(key) + "/revoke", "{}");
  BOOST_TEST(again.status == 200);
  BOOST_TEST(again.body == revoked.body);
  BOOST_TEST(again["ETag"] == revoked["ETag"]);
  BOOST_TEST(rosa->get("/admin/v1/audit").value().size() == 2U);
  for (int i = 0; i < 2; ++i) {
    const finished_run run = keys_command({"revoke", "k1"});
    BOOST_TEST(run.exit_code == 0, run.errors);
    BOOST_TEST(run.output == "k1 is revoked\n");
  }
  BOOST_TEST(eventually([&] { return ask_as_customer(key["key"].text()).status == 401; }));
  expect_error(rosa->post(keys_path + "/k99/revoke", "{}"), 404, "not_found");
}

BOOST_AUTO_TEST_CASE(a_ban_begins_and_ends) {
  const json key = rosa->make_key();
  BOOST_TEST(eventually([&] { return ask_as_customer(key["key"].text()).status == 200; }));
  const answer banned = rosa->put(path_of(key) + "/ban", R"({"seconds":600})");
  BOOST_TEST(banned.status == 200);
  BOOST_TEST(banned.value()["state"].text() == "banned");
  BOOST_TEST(!banned.value()["bannedUntil"].is_null());
  BOOST_TEST(eventually([&] { return ask_as_customer(key["key"].text()).status == 429; }));
  const answer lifted = rosa->del(path_of(key) + "/ban");
  BOOST_TEST(lifted.status == 200);
  BOOST_TEST(lifted.value()["state"].text() == "active");
  BOOST_TEST(lifted.value()["bannedUntil"].is_null());
  BOOST_TEST(eventually([&] { return ask_as_customer(key["key"].text()).status == 200; }));
  for (const char* wrong : {"{}", R"({"seconds":0})", R"({"seconds":"1"})", R"({"seconds":99999999999})"})
    expect_error(rosa->put(path_of(key) + "/ban", wrong), 400, "invalid_request");
}

BOOST_AUTO_TEST_CASE(a_reset_gives_one_whole_quota) {
  const json key = rosa->make_key(R"({"name":"small","plan":"enterprise","perMinute":5,"perDay":50})");
  const std::string secret = key["key"].text();
  const auto remaining = [&] { return ask_as_customer(secret, "/v1/quota").value()["day"]["remaining"].integer(); };
  const auto admitted_of = [&](int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; ++i) admitted += ask_as_customer(secret).status == 200 ? 1 : 0;
    return admitted;
  };
  BOOST_TEST(eventually([&] { return ask_as_customer(secret, "/v1/quota").status == 200; }));
  BOOST_TEST(admitted_of(8) == 5);

  const std::string before = rosa->get(path_of(key))["ETag"];
  const answer reset = rosa->send({"POST", path_of(key) + "/reset-quota", {}, {}});
  BOOST_TEST(reset.status == 200);
  BOOST_TEST(reset.value()["id"].text() == "k1");
  BOOST_TEST(!reset.value().has("key"));
  BOOST_TEST(reset["ETag"] != before);
  BOOST_TEST(rosa->get(path_of(key)).value()["quota"]["minute"]["remaining"].integer() == 5);
  BOOST_TEST(eventually([&] { return remaining() == 50; }));
  BOOST_TEST(admitted_of(8) == 5);
  const json newest = rosa->get("/admin/v1/audit").value()[0];
  BOOST_TEST(newest["action"].text() == "reset-quota");
  BOOST_TEST(newest["actor"].text() == "rosa");
  BOOST_TEST(node.keys("reset-quota", "k1").output ==
             "the quotas of k1 and all keys of its identity are whole again\n");
  BOOST_TEST(eventually([&] { return remaining() == 50; }));
}

BOOST_AUTO_TEST_CASE(a_reset_of_an_unknown_key_is_not_found) {
  expect_error(rosa->post(keys_path + "/k99/reset-quota", ""), 404, "not_found");
  BOOST_TEST(keys_command({"reset-quota", "k99"}).exit_code == 1);
  rosa->make_key();
  expect_error(rosa->get(keys_path + "/k1/reset-quota"), 405, "method_not_allowed");
  BOOST_TEST(rosa->get("/admin/v1/audit").value().size() == 1u);
}

BOOST_AUTO_TEST_CASE(every_change_is_in_the_audit_with_the_name_of_its_token) {
  const json key = rosa->make_key();
  rosa->make_key();
  rosa->patch(path_of(key), R"({"plan":"pro"})");
  rosa->put(path_of(key) + "/ban", R"({"seconds":60})");
  rosa->del(path_of(key) + "/ban");
  rosa->post(path_of(key) + "/rotate", "{}");
  rosa->post(path_of(key) + "/revoke", "{}");

  const json log = rosa->get("/admin/v1/audit").value();
  std::string actions;
  for (const json& entry : log.elements()) {
    BOOST_TEST(entry.members().size() == 5u);
    BOOST_TEST(entry["actor"].text() == "rosa");
    BOOST_TEST(entry["time"].text().ends_with("Z"));
    BOOST_TEST(!entry["detail"].text().empty());
    actions += entry["action"].text() + " ";
  }
  BOOST_TEST(actions == "revoke rotate unban ban update create create ");
  BOOST_TEST(rosa->get("/admin/v1/audit?key=k2").value().size() == 1u);
  BOOST_TEST(rosa->get("/admin/v1/audit?key=k1").value().size() == 6u);
  expect_error(rosa->get("/admin/v1/audit?key=1"), 400, "invalid_request");

  std::string walked;
  for (std::string target = "/admin/v1/audit?limit=2&key=k1"; !target.empty();) {
    const answer page = rosa->get(target);
    const json entries = page.value();
    BOOST_TEST(entries.size() == 2u);
    for (const json& entry : entries.elements()) walked += entry["action"].text() + " ";
    target = next_of(page);
  }
  BOOST_TEST(walked == "revoke rotate unban ban update create ");
}

BOOST_AUTO_TEST_CASE(the_audit_is_filtered_by_key_action_and_actor) {
  rosa->make_key();
  BOOST_TEST(run_program({"keys", "create", "--store", node.uri(), "--plan", "free"}).exit_code == 0);
  rosa->put(keys_path + "/k1/ban", R"({"seconds":60})");
  rosa->put(keys_path + "/k2/ban", R"({"seconds":60})");
  const auto count = [&](const std::string& query) { return rosa->get("/admin/v1/audit?" + query).value().size(); };
  BOOST_TEST(count("action=ban") == 2u);
  BOOST_TEST(count("action=ban&key=k1") == 1u);
  BOOST_TEST(count("actor=rosa") == 3u);
  BOOST_TEST(count("actor=rosa&action=create") == 1u);
  BOOST_TEST(count("actor=Rosa") == 0u);
  const answer page = rosa->get("/admin/v1/audit?actor=rosa&limit=2");
  BOOST_TEST(page.value().size() == 2u);
  BOOST_TEST(next_of(page).find("actor=rosa&") != std::string::npos);
  BOOST_TEST(rosa->get(next_of(page)).value().size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_command_line_does_a_whole_life_of_a_key_through_the_api) {
  const issued_key made = read_issued_key(keys_command(
      {"create", "--plan", "enterprise", "--per-minute", "50", "--per-day", "500", "--name", "from afar"}));
  BOOST_TEST(made.id == "k1");
  BOOST_TEST(eventually([&] { return ask_as_customer(made.secret).status == 200; }));
  const issued_key renewed = read_issued_key(keys_command({"rotate", "k1", "--grace", "1h"}));
  BOOST_TEST(renewed.id == "k2");
  BOOST_TEST(keys_command({"ban", "k2", "--for", "10m"}).exit_code == 0);
  BOOST_TEST(keys_command({"show", "k2"}).output.find("banned until") != std::string::npos);
  BOOST_TEST(keys_command({"unban", "k2"}).exit_code == 0);
  BOOST_TEST(keys_command({"reset-quota", "k2"}).output ==
             "the quotas of k2 and all keys of its identity are whole again\n");
  BOOST_TEST(keys_command({"set-plan", "k2", "--plan", "pro"}).exit_code == 0);
  BOOST_TEST(keys_command({"revoke", "k1"}).output == "k1 is revoked\n");

  const finished_run remote = keys_command({"list", "--json"});
  BOOST_TEST(remote.exit_code == 0, remote.errors);
  const json listed = json::parse(remote.output);
  BOOST_TEST(listed.size() == 2u);
  BOOST_TEST(listed[0]["state"].text() == "revoked");
  BOOST_TEST(listed[1]["state"].text() == "active");
  BOOST_TEST(listed[1]["name"].text() == "from afar");
  BOOST_TEST(listed[1]["plan"].text() == "pro");
  BOOST_TEST(listed[1]["per_minute"].is_null());

  const finished_run audit = keys_command({"audit"});
  for (const char* action : {"create", "rotate", "ban", "unban", "reset-quota", "update", "revoke"})
    BOOST_TEST(audit.output.find(action) != std::string::npos, action);
  BOOST_TEST(audit.output.find("rosa") != std::string::npos);
  BOOST_TEST(audit.output.find("create") < audit.output.find("rotate"));
  BOOST_TEST(keys_command({"create", "--plan", "free"}).exit_code == 0);  // a key needs no name, as over --store
}

BOOST_AUTO_TEST_CASE(the_command_line_has_every_member_of_a_key) {
  rosa->put(path_of(rosa->make_key()) + "/ban", R"({"seconds":600})");
  std::set<std::string> expected;
  for (const std::string& name : key_members) expected.insert(snake_case(name));
  const auto objects = [&](const finished_run& list, const finished_run& show) {
    BOOST_TEST(list.exit_code == 0, list.errors);
    BOOST_TEST(show.exit_code == 0, show.errors);
    return std::vector{json::parse(list.output)[0], json::parse(show.output)};
  };
  const auto of_server = objects(keys_command({"list", "--json"}), keys_command({"show", "k1", "--json"}));
  const auto of_store = objects(run_program({"keys", "list", "--json", "--store", node.uri()}),
                                run_program({"keys", "show", "k1", "--json", "--store", node.uri()}));
  const json by_api = rosa->get(keys_path).value()[0];
  for (const auto* origin : {&of_server, &of_store})
    for (const json& key : *origin) {
      BOOST_TEST(names_in(key) == expected, boost::test_tools::per_element());
      for (const char* text : {"id", "identity", "name", "plan", "scope", "state", "prefix"})
        BOOST_TEST(key[text].text() == by_api[text].text());
      BOOST_TEST(key["banned_until"].text() == by_api["bannedUntil"].text());
      BOOST_TEST(key["created_at"].text() == by_api["createdAt"].text());
      for (const char* none : {"per_minute", "per_day", "expires_at"}) BOOST_TEST(key[none].is_null());
    }
}

BOOST_AUTO_TEST_CASE(the_command_line_says_why_the_api_refused) {
  const finished_run unknown = keys_command({"revoke", "k9"});
  BOOST_TEST(unknown.exit_code == 1);
  BOOST_TEST(unknown.errors.find("k9") != std::string::npos);
  const finished_run wrong = keys_command({"create", "--plan", "gold", "--name", "x"});
  BOOST_TEST(wrong.exit_code == 2);
  BOOST_TEST(wrong.errors.find("plan must be one of") != std::string::npos, wrong.errors);
  BOOST_TEST(keys_command({"list", "--usage"}).exit_code == 2);
  for (const char* url : {"https://127.0.0.1:1", "127.0.0.1", "http://", "http://a/b"})
    BOOST_TEST(run_program({"keys", "list", "--admin-url", url, "--admin-token-file", token_file()}).exit_code == 2,
               url);
  BOOST_TEST(run_program({"keys", "list", "--admin-url", "http://127.0.0.1:1"}).exit_code == 2);
  const finished_run both = keys_command({"list", "--store", node.uri()});
  BOOST_TEST(both.exit_code == 2);
  BOOST_TEST(both.errors == "petstore: --store and --admin-url both say where the keys are: give one of them\n");
  BOOST_TEST(both.output.empty());
  BOOST_TEST(run_program({"keys", "list", "--admin-url", "http://127.0.0.1:1", "--admin-token-file", token_file()})
                 .exit_code == 1);
}

BOOST_AUTO_TEST_CASE(the_command_line_sees_what_the_api_did) {
  rosa->make_key(R"({"name":"for the command line","plan":"free"})");
  const finished_run list = run_program({"keys", "list", "--store", node.uri()});
  BOOST_TEST(list.output.find("for the command line") != std::string::npos);
  const finished_run audit = run_program({"keys", "audit", "--store", node.uri()});
  BOOST_TEST(audit.output.find("rosa") != std::string::npos);
  node.keys("set-plan", "k1", {"--plan", "pro"});
  BOOST_TEST(rosa->get(keys_path + "/k1").value()["plan"].text() == "pro");
}

BOOST_AUTO_TEST_SUITE_END()
