// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "contract/client.hpp"

namespace contract {

// The tokens of the administration API that an `admin_node` knows.
inline const std::string operators_token = "operators-token-0123456789-0123456789";
inline const std::string viewers_token = "viewers-token-0123456789-0123456789ab";

// A caller of the administration API, with one token (or none) and one address. It checks of every answer what all of
// them have.
class admin_client {
 public:
  admin_client(const test_node& node, std::string token, std::string source = "127.0.0.1");

  answer get(const std::string& target, const fields& headers = {}) { return send({"GET", target, headers, {}}); }
  answer head(const std::string& target) { return send({"HEAD", target, {}, {}}); }
  answer options(const std::string& target) { return send({"OPTIONS", target, {}, {}}); }
  answer del(const std::string& target) { return send({"DELETE", target, {}, {}}); }
  // With a body of the type application/json, or with the type that the headers have.
  answer post(const std::string& target, std::string_view body, const fields& headers = {});
  answer put(const std::string& target, std::string_view body);
  answer patch(const std::string& target, std::string_view body, const fields& headers = {});
  answer send(request wanted);

  // Creates a key, which must succeed, and returns its object.
  json make_key(std::string_view body = R"({"name":"Rosa's","plan":"free"})");

 private:
  answer send_body(const std::string& method, const std::string& target, std::string_view body, const fields& headers);

  std::uint16_t port_;
  std::string token_;
  std::string source_;
};

// A service with an operator (rosa) and a viewer (vera), for one case.
struct admin_node {
  explicit admin_node(const arguments& flags = {});

  // Replaces the token file. Only its owner may read it.
  void write_tokens(std::string_view text) const;
  std::string token_file() const;
  // Runs `petstore keys WORDS` against the API.
  finished_run keys_command(const arguments& words) const;
  answer ask_as_customer(const std::string& key, const std::string& target = "/v1/pets") const;

  test_node node;
  std::optional<admin_client> rosa;
  std::optional<admin_client> vera;
};

}  // namespace contract
