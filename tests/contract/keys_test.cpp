// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

// The three usual orders of base62 digits. The documentation does not say which one keys use, so a real key shows it.
constexpr std::array<std::string_view, 3> alphabets{"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
                                                    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"};

std::uint32_t crc32(std::string_view text) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

std::string with_checksum(const std::string& key, std::string_view alphabet) {
  std::string digits(6, alphabet[0]);
  std::uint32_t crc = crc32(key);
  for (auto at = digits.rbegin(); at != digits.rend(); ++at, crc /= 62) *at = alphabet[crc % 62];
  return key + digits;
}

// A well-formed key that was never issued.
std::string unissued_key(const std::string& real, const std::string& prefix) {
  for (const std::string_view alphabet : alphabets) {
    const std::string body = real.substr(0, real.size() - 6);
    if (with_checksum(body, alphabet) != real) continue;
    std::string other = body.substr(body.size() - 43);
    std::rotate(other.begin() + 1, other.begin() + 2, other.end());
    return with_checksum(prefix + other, alphabet);
  }
  BOOST_FAIL("the checksum of a real key is in no base62 that we know");
  return {};
}

void expect_same_refusal(const answer& got) {
  expect_error(got, 401, "unauthorized");
  BOOST_TEST(got["WWW-Authenticate"] == "Bearer realm=\"petstore\", error=\"invalid_token\"");
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(keys, on_open_node, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(a_key_has_its_prefix_32_bytes_and_a_checksum) {
  const std::string key = api.key();
  BOOST_TEST(key.size() == 8U + 43U + 6U);
  BOOST_TEST(key.starts_with("ps_live_"));
  BOOST_TEST(
      (std::all_of(key.begin() + 8, key.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)); })));
  BOOST_TEST(unissued_key(key, "ps_live_") != key);
}

BOOST_AUTO_TEST_CASE(every_wrong_key_gets_the_same_answer) {
  const std::string real = api.key();
  std::string typo = real;
  typo[20] = typo[20] == 'x' ? 'y' : 'x';
  const std::string unknown = unissued_key(real, "ps_live_");
  const std::string first = client(node, unknown).get("/v1/pets").body;
  for (const std::string& key : {unknown, typo, unissued_key(real, "ps_test_"), std::string("x"),
                                 real.substr(0, real.size() - 1), real + "0", real + real, "PS_LIVE_" + real.substr(8),
                                 std::string(2000, 'a'), std::string("ps_live_"), std::string("a.b-c_d~e+f/g==")}) {
    BOOST_TEST_CONTEXT(key) {
      const answer got = client(node, key).get("/v1/pets");
      expect_same_refusal(got);
      BOOST_TEST(got.body == first);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_single_changed_character_is_noticed) {
  for (std::size_t at = 0; at < api.key().size(); ++at) {
    std::string typo = api.key();
    typo[at] = typo[at] == 'a' ? 'b' : 'a';
    BOOST_TEST(client(node, typo).get("/v1/pets").status == 401);
  }
}

BOOST_AUTO_TEST_CASE(the_scheme_is_bearer_in_any_case) {
  client bare(node, "");
  for (const char* scheme : {"Bearer ", "bearer ", "BEARER ", "bEaReR "}) {
    BOOST_TEST(bare.get("/v1/pets?limit=1", {{"Authorization", scheme + api.key()}}).status == 200);
  }
  for (const std::string& value : {"Basic " + api.key(), api.key(), "Bearer" + api.key(), "Token " + api.key(),
                                   std::string("Bearer"), std::string("Bearer "), std::string()}) {
    BOOST_TEST_CONTEXT("Authorization: " << value) {
      expect_error(bare.get("/v1/pets", {{"Authorization", value}}), 401, "unauthorized");
    }
  }
}

BOOST_AUTO_TEST_CASE(two_authorization_fields_are_refused) {
  const std::string bearer = "Bearer " + api.key();
  client bare(node, "");
  expect_error(bare.get("/v1/pets", {{"Authorization", bearer}, {"Authorization", bearer}}), 400, "malformed_http");
}

BOOST_AUTO_TEST_CASE(a_key_is_taken_from_the_header_alone) {
  client bare(node, "");
  expect_error(bare.get("/v1/pets?access_token=" + api.key()), 401, "unauthorized");
  expect_error(bare.get("/v1/pets?api_key=" + api.key()), 401, "unauthorized");
  expect_error(bare.get("/v1/pets", {{"X-API-Key", api.key()}}), 401, "unauthorized");
}

BOOST_AUTO_TEST_CASE(a_key_made_while_running_works_within_a_second) {
  const issued_key fresh = node.create_key();
  BOOST_TEST(eventually([&] { return client(node, fresh.secret).ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
}

BOOST_AUTO_TEST_CASE(a_revoked_key_is_refused_within_a_second) {
  const issued_key doomed = node.create_key();
  client holder(node, doomed.secret);
  BOOST_TEST(eventually([&] { return holder.ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
  node.keys("revoke", doomed.id);
  BOOST_TEST(eventually([&] { return holder.ask({"GET", "/v1/pets", {}, {}}).status == 401; }));
  expect_same_refusal(holder.get("/v1/pets"));
}

BOOST_AUTO_TEST_CASE(an_expired_key_is_refused) {
  arguments flags = without_limits;
  flags.insert(flags.end(), {"--expires", "3s"});
  const issued_key brief = node.create_key(flags);
  client holder(node, brief.secret);
  BOOST_TEST(eventually([&] { return holder.ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
  BOOST_TEST(eventually([&] { return holder.ask({"GET", "/v1/pets", {}, {}}).status == 401; }));
  expect_same_refusal(holder.get("/v1/pets"));
}

BOOST_AUTO_TEST_CASE(a_rotated_key_works_until_its_grace_is_over) {
  const issued_key old = node.create_key();
  client before(node, old.secret);
  BOOST_TEST(eventually([&] { return before.ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
  const issued_key renewed = read_issued_key(node.keys("rotate", old.id, {"--grace", "4s"}));
  BOOST_TEST(renewed.secret != old.secret);
  BOOST_TEST(renewed.id != old.id);
  client after(node, renewed.secret);
  BOOST_TEST(eventually([&] { return after.ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
  const answer by_old = before.get("/v1/pets");
  BOOST_TEST(by_old.status == 200);
  // Both keys belong to one identity, so they share its quota.
  const answer by_new = after.get("/v1/pets");
  BOOST_TEST(by_new.integer("X-RateLimit-Remaining") == by_old.integer("X-RateLimit-Remaining") - 1);
  BOOST_TEST(eventually([&] { return before.ask({"GET", "/v1/pets", {}, {}}).status == 401; }));
  expect_same_refusal(before.get("/v1/pets"));
  BOOST_TEST(after.get("/v1/pets").status == 200);
}

BOOST_AUTO_TEST_CASE(a_ban_holds_until_it_is_lifted) {
  const issued_key naughty = node.create_key();
  client holder(node, naughty.secret);
  BOOST_TEST(eventually([&] { return holder.ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
  node.keys("ban", naughty.id);
  BOOST_TEST(eventually([&] { return holder.ask({"GET", "/v1/pets", {}, {}}).status == 429; }));
  for (const char* target : {"/v1/pets", "/v1/quota", "/v1/nowhere", "/v1/pets?limit=0"}) {
    const answer banned = holder.get(target);
    expect_error(banned, 429, "banned");
    BOOST_TEST(banned["X-RateLimit-Resource"] == "minute");
    BOOST_TEST(banned["X-RateLimit-Remaining"] == "0");
    BOOST_TEST(!banned.has("RateLimit"));
    BOOST_TEST(banned.integer("X-RateLimit-Reset") >= seconds_of_date(banned["Date"]));
  }
  node.keys("unban", naughty.id);
  BOOST_TEST(eventually([&] { return holder.ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
}

BOOST_AUTO_TEST_CASE(a_plan_is_changed_while_running_and_keeps_what_was_used) {
  const issued_key growing = node.create_key({"--plan", "free"});
  client holder(node, growing.secret);
  BOOST_TEST(eventually([&] { return holder.ask({"GET", "/v1/pets", {}, {}}).status == 200; }));
  const answer free = holder.get("/v1/pets");
  BOOST_TEST(free["RateLimit-Policy"] == R"("minute";q=60;w=60, "day";q=1000;w=86400)");
  const std::int64_t used = 60 - free.integer("X-RateLimit-Remaining");
  node.keys("set-plan", growing.id, {"--plan", "pro"});
  // getQuota costs no token, so the test may poll it until the change is visible.
  BOOST_TEST(eventually([&] { return holder.ask({"GET", "/v1/quota", {}, {}}).value()["plan"].text() == "pro"; }));
  const answer pro = holder.get("/v1/pets");
  BOOST_TEST(pro["RateLimit-Policy"] == R"("minute";q=300;w=60, "day";q=10000;w=86400)");
  BOOST_TEST(pro.integer("X-RateLimit-Remaining") == 300 - used - 1);
  node.keys("set-plan", growing.id, {"--plan", "enterprise", "--per-minute", "5000", "--per-day", "50000"});
  BOOST_TEST(eventually([&] {
    return holder.ask({"GET", "/v1/quota", {}, {}}).value()["plan"].text() == "enterprise";
  }));
  BOOST_TEST(holder.get("/v1/pets").integer("X-RateLimit-Remaining") == 5000 - used - 2);
}

BOOST_AUTO_TEST_CASE(keys_are_recognised_but_never_shown_again) {
  const issued_key named = node.create_key({"--plan", "free", "--name", "front desk"});
  const finished_run list = run_program({"keys", "list", "--store", node.uri()});
  BOOST_TEST(list.exit_code == 0);
  BOOST_TEST(("\n" + list.output).find("\n" + named.id) != std::string::npos, "no line begins with the id");
  const std::string last_four = named.secret.substr(named.secret.size() - 4);
  for (const std::string& shown : {list.output, node.keys("show", named.id).output}) {
    BOOST_TEST(shown.find(named.secret) == std::string::npos);
    BOOST_TEST(shown.find(named.secret.substr(8)) == std::string::npos);
    BOOST_TEST(shown.find(last_four) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(every_change_of_a_key_is_in_the_audit_log) {
  const issued_key watched = node.create_key();
  const issued_key renewed = read_issued_key(node.keys("rotate", watched.id));
  node.keys("ban", watched.id);
  node.keys("unban", watched.id);
  node.keys("set-plan", watched.id, {"--plan", "pro"});
  node.keys("revoke", watched.id);
  const finished_run audit = run_program({"keys", "audit", "--store", node.uri()});
  BOOST_TEST(audit.exit_code == 0);
  BOOST_TEST(audit.output.find(watched.secret) == std::string::npos);
  BOOST_TEST(audit.output.find(renewed.secret) == std::string::npos);
  for (const char* change : {"create", "rotate", "ban", "unban", "set-plan", "revoke"}) {
    BOOST_TEST(audit.output.find(change) != std::string::npos, change);
  }
  BOOST_TEST(audit.output.find(watched.id) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(json_output_is_one_object_with_key_and_id) {
  const finished_run run = run_program({"keys", "create", "--store", node.uri(), "--plan", "free", "--json"});
  BOOST_TEST(run.exit_code == 0);
  const json both = json::parse(run.output);
  BOOST_TEST(both["key"].text().starts_with("ps_live_"));
  BOOST_TEST(!both["id"].text().empty());
}

BOOST_AUTO_TEST_CASE(a_secret_is_on_no_disk_and_in_no_log) {
  client bare(node, "");
  // A careless client may put the key anywhere.
  const answer answers[] = {bare.get("/v1/pets/" + api.key()),
                            bare.get("/v1/pets?status=" + api.key()),
                            api.get("/v1/" + api.key()),
                            api.get("/v1/pets/" + api.key()),
                            api.get("/v1/pets?status=" + api.key()),
                            api.get("/v1/pets?" + api.key() + "=1&limit=0"),
                            api.get("/v1/pets?limit=1", {{"X-Request-Id", "of-" + api.key()}}),
                            api.post("/v1/pets", "{\"name\":5,\"" + api.key() + "\":1}", {{"User-Agent", api.key()}}),
                            api.post("/v1/pets", R"({"name":"Rex","status":")" + api.key() + "\"}")};
  for (const answer& got : answers) {
    BOOST_TEST(got.body.find(api.key()) == std::string::npos, got.body);
    for (const auto& [name, value] : got.headers) BOOST_TEST(value.find(api.key()) == std::string::npos, name);
  }
  const answer metrics = connection(node.admin_port()).exchange({"GET", "/metrics", {}, {}});
  BOOST_TEST(metrics.body.find(api.key()) == std::string::npos, "the key is in a metric");
  BOOST_TEST(node.process().errors().find(api.key()) == std::string::npos, "the key is in the log");
  BOOST_TEST(!node.process().errors().empty());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(node.store_directory())) {
    if (!entry.is_regular_file()) continue;
    BOOST_TEST(content_of(entry.path()).find(api.key().substr(8, 40)) == std::string::npos, entry.path().string());
  }
}

BOOST_AUTO_TEST_CASE(a_key_that_makes_no_sense_is_not_made) {
  const std::string uri = node.uri();
  for (const arguments& flags :
       {arguments{"--plan", "gold"}, arguments{"--plan", "enterprise"}, arguments{},
        arguments{"--plan", "enterprise", "--per-minute", "5"}, arguments{"--plan", "enterprise", "--per-day", "5"},
        arguments{"--plan", "free", "--per-minute", "-1"}, arguments{"--plan", "free", "--per-minute", "many"},
        arguments{"--plan", "free", "--scope", "admin"}, arguments{"--plan", "free", "--expires", "soon"}}) {
    arguments command{"keys", "create", "--store", uri};
    command.insert(command.end(), flags.begin(), flags.end());
    const finished_run run = run_program(command);
    BOOST_TEST(run.exit_code == 2, "exit " << run.exit_code << " " << run.errors);
    BOOST_TEST(run.output.empty());
    BOOST_TEST(!run.errors.empty());
  }
  for (const char* word : {"show", "rotate", "revoke", "ban", "unban"}) {
    BOOST_TEST(run_program({"keys", word, "--store", uri, "no-such-id"}).exit_code != 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
