// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "admin/admin_access.hpp"
#include "admin/console_hosts.hpp"
#include "admin/console_session.hpp"
#include "admin/event_feed.hpp"
#include "admin/key_catalog.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"
#include "petstore/server/static_site.hpp"

namespace petstore::program {

/// The console on the admin listener. It shows people what the server does now, and lets them act.
///
///     GET  /                    the page of the figures, and its files beside it
///     GET  /keys, /keys/k17     the pages of the keys and of one key, which work with the administration API, as do
///     GET  /audit               the page of the audit log
///     GET  /pets, /orders       the pages of animals and orders, to look at
///     …    /session             who is signed in (console_session.hpp)
///     GET  /events              the state of the server: server-sent events, one a second
///     GET  /keys/k17/facts      a key with its quotas, as GET /admin/v1/keys/k17 shows it
///     POST /drain               {}: ends the process, as SIGTERM does
///
/// Everybody who reaches the listener under one of its names may read, as with the metrics. The pages change keys with
/// the administration API. The drain needs the session or the token of an operator (admin_access.hpp) and the content
/// type application/json, and must not come from a page of another site. It is logged. Without tokens in the
/// configuration there are no actions. One thread.
class admin_console {
 public:
  struct parts {
    server::static_site const& site;  ///< of a console_page
    event_feed& feed;
    key_catalog& keys;
    admin_access& access;
    std::function<void()> drain;
    server::log_function log;
  };
  explicit admin_console(parts, console_hosts = console_hosts{});

  /// Replaces the names under which the console may be opened.
  void set_hosts(console_hosts hosts) { hosts_ = std::move(hosts); }

  /// Whether a path is one of the console's.
  bool has(std::string_view path) const noexcept;
  /// Answers a request for such a path.
  boost::asio::awaitable<void> handle(server::request const&, server::response&);

 private:
  boost::asio::awaitable<void> answer_facts(server::request const&, std::uint64_t number, server::response&);
  void answer_page(std::string_view path, server::request const&, server::response&) const;
  void answer_events(server::request const&, server::response&);
  void answer_drain(server::request const&, server::response&);
  /// Returns who wants to do something. If that is not allowed, fills in the answer, logs it, and returns nullopt.
  std::optional<admin_user> find_operator_or_answer(server::request const&, server::response&);

  parts const parts_;
  console_session session_;
  console_hosts hosts_;
};

}  // namespace petstore::program
