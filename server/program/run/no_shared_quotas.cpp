// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fmt/format.h>

#include "run/quota_backend.hpp"
#include "store/usage.hpp"

namespace petstore::program {
namespace {

config_error not_built(loaded_settings const& loaded) {
  return config_error({fmt::format("quota: this program was built without Redis (PETSTORE_BUILD_REDIS) (from {})",
                                   loaded.source_of("quota"))});
}

}  // namespace

std::unique_ptr<quota_backend> open_shared_quotas(loaded_settings const& loaded, ports::report_function) {
  throw not_built(loaded);
}

kept_usage read_shared_usage(loaded_settings const& loaded, environment, std::vector<identity_record> const&, unix_ms) {
  throw not_built(loaded);
}

void validate_redis_address(loaded_settings const& loaded) {
  throw not_built(loaded);
}

}  // namespace petstore::program
