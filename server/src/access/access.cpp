// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "access/access.hpp"

#include <chrono>
#include <utility>

#include "access/client_address.hpp"
#include "access/page_bucket.hpp"
#include "http/field.hpp"

namespace petstore::server {
namespace {

/// The plan of an address for requests that need no key, except those for the documentation page.
constexpr limits::plan keyless_plan{limits::per_minute(60)};
/// The plan of an address for the documentation page. A visit takes five tokens (the page and its four files) and one
/// of the other bucket (the OpenAPI document). So an office behind one address has 60 visits a minute, and reloads
/// beside them.
constexpr limits::plan page_plan{limits::per_minute(600)};

}  // namespace

std::optional<std::string_view> parse_bearer(std::string_view authorization) noexcept {
  constexpr std::string_view scheme = "Bearer ";
  // Most clients write it with these letters; the scheme is case-insensitive.
  bool const is_bearer =
      authorization.starts_with(scheme) || equals_ignoring_case(authorization.substr(0, scheme.size()), scheme);
  if (!is_bearer) return std::nullopt;
  std::string_view const token = trim(authorization.substr(scheme.size()));
  return token.empty() ? std::nullopt : std::optional{token};
}

access::access(service_options const& options, key_registry const& keys, ports::quota_source& quotas, key_check* check,
               metrics_shard& counters)
    : options_{options},
      digester_{options.environment},
      keys_{keys},
      quotas_{quotas},
      check_{check},
      counters_{counters} {}

ports::eventual<caller> access::identify(request const& req, payment how, limits::instant now) {
  if (is_keyless(how)) return keyless_caller(req, how);
  auto const token = parse_bearer(req.find(known_field::authorization));
  if (!token) return anonymous_caller(req, false);
  if (check_)
    return check_->check(*token, now).then([this, &req, how](std::optional<principal> found) {
      return caller_of(std::move(found), req, how);
    });
  auto const* entry = find_key(*token, now);
  return entry ? owner_of(*entry, how) : anonymous_caller(req, true);
}

caller access::keyless_caller(request const& req, payment how) const {
  caller who;
  who.payer = payer_of_address(req);
  who.payer.kind = ports::payer::kind::keyless;
  who.payer.plan = keyless_plan;
  if (how == payment::page) {
    who.payer.address = page_bucket_of(who.payer.address);
    who.payer.plan = page_plan;
  }
  who.plan_row = metrics_shard::keyless_row;
  return who;
}

caller access::anonymous_caller(request const& req, bool gave_token) const {
  caller who;
  who.payer = payer_of_address(req);
  who.gave_token = gave_token;
  return who;
}

caller access::owner_of(key_entry const& entry, payment how) {
  caller who;
  who.payer.kind = ports::payer::kind::identity;
  who.payer.account = entry.account;
  who.payer.plan = entry.plan;
  who.key = entry.key;
  who.identity = entry.identity;
  who.scope = entry.scope;
  who.operators_ban_until = entry.banned_until;
  who.plan_row = row_of(entry);
  who.gave_token = true;
  if (how == payment::inquiry) who.plan_name = *entry.plan_name;
  return who;
}

caller access::caller_of(std::optional<principal> found, request const& req, payment how) {
  if (!found || found->identity == 0) return anonymous_caller(req, true);
  caller who;
  who.payer = quotas_.payer_of(found->identity, found->plan);
  who.key = who.identity = found->identity;
  who.scope = found->scope;
  who.plan_row = counters_.row_of_plan(found->plan_name);
  who.gave_token = true;
  if (how == payment::inquiry) who.plan_name = std::move(found->plan_name);
  return who;
}

/// The pointer is valid until keys_.get() is called again.
key_entry const* access::find_key(std::string_view token, limits::instant now) {
  auto const* digest = digester_.digest(token);
  if (!digest) return nullptr;
  unix_ms const at = std::chrono::time_point_cast<std::chrono::milliseconds>(now.wall);
  auto const& keys = keys_.get();
  if (&keys != rows_of_) [[unlikely]]
    forget_rows(keys);
  return keys.find(*digest, at);
}

/// A new snapshot never has the address of the one before, which is held until it is exchanged.
void access::forget_rows(key_snapshot const& keys) {
  plan_rows_.assign(keys.plan_count(), no_row);
  rows_of_ = &keys;
}

std::uint8_t access::find_row(key_entry const& entry) {
  return plan_rows_[entry.plan_number] = counters_.row_of_plan(*entry.plan_name);
}

ports::payer access::payer_of_address(request const& req) const {
  auto const address = find_client_address(req, options_);
  ports::payer payer;
  payer.kind = ports::payer::kind::address;
  payer.address = limits::charging_unit(address);
  payer.plan = options_.anonymous;
  payer.never_banned = is_in_any(options_.trusted_proxies, address);
  return payer;
}

}  // namespace petstore::server
