// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <signal.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "contract/admin_node.hpp"
#include "contract/expectations.hpp"
#include "contract/stores.hpp"

BOOST_AUTO_TEST_SUITE(admin_access,
                      *boost::unit_test::label("every_store") * boost::unit_test::precondition(contract::store_is_here))

using namespace contract;

namespace {

const std::string fresh_token = "fresh-token-0123456789-0123456789-abc";

int exit_code_with_tokens(std::string_view text, std::filesystem::perms allowed, std::string* errors = nullptr) {
  test_node node(new_store());
  node.create_key();
  const std::string file = node.write_file("tokens", text);
  std::filesystem::permissions(file, allowed);
  const finished_run run = run_program({"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--store",
                                        node.uri(), "--admin-token-file", file});
  if (errors) *errors = run.errors;
  return run.exit_code;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(every_operation_needs_a_token, admin_node) {
  admin_client stranger(node, "");
  for (const char* target :
       {"/admin/v1/keys", "/admin/v1/keys/k1", "/admin/v1/audit", "/admin/v1/nowhere", "/admin/v1"})
    expect_error(stranger.get(target), 401, "unauthorized");
  expect_error(stranger.post("/admin/v1/keys", "{}"), 401, "unauthorized");
  expect_error(stranger.options("/admin/v1/keys"), 401, "unauthorized");
  expect_error(admin_client(node, operators_token + "x").get("/admin/v1/keys"), 401, "unauthorized");
}

BOOST_FIXTURE_TEST_CASE(a_viewer_reads_and_changes_nothing, admin_node) {
  const std::string key = "/admin/v1/keys/" + rosa->make_key()["id"].text();
  BOOST_TEST(vera->get("/admin/v1/keys").status == 200);
  BOOST_TEST(vera->get(key).status == 200);
  BOOST_TEST(vera->get("/admin/v1/audit").status == 200);
  expect_error(vera->post("/admin/v1/keys", R"({"name":"x","plan":"free"})"), 403, "forbidden");
  expect_error(vera->patch(key, "{}"), 403, "forbidden");
  expect_error(vera->post(key + "/rotate", "{}"), 403, "forbidden");
  expect_error(vera->post(key + "/revoke", "{}"), 403, "forbidden");
  expect_error(vera->put(key + "/ban", R"({"seconds":1})"), 403, "forbidden");
  expect_error(vera->del(key + "/ban"), 403, "forbidden");
  expect_error(vera->post(key + "/reset-quota", ""), 403, "forbidden");
  BOOST_TEST(rosa->get("/admin/v1/audit").value().size() == 1u);
}

// The cookie goes with every request of the browser; the token is sent once.
BOOST_FIXTURE_TEST_CASE(who_signs_in_to_the_console_uses_the_api_with_a_cookie, admin_node) {
  admin_client browser(node, "");
  const answer in = browser.post("/session", R"({"token":")" + viewers_token + R"("})");
  BOOST_TEST(in.status == 200, in.body);
  BOOST_TEST(in.value()["name"].text() == "vera");
  const std::string cookie = in["Set-Cookie"];
  BOOST_TEST(cookie.ends_with("; HttpOnly; SameSite=Strict; Path=/"), cookie);
  const fields session{{"Cookie", cookie.substr(0, cookie.find(';'))}};
  BOOST_TEST(browser.get("/admin/v1/keys", session).status == 200);
  expect_error(browser.post("/admin/v1/keys", R"({"name":"x","plan":"free"})", session), 403, "forbidden");
  fields elsewhere = session;
  elsewhere.emplace_back("Origin", "http://evil.example");
  expect_error(browser.get("/admin/v1/keys", elsewhere), 403, "forbidden");

  write_tokens("rosa operator " + operators_token + "\n");
  node.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return browser.get("/admin/v1/keys", session).status == 401; }));
}

BOOST_FIXTURE_TEST_CASE(ten_wrong_tokens_close_an_address_for_a_minute, admin_node) {
  admin_client guesser(node, "a wrong one", "127.0.0.2");
  for (int i = 0; i < 10; ++i) expect_error(guesser.get("/admin/v1/keys"), 401, "unauthorized");
  admin_client right(node, operators_token, "127.0.0.2");
  const answer closed = right.get("/admin/v1/keys");
  expect_error(closed, 429, "rate_limited");
  BOOST_TEST(closed.integer("Retry-After") <= 60);
  BOOST_TEST(rosa->get("/admin/v1/keys").status == 200);
}

BOOST_FIXTURE_TEST_CASE(unknown_paths_and_methods_are_told_apart, admin_node) {
  for (const char* target : {"/admin/v1", "/admin/v1/", "/admin/v1/keys/", "/admin/v1/keys/7", "/admin/v1/keys/k0",
                             "/admin/v1/keys/k01", "/admin/v1/keys/k1/nothing", "/admin/v1/keys/k1", "/admin/v1/Keys"})
    expect_error(rosa->get(target), 404, "not_found");
  expect_error(rosa->del("/admin/v1/keys"), 405, "method_not_allowed");
  const std::string allowed = rosa->del("/admin/v1/keys")["Allow"];
  for (const char* method : {"GET", "HEAD", "POST", "OPTIONS"}) BOOST_TEST(list_has(allowed, method), allowed);
  BOOST_TEST(list_has(rosa->get("/admin/v1/keys/k1/ban")["Allow"], "PUT"));
  const answer options = rosa->options("/admin/v1/keys/k1");
  BOOST_TEST(options.status == 204);
  BOOST_TEST(list_has(options["Allow"], "PATCH"));
  BOOST_TEST(rosa->head("/admin/v1/keys").status == 200);
  BOOST_TEST(rosa->get("/admin/v1/%6beys").status == 200);
}

BOOST_FIXTURE_TEST_CASE(the_document_needs_no_token_and_names_every_operation, admin_node) {
  admin_client stranger(node, "");
  const answer got = stranger.get("/admin/v1/openapi.json");
  BOOST_TEST(got.status == 200);
  BOOST_TEST(stranger.head("/admin/v1/openapi.json").status == 200);
  expect_error(stranger.del("/admin/v1/openapi.json"), 405, "method_not_allowed");
  const json document = got.value();
  BOOST_TEST(document["openapi"].text() == "3.1.0");
  rosa->make_key();
  for (const auto& [path, item] : document["paths"].members()) {
    std::string target = "/admin/v1" + path;
    if (const auto id = target.find("{id}"); id != std::string::npos) target.replace(id, 4, "k1");
    // The document has the methods that the service has, but for HEAD and OPTIONS.
    std::size_t described = 0;
    for (const auto& [method, operation] : item.members()) described += method != "parameters" ? 1U : 0U;
    const auto allowed = list_members(rosa->options(target)["Allow"]);
    BOOST_TEST(allowed.size() - 1 - (item.has("get") ? 1U : 0U) == described, path);
  }
}

BOOST_FIXTURE_TEST_CASE(it_answers_under_the_names_of_the_console_alone, admin_node) {
  connection line(node.admin_port());
  line.send("GET /admin/v1/keys HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer " + operators_token +
            "\r\n\r\n");
  expect_error(line.receive(), 403, "forbidden");
}

BOOST_FIXTURE_TEST_CASE(a_changed_token_file_is_read_again, admin_node) {
  write_tokens("rosa operator " + fresh_token + "\n");
  admin_client renewed(node, fresh_token);
  node.process().send_signal(SIGHUP);
  // Less than ten wrong tokens, which would close the address.
  BOOST_TEST(
      eventually([&] { return admin_client(node, operators_token, "127.0.0.3").get("/admin/v1/keys").status != 200; }));
  BOOST_TEST(renewed.get("/admin/v1/keys").status == 200);

  write_tokens("rosa operator short\n");
  node.process().send_signal(SIGHUP);
  BOOST_TEST(
      eventually([&] { return node.process().errors().find("admin_tokens_not_reloaded") != std::string::npos; }));
  BOOST_TEST(renewed.get("/admin/v1/keys").status == 200);
  BOOST_TEST(node.process().errors().find(fresh_token) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_token_file_that_cannot_be_used_stops_the_start) {
  using std::filesystem::perms;
  const auto own = perms::owner_read | perms::owner_write;
  const std::string good = "rosa operator " + operators_token + "\n";
  std::string errors;
  BOOST_TEST(exit_code_with_tokens(good, own | perms::others_read, &errors) == 2);
  BOOST_TEST(errors.find("admin-token-file") != std::string::npos, errors);
  BOOST_TEST(exit_code_with_tokens(good, own | perms::others_write) == 2);
  for (const std::string& text : {std::string("rosa root " + operators_token), std::string("rosa operator short"),
                                  std::string("# nobody\n"), good + "a b c d"}) {
    BOOST_TEST(exit_code_with_tokens(text, own, &errors) == 2, errors);
    BOOST_TEST(errors.find(operators_token) == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_lone_token_is_that_of_the_operator_admin) {
  test_node node(new_store());
  const std::string file = node.write_file("tokens", operators_token + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  node.open({"--admin-hosts", "pets.example", "--admin-token-file", file});
  admin_client admin(node, operators_token);
  admin.make_key();
  BOOST_TEST(admin.get("/admin/v1/audit").value()[0]["actor"].text() == "admin");
}

BOOST_AUTO_TEST_SUITE_END()
