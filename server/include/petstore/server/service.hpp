// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
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
#include "petstore/server/in_flight.hpp"
#include "petstore/server/key_check.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/quota_watch.hpp"
#include "petstore/server/readiness.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// The names of the operations as in the OpenAPI document, in the order in which `metrics` counts them. Any thread.
PETSTORE_EXPORT std::span<std::string_view const> operation_names() noexcept;

/// The names of the operations that take tokens, so that they may have a cost. Any thread.
PETSTORE_EXPORT std::span<std::string_view const> charged_operation_names() noexcept;

/// What a service works with. It keeps references to these objects, which must outlive it; a temporary does not
/// compile.
struct service_parts {
  std::reference_wrapper<ports::store> store;          ///< of the records
  std::reference_wrapper<ports::quota_source> quotas;  ///< charged for each request
  std::reference_wrapper<key_registry const> keys;     ///< who may ask
  std::reference_wrapper<metrics_shard> counters;      ///< the thread's own
  std::reference_wrapper<readiness const> state;       ///< told by /readyz
  clock_function clock;                                ///< not empty
  log_function log;                                    ///< not empty
  std::shared_ptr<page const> description = nullptr;   ///< the OpenAPI document; null: the service makes its own
  key_check* check = nullptr;                          ///< in place of the keys; null: the keys are used
  ban_log* bans = nullptr;                             ///< logs bans for strikes that begin; null: they are not logged
  in_flight* flights = nullptr;                        ///< shared by services that count requests in flight together
  quota_watch* watch = nullptr;                        ///< reports when quotas of long windows run out; may be null
};

/// The pet store: identifies the caller, admits the request, routes it and answers. It knows no socket: it takes a
/// request value and fills in a response value. So unit tests, benchmarks and a host program's own listener call the
/// same function.
///
/// Thread safety: one service for each thread (or strand), all of them over the same store, quotas and keys.
class PETSTORE_EXPORT service final : public http_handler {
 public:
  /// Throws std::invalid_argument if `service_options::costs` names no operation that takes tokens.
  service(service_options const&, service_parts);
  ~service() override;

  asio::awaitable<void> handle(request const&, response& out) override;
  void refuse(errc, std::string_view message, request const& partial, response& out) override;

  /// Changes options from the next request on. It takes `anonymous`, `costs`, `requests_in_flight_per_key` and
  /// `cors_origins`; the rest is ignored. The used part of an address's quota stays used. `description` replaces the
  /// document, which tells the costs; null: it stays. Throws like the constructor, and then changes nothing. Call it on
  /// the service's thread.
  void reconfigure(service_options const&, std::shared_ptr<page const> description = nullptr);

 private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace petstore::server
