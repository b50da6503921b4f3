// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/api_key.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/limits/headers.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/description.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/metrics.hpp"

namespace petstore::server {

/// A range of addresses, as in 10.0.0.0/8 or 2001:db8::/32. IPv4 is kept as ::ffff:a.b.c.d.
struct address_range {
  std::array<unsigned char, 16> first{};
  unsigned prefix_bits = 128;

  static std::optional<address_range> parse(std::string_view);
  bool contains(std::array<unsigned char, 16> const&) const noexcept;
};

/// What a service needs to know; fixed while it runs.
struct service_options {
  petstore::environment environment = petstore::environment::production;
  std::string base_path = "/v1";                 ///< starts with `/`, does not end with one
  std::string base_url = "http://127.0.0.1/v1";  ///< of production, for the OpenAPI document
  std::string staging_base_url = "http://127.0.0.1/v1";
  limits::plan anonymous{60, 0, limits::refill::periodic};
  limits::rate_limit_fields rate_limit_fields = limits::rate_limit_fields::draft11;
  std::optional<pet_status> default_status;
  bool require_known_category = false;
  std::vector<std::string> cors_origins;  ///< empty: CORS is off; `*` alone: any origin
  std::vector<address_range> trusted_proxies;
};

using clock_function = std::function<limits::instant()>;

/// Whether the process should get traffic; shared by all services of a process and the admin pages. Any thread.
struct readiness {
  std::atomic<bool> draining{false};
  std::atomic<bool> store_ready{true};
  bool ready() const noexcept { return !draining && store_ready; }
};

/// The pet store: identifies the caller, admits it, routes, answers. Knows no socket: a value in, a value out, so unit
/// tests, benchmarks and a host program's own listener call the same function.
///
/// Thread safety: one per thread (or strand), all of them over the same store, quotas and keys. Everything given by
/// reference outlives the service.
class service final : public http_handler {
 public:
  service(service_options const&, page const& description, ports::store&, ports::quota_source&, key_registry const&,
          metrics_shard&, readiness const&, clock_function, log_function);
  ~service() override;

  asio::awaitable<void> handle(request const&, response& out) override;
  void refuse(errc, std::string_view message, request const& partial, response& out) override;

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace petstore::server
