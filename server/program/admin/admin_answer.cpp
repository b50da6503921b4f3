// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_answer.hpp"

#include <utility>

namespace petstore::program {
namespace {

constexpr std::string_view read_methods = "GET, HEAD, OPTIONS";

}  // namespace

void answer_text(server::response& out, std::string_view type, std::string body) {
  out.add("Content-Type", type);
  out.add("X-Content-Type-Options", "nosniff");
  out.add("Cache-Control", "no-store");
  out.body = std::move(body);
}

void answer_json(server::response& out, std::string body) {
  answer_text(out, "application/json", std::move(body));
}

void answer_error(server::response& out, errc code, std::string_view message, std::string_view allow) {
  auto const& row = describe(code);
  std::string body;
  append_error_json(body, code, message.empty() ? row.message : message);
  out.status = row.status;
  out.fields.clear();
  out.notes.error_code = row.code;
  if (!allow.empty()) out.add("Allow", allow);
  if (code == errc::unavailable) out.add("Retry-After", "1");
  answer_json(out, std::move(body));
}

bool is_read_or_answer(server::method m, server::response& out) {
  using server::method;
  if (m == method::get || m == method::head) return true;
  if (m == method::options) {
    out.status = 204;
    out.add("Allow", read_methods);
  } else {
    answer_error(out, errc::method_not_allowed, {}, read_methods);
  }
  return false;
}

}  // namespace petstore::program
