// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "admin/admin_access.hpp"
#include "admin/admin_list.hpp"
#include "admin/console_hosts.hpp"
#include "admin/key_catalog.hpp"
#include "petstore/key_request.hpp"
#include "petstore/list_query.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

namespace petstore::program {

/// The administration API on the admin listener, below `/admin/v1`. Its table of operations is in admin_api.cpp. Every
/// operation but the document needs a token (admin_access.hpp); one that changes something needs the role operator, is
/// logged, and is in the audit log under the name of the token. Errors have the body and the codes of the public API.
/// One thread.
class admin_api {
 public:
  struct parts {
    ports::store& store;
    ports::quota_source& quotas;
    admin_access& access;
    std::function<plan_table()> plans;  ///< returns the plans in force
    std::function<limits::instant()> clock;
    server::log_function log;
  };
  /// References outlive this object.
  explicit admin_api(parts, console_hosts = console_hosts{});

  /// Replaces the names under which it answers.
  void set_hosts(console_hosts hosts) { hosts_ = std::move(hosts); }

  /// The keys that it shows; the console shows them, too.
  key_catalog& keys() noexcept { return keys_; }

  /// Whether a path is below `/admin/v1`.
  static bool has(std::string_view path) noexcept;
  /// Answers a request for such a path.
  boost::asio::awaitable<void> handle(server::request const&, server::response&);

 private:
  /// A request that may be answered.
  struct call {
    server::request const& req;
    admin_user const& user;
    std::uint64_t key;  ///< the number in the path; 0 if there is none
    server::response& out;
    unix_ms now;  ///< when it began: two readings of the clock could make a grace period of 0 a negative one
  };
  using outcome = boost::asio::awaitable<result<void>>;
  /// A row of the table of operations.
  struct operation {
    server::method method;           ///< HEAD comes with GET, OPTIONS with every path
    std::string_view path;           ///< below `/admin/v1`; `{id}` stands for the id of a key
    std::optional<admin_role> role;  ///< nullopt: needs no token
    outcome (admin_api::*handler)(call const&);
  };
  struct route;

  static std::span<operation const> operations();
  static route match(server::request const&);
  boost::asio::awaitable<void> answer(route const&, admin_user const&, server::request const&, server::response&);

  // admin_api_reads.cpp
  outcome list_keys(call const&);
  outcome get_key(call const&);
  outcome list_changes(call const&);
  outcome get_description(call const&);

  // admin_api_records.cpp
  outcome list_pets(call const&);
  outcome list_orders(call const&);
  outcome list_records(call const&, record_kind, std::string_view path);

  // admin_api_usage.cpp
  outcome get_usage(call const&);

  // admin_api_changes.cpp
  outcome create_key(call const&);
  outcome update_key(call const&);
  outcome rotate_key(call const&);
  outcome revoke_key(call const&);
  outcome ban_key(call const&);
  outcome unban_key(call const&);
  outcome reset_quota(call const&);

  void add_next_link(call const&, std::string_view path, admin_list const&, list_position last) const;
  /// Fills in an answer with the key object; `more` adds members to it.
  void answer_key(call const&, known_key const&, std::function<void(json_object&)> const& more = {}) const;
  outcome answer_key_as_it_is(call const&);
  static result<std::optional<ports::idempotency>> read_repeat(call const&, std::string_view body);
  std::optional<error> find_fault(std::optional<std::string> const& name, std::optional<std::string> const& plan) const;
  boost::asio::awaitable<result<key_change>> change(call const&, key_command, std::optional<ports::idempotency> = {});
  outcome follow_ban(call const&, key_change const& done);
  outcome answer_made(call const&, key_change, std::string secret);
  outcome answer_change(call const&, key_command);

  parts const parts_;
  console_hosts hosts_;
  key_catalog keys_;
};

}  // namespace petstore::program
