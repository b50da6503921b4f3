// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/admin_node.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "contract/expectations.hpp"
#include "contract/stores.hpp"

namespace contract {

admin_client::admin_client(const test_node& node, std::string token, std::string source)
    : port_(node.admin_port()), token_(std::move(token)), source_(std::move(source)) {}

answer admin_client::send(request wanted) {
  if (!token_.empty()) wanted.headers.emplace_back("Authorization", "Bearer " + token_);
  const bool to_head = wanted.method == "HEAD";
  connection line(port_, source_);
  line.send(wanted.bytes());
  answer got = line.receive(to_head);
  BOOST_TEST_CONTEXT(wanted.method << " " << wanted.target) {
    BOOST_TEST(got.has("Date"));
    BOOST_TEST(got.has("X-Request-Id"));
    BOOST_TEST(got.head_bytes <= answer_head_bytes_max);
    if (got.status == 401) BOOST_TEST(got["WWW-Authenticate"].starts_with("Bearer realm="));
    if (got.status == 405) BOOST_TEST(got.has("Allow"));
    if (got.status == 429 || got.status == 503) BOOST_TEST(got.integer("Retry-After") >= 1);
    if (got.status != 204) {
      const auto accepts = std::find(wanted.headers.begin(), wanted.headers.end(), field{"Accept", "text/csv"});
      const bool is_csv = got.status == 200 && accepts != wanted.headers.end();
      BOOST_TEST(got["Content-Type"] == (is_csv ? "text/csv; charset=utf-8" : "application/json"));
      BOOST_TEST(got["X-Content-Type-Options"] == "nosniff");
    }
    if (got.status >= 400 && !to_head) expect_error(got, got.status, got.code());
  }
  return got;
}

answer admin_client::send_body(const std::string& method, const std::string& target, std::string_view body,
                               const fields& headers) {
  fields all = headers;
  const bool has_type = std::any_of(all.begin(), all.end(), [](const field& f) { return f.first == "Content-Type"; });
  if (!has_type) all.emplace_back("Content-Type", "application/json");
  return send({method, target, all, std::string(body)});
}

answer admin_client::post(const std::string& target, std::string_view body, const fields& headers) {
  return send_body("POST", target, body, headers);
}

answer admin_client::put(const std::string& target, std::string_view body) {
  return send_body("PUT", target, body, {});
}

answer admin_client::patch(const std::string& target, std::string_view body, const fields& headers) {
  return send_body("PATCH", target, body, headers);
}

json admin_client::make_key(std::string_view body) {
  const answer made = post("/admin/v1/keys", body);
  BOOST_REQUIRE_MESSAGE(made.status == 201, made.body);
  return made.value();
}

admin_node::admin_node(const arguments& flags) : node(new_store()) {
  write_tokens("# the node's\nrosa operator " + operators_token + "\nvera viewer " + viewers_token + "\n");
  // The requests of these tests name that host.
  arguments all{"--admin-hosts", "pets.example", "--admin-token-file", token_file()};
  all.insert(all.end(), flags.begin(), flags.end());
  node.open(all);
  rosa.emplace(node, operators_token);
  vera.emplace(node, viewers_token);
}

void admin_node::write_tokens(std::string_view text) const {
  const std::filesystem::path fresh = node.write_file("tokens.new", text);
  std::filesystem::permissions(fresh, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::rename(fresh, fresh.parent_path() / "tokens");
}

std::string admin_node::token_file() const {
  return (node.directory() / "tokens").string();
}

finished_run admin_node::keys_command(const arguments& words) const {
  arguments command{"keys"};
  command.insert(command.end(), words.begin(), words.end());
  const std::string url = "http://127.0.0.1:" + std::to_string(node.admin_port());
  command.insert(command.end(), {"--admin-url", url, "--admin-token-file", token_file()});
  return run_program(command);
}

answer admin_node::ask_as_customer(const std::string& key, const std::string& target) const {
  return client(node, key).ask({"GET", target, {}, {}});
}

}  // namespace contract
