// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <string>

#include "admin/admin_api.hpp"
#include "admin/admin_console.hpp"
#include "admin/openmetrics.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/service.hpp"

namespace petstore::program {

/// The pages of the admin listener, for orchestrators and monitoring:
///
///     GET /livez     200 as long as the process answers at all
///     GET /readyz    200, or 503 with the reason: draining, the store's reason, or quotas that cannot be counted
///     GET /metrics   the Prometheus text format, or OpenMetrics for a client whose Accept prefers it
///     GET /          the console, for people (admin_console.hpp)
///     /admin/v1/…    the administration API, for programs (admin_api.hpp)
///
/// They need no key, and charge nothing. One thread.
class admin_pages final : public server::http_handler {
 public:
  /// Makes the page of the metrics.
  using metrics_page = std::function<std::string(metrics_format)>;

  /// `console` and `api` outlive the pages; nullptr: there is none.
  admin_pages(ports::store&, server::readiness const&, metrics_page, admin_console* console = nullptr,
              admin_api* api = nullptr);

  boost::asio::awaitable<void> handle(server::request const&, server::response& out) override;
  void refuse(errc, std::string_view message, server::request const& partial, server::response& out) override;

 private:
  boost::asio::awaitable<void> answer_readyz(server::response& out);
  void answer_metrics(server::request const&, server::response& out) const;

  ports::store& store_;
  server::readiness const& readiness_;
  metrics_page const metrics_page_;
  admin_console* const console_;
  admin_api* const api_;
};

}  // namespace petstore::program
