// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "serve/admin_pages.hpp"

#include <utility>

namespace petstore::program {
namespace {

using server::method;

constexpr std::string_view allowed = "GET, HEAD, OPTIONS";

void answer_text(server::response& out, std::string_view type, std::string body) {
  out.add("Content-Type", type);
  out.add("X-Content-Type-Options", "nosniff");
  out.add("Cache-Control", "no-store");
  out.body = std::move(body);
}

void answer_error(server::response& out, errc code, std::string_view message) {
  auto const& row = describe(code);
  std::string body;
  append_error_json(body, code, message.empty() ? row.message : message);
  out.status = row.status;
  out.notes.error_code = row.code;
  if (code == errc::method_not_allowed) out.add("Allow", allowed);
  if (code == errc::unavailable) out.add("Retry-After", "1");
  answer_text(out, "application/json", std::move(body));
}

}  // namespace

admin_pages::admin_pages(ports::store& store, server::readiness const& readiness,
                         std::function<std::string()> metrics_text)
    : store_(store), readiness_(readiness), metrics_text_(std::move(metrics_text)) {}

boost::asio::awaitable<void> admin_pages::handle(server::request const& request, server::response& out) {
  bool const live = request.path == "/livez";
  bool const ready = request.path == "/readyz";
  if (!live && !ready && request.path != "/metrics") {
    answer_error(out, errc::not_found, "the admin pages are /livez, /readyz and /metrics");
  } else if (request.method == method::options) {
    out.status = 204;
    out.add("Allow", allowed);
  } else if (request.method != method::get && request.method != method::head) {
    answer_error(out, errc::method_not_allowed, {});
  } else if (live) {
    answer_text(out, "application/json", R"({"status":"live"})");
  } else if (ready) {
    co_await answer_readyz(out);
  } else {
    answer_text(out, "text/plain; version=0.0.4; charset=utf-8", metrics_text_());
  }
}

boost::asio::awaitable<void> admin_pages::answer_readyz(server::response& out) {
  if (readiness_.draining) {
    answer_error(out, errc::unavailable, "draining");
    co_return;
  }
  auto const store_ready = co_await store_.ready();
  if (!store_ready) {
    // The cause is for operators, and only they reach this listener.
    std::string reason = "the store cannot take requests";
    if (!store_ready.error().cause.empty()) reason += ": " + store_ready.error().cause;
    answer_error(out, errc::unavailable, reason);
  } else {
    answer_text(out, "application/json", R"({"status":"ready"})");
  }
}

void admin_pages::refuse(errc code, std::string_view message, server::request const&, server::response& out) {
  answer_error(out, code, message);
}

}  // namespace petstore::program
