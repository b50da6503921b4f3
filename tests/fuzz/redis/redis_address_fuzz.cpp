// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <string>

#include "fuzz/require.hpp"
#include "fuzz/target.hpp"
#include "petstore/redis/address.hpp"

/// Addresses of Redis: an accepted address can be connected to; the error for a refused one is a sentence that repeats
/// nothing of it; the text for a log is the same address without the secrets.
namespace petstore::fuzz {
namespace {

using redis::address;

bool has_zero(std::string const& text) {
  return text.find('\0') != std::string::npos;
}

void require_usable(address const& where, std::string_view input) {
  require(!where.nodes.empty(), "there is somewhere to connect to", input);
  require(where.kind != address::topology::single || where.nodes.size() == 1, "one server is one", input);
  for (auto const& one : where.nodes) require(!one.host.empty() && one.port != 0, "a node has host and port", input);
  require((where.kind == address::topology::sentinel) != where.master_name.empty(), "sentinels have a master", input);
  require(where.kind != address::topology::cluster || where.database == 0, "a cluster has one database", input);
  require(where.tls || (where.ca + where.certificate + where.key + where.server_name).empty(), "files are for TLS",
          input);
  require(where.certificate.empty() == where.key.empty(), "a certificate has a key", input);
  require(where.user.empty() || !where.password.empty(), "a user has a password", input);
  for (auto const* text :
       {&where.user, &where.password, &where.master_name, &where.ca, &where.certificate, &where.key}) {
    require(!has_zero(*text), "nothing ends early", input);
  }
}

}  // namespace

void check(std::string_view input) {
  auto const parsed = redis::parse_address(input);
  if (!parsed) {
    auto const& told = parsed.error().detail;
    require(told.ends_with('.') && told.size() < 100, "a fault is told in a sentence", told);
    return;
  }
  require_usable(*parsed, input);

  // A master's name may have characters that the text of an address cannot have.
  auto const is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (!std::ranges::all_of(parsed->master_name, is_plain)) return;
  auto expected = *parsed;
  for (auto* secret : {&expected.user, &expected.password, &expected.ca, &expected.certificate, &expected.key,
                       &expected.server_name}) {
    secret->clear();
  }
  auto const shown = to_string(*parsed);
  auto const again = redis::parse_address(shown);
  require(again && *again == expected, "what is shown is the same place, without the secrets", shown, input);
}

}  // namespace petstore::fuzz
