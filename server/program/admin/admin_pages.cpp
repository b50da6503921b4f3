// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_pages.hpp"

#include <fmt/format.h>

#include <utility>

#include "admin/admin_answer.hpp"
#include "admin_path.hpp"
#include "petstore/server/accept.hpp"

namespace petstore::program {

admin_pages::admin_pages(ports::store& store, server::readiness const& readiness, metrics_page metrics,
                         admin_console* console, admin_api* api)
    : store_(store), readiness_(readiness), metrics_page_(std::move(metrics)), console_(console), api_(api) {}

boost::asio::awaitable<void> admin_pages::handle(server::request const& request, server::response& out) {
  bool const live = request.path == "/livez";
  bool const ready = request.path == "/readyz";
  if (api_ && admin_api::has(request.path)) {
    auto answering = api_->handle(request, out);
    co_await std::move(answering);
  } else if (console_ && console_->has(request.path)) {
    co_await console_->handle(request, out);
  } else if (!live && !ready && request.path != "/metrics") {
    auto const pages = "the admin pages are /, /keys, /pets, /orders, /audit, /docs, /livez, /readyz and /metrics";
    answer_error(out, errc::not_found, fmt::format("{}; the API is below {}", pages, admin_path));
  } else if (!is_read_or_answer(request.method, out)) {
    co_return;
  } else if (live) {
    answer_json(out, R"({"status":"ok"})");
  } else if (ready) {
    co_await answer_readyz(out);
  } else {
    answer_metrics(request, out);
  }
}

/// Prefers OpenMetrics where the client names it with at least the weight of plain text, as Prometheus does.
void admin_pages::answer_metrics(server::request const& request, server::response& out) const {
  auto const weight = [&](std::string_view type) { return server::weight_of(request, "Accept", type).value_or(0); };
  auto const wanted = weight("application/openmetrics-text");
  if (wanted > 0 && wanted >= weight("text/plain")) {
    answer_text(out, "application/openmetrics-text; version=1.0.0; charset=utf-8",
                metrics_page_(metrics_format::openmetrics));
  } else {
    answer_text(out, "text/plain; version=0.0.4; charset=utf-8", metrics_page_(metrics_format::prometheus));
  }
  out.add("Vary", "Accept");
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
  } else if (!readiness_.quotas_ready) {
    answer_error(out, errc::unavailable,
                 "quotas cannot be counted: Redis does not answer, and quota-failure is closed");
  } else {
    answer_json(out, R"({"status":"ready"})");
  }
}

void admin_pages::refuse(errc code, std::string_view message, server::request const&, server::response& out) {
  answer_error(out, code, message, code == errc::method_not_allowed ? "GET, HEAD, OPTIONS" : "");
}

}  // namespace petstore::program
