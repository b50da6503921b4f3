// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The description must outlive the service, so a temporary object is refused.
// says: deleted
#include <petstore/server/service.hpp>

using namespace petstore;

void open(ports::store& store, ports::quota_source& quotas, key_registry const& keys, server::metrics_shard& counters,
          server::readiness const& ready) {
  server::service_options const options;
  server::log_function const log = [](auto...) {};
#ifdef MISUSE
  server::service service{options, server::make_description(options), store, quotas, keys, counters, ready, limits::now,
                          log};
#else
  server::page const description = server::make_description(options);
  server::service service{options, description, store, quotas, keys, counters, ready, limits::now, log};
#endif
}
