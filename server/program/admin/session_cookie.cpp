// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/session_cookie.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "admin/browser_request.hpp"

namespace petstore::program {
namespace {

/// Returns the port in a Host field; empty if it has none.
std::string_view port_in(std::string_view host) {
  auto const colon = host.rfind(':');
  if (colon == host.npos) return {};
  auto const port = host.substr(colon + 1);
  bool const is_number = std::ranges::all_of(port, [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? port : std::string_view{};
}

std::string name_of_cookie(server::request const& req) {
  return fmt::format("petstore_session_{}", port_in(req.find(server::known_field::host)));
}

void set_cookie(server::request const& req, std::string_view value, std::string_view more, server::response& out) {
  out.add("Set-Cookie", fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/{}{}", name_of_cookie(req), value, more,
                                    uses_tls(req) ? "; Secure" : ""));
}

}  // namespace

std::string_view read_session_cookie(server::request const& req) {
  auto const name = name_of_cookie(req);
  auto cookies = req.find("cookie");
  while (!cookies.empty()) {
    auto const cookie = cookies.substr(0, cookies.find(';'));
    cookies.remove_prefix(std::min(cookie.size() + 1, cookies.size()));
    cookies.remove_prefix(std::min(cookies.find_first_not_of(' '), cookies.size()));
    if (cookie.starts_with(name) && cookie.substr(name.size()).starts_with('=')) return cookie.substr(name.size() + 1);
  }
  return {};
}

void add_session_cookie(server::request const& req, std::string_view secret, server::response& out) {
  set_cookie(req, secret, {}, out);
}

void remove_session_cookie(server::request const& req, server::response& out) {
  set_cookie(req, {}, "; Max-Age=0", out);
}

}  // namespace petstore::program
