// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "admin/admin_answer.hpp"
#include "admin/browser_request.hpp"
#include "pages/console_page.hpp"
#include "petstore/json.hpp"
#include "petstore/json_object.hpp"
#include "petstore/server/address_range.hpp"

namespace petstore::program {
namespace {

using server::known_field;
using server::method;

constexpr std::string_view keys_path = "/keys/k";
constexpr std::string_view post_only = "POST, OPTIONS";
/// Forbids content of other sites. Forbids frames, too: a page that shows the console in a frame could make its visitor
/// press a button without seeing it (clickjacking).
constexpr std::string_view page_policy =
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

/// The parts of a path such as `/keys/k17/facts`; the number is 0 for any other path.
struct key_path {
  std::uint64_t number = 0;
  std::string_view what;
};

key_path parse_key_path(std::string_view path) {
  if (!path.starts_with(keys_path)) return {};
  auto const rest = path.substr(keys_path.size());
  auto const slash = std::min(rest.find('/'), rest.size());
  auto const number = parse_int64(rest.substr(0, slash));
  if (!number || *number < 1) return {};
  return {static_cast<std::uint64_t>(*number), rest.substr(std::min(slash + 1, rest.size()))};
}

/// Returns whether the request is a POST. For any other method it fills in the answer and returns false.
bool is_post_or_answer(server::request const& req, server::response& out) {
  if (req.method == method::post) return true;
  if (req.method == method::options) {
    out.status = 204;
    out.add("Allow", post_only);
  } else {
    answer_error(out, errc::method_not_allowed, {}, post_only);
  }
  return false;
}

}  // namespace

admin_console::admin_console(parts p, console_hosts hosts)
    : parts_{std::move(p)}, session_{parts_.access, parts_.log}, hosts_{std::move(hosts)} {}

bool admin_console::has(std::string_view path) const noexcept {
  if (path == "/events" || path == "/drain" || path == "/session" || parts_.site.find(path)) return true;
  auto const key = parse_key_path(path);
  if (key.number == 0 || path.ends_with('/')) return false;
  return key.what.empty() || key.what == "facts";
}

boost::asio::awaitable<void> admin_console::handle(server::request const& req, server::response& out) {
  if (auto const host = req.find(known_field::host); !hosts_.has(host)) {
    answer_error(out, errc::forbidden,
                 fmt::format("The console is not opened as {}: open it by its address or as "
                             "localhost, or name this host in --admin-hosts.",
                             host));
  } else if (req.path == "/drain") {
    answer_drain(req, out);
  } else if (req.path == "/session") {
    session_.handle(req, out);
  } else if (req.path == "/events") {
    answer_events(req, out);
  } else if (auto const key = parse_key_path(req.path); key.number == 0) {
    answer_page(req.path, req, out);
  } else if (key.what.empty()) {
    answer_page(pages::console_page::key_path, req, out);
  } else {
    co_await answer_facts(req, key.number, out);
  }
}

void admin_console::answer_page(std::string_view path, server::request const& req, server::response& out) const {
  if (!is_read_or_answer(req.method, out)) return;
  auto const done = server::static_site::answer(*parts_.site.find(path), req, out);
  if (!done) return answer_error(out, done.error().code, done.error().message);
  out.add("X-Content-Type-Options", "nosniff");
  out.add("Content-Security-Policy", page_policy);
  out.add("Cache-Control", "no-cache");
}

void admin_console::answer_events(server::request const& req, server::response& out) {
  if (!is_read_or_answer(req.method, out)) return;
  if (comes_from_another_site(req)) return answer_error(out, errc::forbidden, "This is for the console's own page.");
  out.stream = parts_.feed.read();
  if (!out.stream)
    return answer_error(out, errc::unavailable, "Too many consoles are open, or the process is about to end.");
  // After a lost connection the browser connects again in 2 seconds.
  answer_text(out, "text/event-stream", "retry: 2000\n\n");
}

boost::asio::awaitable<void> admin_console::answer_facts(server::request const& req, std::uint64_t number,
                                                         server::response& out) {
  if (!is_read_or_answer(req.method, out)) co_return;
  if (comes_from_another_site(req)) co_return answer_error(out, errc::forbidden, "This is for the console's own page.");
  auto finding = parts_.keys.find(number);
  auto const found = co_await std::move(finding);
  if (!found) {
    // The cause is for operators, and only they reach this listener.
    auto const& e = found.error();
    co_return answer_error(out, e.code, e.cause.empty() ? e.message : e.message + " (" + e.cause + ")");
  }
  auto looking = parts_.keys.look_at_quota(*found);
  co_await std::move(looking);
  std::string body;
  json_object object{body};
  parts_.keys.describe(*found).add_members(object);
  parts_.keys.add_quota(object, *found);
  object.close();
  answer_json(out, std::move(body));
}

void admin_console::answer_drain(server::request const& req, server::response& out) {
  auto const who = find_operator_or_answer(req, out);
  if (!who) return;
  // What the client sent may contain a token, so it is not logged.
  parts_.log(
      server::severity::info, "console_action",
      fmt::format("{} by {} from {}: the server is to stop", req.path, who->name, server::address_text(req.peer)),
      server::log_origin{req});
  parts_.drain();
  std::string body;
  json_object{body}.add("done", "The server drains its connections and exits.").close();
  answer_json(out, std::move(body));
}

std::optional<admin_user> admin_console::find_operator_or_answer(server::request const& req, server::response& out) {
  if (!is_post_or_answer(req, out)) return std::nullopt;
  std::optional<admin_user> who;
  if (comes_from_another_site(req)) {
    answer_error(out, errc::forbidden, "Actions are for the console's own page.");
  } else if (!is_json(req)) {
    answer_error(out, errc::unsupported_media_type, "Actions are application/json.");
  } else {
    who = parts_.access.identify_or_answer(req, admin_role::operating, out);
  }
  if (!who)
    parts_.log(server::severity::warning, "console_action_refused",
               fmt::format("{} from {}: {}", req.path, server::address_text(req.peer), out.notes.error_code),
               server::log_origin{req});
  return who;
}

}  // namespace petstore::program
