// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/console_session.hpp"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <string>

#include "admin/admin_answer.hpp"
#include "admin/browser_request.hpp"
#include "admin/session_cookie.hpp"
#include "petstore/json_object.hpp"
#include "petstore/server/address_range.hpp"

namespace petstore::program {
namespace {

using server::method;

constexpr std::string_view methods = "GET, HEAD, POST, DELETE, OPTIONS";

/// Returns nullopt for a body that is not {"token": "…"}.
std::optional<std::string> read_token(std::string_view body) {
  boost::system::error_code broken;
  auto const value = boost::json::parse(body, broken);
  if (broken || !value.is_object()) return std::nullopt;
  auto const* const token = value.get_object().if_contains("token");
  if (!token || !token->is_string()) return std::nullopt;
  return std::string{std::string_view{token->get_string()}};
}

}  // namespace

void console_session::handle(server::request const& req, server::response& out) {
  if (req.method == method::options) {
    out.status = 204;
    out.add("Allow", methods);
  } else if (comes_from_another_site(req)) {
    answer_error(out, errc::forbidden, "This is for the console's own page.");
  } else if (req.method == method::get || req.method == method::head) {
    answer_who(access_.find_signed_in(req), out);
  } else if (req.method == method::post) {
    sign_in(req, out);
  } else if (req.method == method::delete_) {
    sign_out(req, out);
  } else {
    answer_error(out, errc::method_not_allowed, {}, methods);
  }
}

void console_session::sign_in(server::request const& req, server::response& out) {
  if (!is_json(req)) return answer_error(out, errc::unsupported_media_type, "A sign-in is application/json.");
  auto const token = read_token(req.body);
  if (!token) return answer_error(out, errc::invalid_request, "The body is not {\"token\": \"…\"}.");
  auto const begun = access_.sign_in_or_answer(req, *token, out);
  if (!begun) return record(server::severity::warning, "console_action_refused", req, out.notes.error_code);
  add_session_cookie(req, begun->secret, out);
  answer_who(begun->user, out);
  record(server::severity::info, "console_action", req, begun->user.name + " signed in");
}

void console_session::sign_out(server::request const& req, server::response& out) {
  auto const who = access_.find_signed_in(req);
  access_.sign_out(req);
  remove_session_cookie(req, out);
  answer_who(std::nullopt, out);
  if (who) record(server::severity::info, "console_action", req, who->name + " signed out");
}

void console_session::answer_who(std::optional<admin_user> const& who, server::response& out) const {
  std::string body;
  json_object object{body};
  object.add_json("canSignIn", access_.has_tokens() ? "true" : "false");
  if (who) {
    object.add("name", who->name).add("role", who->may(admin_role::operating) ? "operator" : "viewer");
  } else {
    object.add_json("name", "null").add_json("role", "null");
  }
  object.close();
  answer_json(out, std::move(body));
}

void console_session::record(server::severity severity, std::string_view event, server::request const& req,
                             std::string_view what) const {
  log_(severity, event, fmt::format("{} from {}: {}", req.path, server::address_text(req.peer), what),
       server::log_origin{req});
}

}  // namespace petstore::program
