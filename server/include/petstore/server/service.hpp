// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/ban_log.hpp"
#include "petstore/server/clock.hpp"
#include "petstore/server/description.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/key_check.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/readiness.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// The operations as the OpenAPI document names them, in the order in which `metrics` count them. Any thread.
PETSTORE_EXPORT std::span<std::string_view const> operation_names() noexcept;

/// The pet store: identifies the caller, admits it, routes, answers. Knows no socket: a value in, a value out, so unit
/// tests, benchmarks and a host program's own listener call the same function.
///
/// Thread safety: one per thread (or strand), all of them over the same store, quotas and keys. Everything given by
/// reference outlives the service.
class PETSTORE_EXPORT service final : public http_handler {
 public:
  /// `key_check`: in place of the keys; null: by the keys. `ban_log`: learns of bans for strikes that begin; null:
  /// nobody does.
  service(service_options const&, page const& description, ports::store&, ports::quota_source&, key_registry const&,
          metrics_shard&, readiness const&, clock_function, log_function, key_check* = nullptr, ban_log* = nullptr);
  ~service() override;

  /// @{
  /// What is kept by reference must be somebody's: not one that is gone at the end of the line.
  service(service_options const&, page&&, ports::store&, ports::quota_source&, key_registry const&, metrics_shard&,
          readiness const&, clock_function, log_function, key_check* = nullptr, ban_log* = nullptr) = delete;
  service(service_options const&, page const&, ports::store&, ports::quota_source&, key_registry&&, metrics_shard&,
          readiness const&, clock_function, log_function, key_check* = nullptr, ban_log* = nullptr) = delete;
  service(service_options const&, page const&, ports::store&, ports::quota_source&, key_registry const&, metrics_shard&,
          readiness&&, clock_function, log_function, key_check* = nullptr, ban_log* = nullptr) = delete;
  /// @}

  asio::awaitable<void> handle(request const&, response& out) override;
  void refuse(errc, std::string_view message, request const& partial, response& out) override;

  /// Takes other options from the next request on: of these `anonymous` and `cors_origins`; the rest is ignored. What
  /// an address has used stays used. On the service's thread.
  void reconfigure(service_options const&);

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace petstore::server
