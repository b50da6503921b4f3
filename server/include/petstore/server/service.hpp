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
#include "petstore/export.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/limits/headers.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/address_range.hpp"
#include "petstore/server/ban_log.hpp"
#include "petstore/server/description.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/key_check.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/static_site.hpp"

namespace petstore::server {

/// Where proxies say who their client is.
enum class forwarding_field : std::uint8_t { x_forwarded_for, forwarded };

/// What a service needs to know; fixed while it runs, but for what `service::set_strangers` changes.
struct PETSTORE_EXPORT service_options {
  /// Of the store, whose keys are taken. A shop asks its store.
  petstore::environment environment = petstore::environment::production;
  std::string base_path = "/v1";                            ///< starts with `/`, does not end with one
  std::string base_url = "http://127.0.0.1/v1";             ///< of production, for the OpenAPI document
  std::string staging_base_url = "http://127.0.0.1/v1";     ///< of staging
  limits::plan anonymous{60, 0, limits::refill::periodic};  ///< for who shows no valid key, by address
  /// Whether answers have RateLimit and RateLimit-Policy.
  limits::rate_limit_fields rate_limit_fields = limits::rate_limit_fields::draft11;
  std::optional<pet_status> default_status;    ///< of animals that are created without one; nullopt: they have none
  bool require_known_category = false;         ///< whether an animal's category must exist; else it is any number
  std::vector<std::string> cors_origins;       ///< empty: CORS is off; `*` alone: any origin
  std::vector<address_range> trusted_proxies;  ///< whose word on their client's address is taken
  forwarding_field forwarded_by = forwarding_field::x_forwarded_for;  ///< what the trusted proxies set
  /// Pages beside the operations, which need no key and are charged as the OpenAPI document is; nullptr: none. Outlive
  /// the service.
  static_site const* documentation = nullptr;
};

/// Says what time it is, on both clocks. Called from every thread that serves, several times for each request.
using clock_function = std::function<limits::instant()>;

/// Whether the process should get traffic; shared by all services of a process and the admin pages. Any thread.
struct PETSTORE_EXPORT readiness {
  std::atomic<bool> draining{false};     ///< a drain began
  std::atomic<bool> store_ready{true};   ///< the store said that it can take requests
  std::atomic<bool> quotas_ready{true};  ///< false: requests are refused because their quotas cannot be counted
  /// All is well.
  bool ready() const noexcept { return !draining && store_ready && quotas_ready; }
};

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

  /// Other `service_options::anonymous` and `cors_origins`, from the next request on. What an address has used stays
  /// used. On the service's thread.
  void set_strangers(limits::plan const& anonymous, std::vector<std::string> cors_origins);

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace petstore::server
