// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/key_digester.hpp"
#include "petstore/key_record.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/server/key_check.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/payment.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// Who sent a request, and who pays for it.
struct caller {
  ports::payer payer;
  std::uint64_t key = 0;  ///< 0: no valid key
  std::uint64_t identity = 0;
  key_scope scope = key_scope::read;
  limits::wall_time operators_ban_until{};  ///< past or the epoch: no operator has banned it
  std::string plan_name;  ///< for who inquires; a copy, as the snapshot that owns it may be replaced meanwhile
  std::uint8_t plan_row = metrics_shard::anonymous_row;  ///< of the metrics
  bool gave_token = false;  ///< an Authorization field with the Bearer scheme, whatever it held
};

/// What follows the scheme in `Authorization: Bearer <token>`, for is_well_formed_api_key to judge; nullopt when there
/// is no Bearer scheme, or nothing after it.
std::optional<std::string_view> parse_bearer(std::string_view authorization) noexcept;

/// Finds out who is calling. One per thread.
class access {
 public:
  /// `check`: the host's, in place of the keys; may be null.
  access(service_options const&, key_registry const&, ports::quota_source&, key_check* check, metrics_shard&);

  /// By the API key; without a valid one, by the address. Where no key is needed by the address too, which pays from a
  /// bucket of its own. Throws what the host's check does.
  caller identify(request const&, payment, limits::instant);
  /// Who pays where no key counts.
  ports::payer payer_of_address(request const&) const;

 private:
  static constexpr std::uint8_t no_row = plan_row_count;  ///< the plan was not seen yet

  key_entry const* find_key(std::string_view token, limits::instant);
  /// In which row of the metrics its plan is counted: found by its name once for each snapshot.
  std::uint8_t row_of(key_entry const& entry) {
    auto const row = plan_rows_[entry.plan_number];
    return row != no_row ? row : find_row(entry);
  }
  // Out of the way of every request.
  [[gnu::noinline]] std::uint8_t find_row(key_entry const&);
  [[gnu::noinline]] void forget_rows(key_snapshot const&);
  bool ask_host(std::string_view token, payment, limits::instant, caller&);

  service_options const& options_;
  key_digester digester_;
  key_registry::reader keys_;
  ports::quota_source& quotas_;
  key_check* const check_;
  metrics_shard& counters_;
  key_snapshot const* rows_of_ = nullptr;  ///< the one that `keys_` holds, once it was asked
  std::vector<std::uint8_t> plan_rows_;    ///< of the metrics, by the number of the plan in it; or `no_row`
};

}  // namespace petstore::server
