// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "access.hpp"

#include <chrono>

#include "client_address.hpp"
#include "field.hpp"

namespace petstore::server {
namespace {

/// The bucket of the keyless pages, of each address.
constexpr limits::plan keyless_plan{60, 0, limits::refill::periodic};

}  // namespace

std::optional<std::string_view> parse_bearer(std::string_view authorization) noexcept {
  constexpr std::string_view scheme = "Bearer ";
  // As nearly everybody writes it, or in other letters.
  bool const is_bearer =
      authorization.starts_with(scheme) || equals_ignoring_case(authorization.substr(0, scheme.size()), scheme);
  if (!is_bearer) return std::nullopt;
  std::string_view const token = trim(authorization.substr(scheme.size()));
  return token.empty() ? std::nullopt : std::optional{token};
}

access::access(service_options const& options, key_registry const& keys)
    : options_{options}, digester_{options.environment}, keys_{keys} {}

caller access::identify(request const& req, payment costs, limits::instant now) {
  caller who;
  if (costs == payment::keyless) {
    who.payer = payer_of_address(req);
    who.payer.kind = ports::payer::kind::keyless;
    who.payer.plan = keyless_plan;
    return who;
  }
  auto const token = parse_bearer(req.find(known_field::authorization));
  who.gave_token = token.has_value();
  auto const* entry = token ? find_key(*token, now) : nullptr;
  if (!entry) {
    who.payer = payer_of_address(req);
    return who;
  }
  who.payer.kind = ports::payer::kind::identity;
  who.payer.account = entry->account;
  who.payer.plan = entry->plan;
  who.key = entry->key;
  who.identity = entry->identity;
  who.scope = entry->scope;
  if (costs == payment::inquiry) who.plan_name = *entry->plan_name;
  return who;
}

/// Good until the snapshot is asked for again.
key_entry const* access::find_key(std::string_view token, limits::instant now) {
  auto const* digest = digester_.digest(token);
  if (!digest) return nullptr;
  unix_ms const at{std::chrono::duration_cast<std::chrono::milliseconds>(now.wall)};
  return keys_.get().find(*digest, at);
}

ports::payer access::payer_of_address(request const& req) const {
  auto const address = find_client_address(req, options_.trusted_proxies);
  ports::payer payer;
  payer.kind = ports::payer::kind::address;
  payer.address = limits::charging_unit(address);
  payer.plan = options_.anonymous;
  payer.never_banned = is_in_any(options_.trusted_proxies, address);
  return payer;
}

}  // namespace petstore::server
