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
#include "petstore/ports/eventual.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/server/key_check.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/payment.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// The sender of a request, and the account it is charged to.
struct caller {
  ports::payer payer;
  std::uint64_t key = 0;  ///< 0 without a valid key
  std::uint64_t identity = 0;
  key_scope scope = key_scope::read;
  limits::wall_time operators_ban_until{};  ///< past or the epoch: no operator has banned it
  /// For getQuota alone; a copy, since the snapshot that owns it may be replaced meanwhile.
  std::optional<std::string> plan_name;
  std::uint8_t plan_row = metrics_shard::anonymous_row;  ///< in the metrics
  bool gave_token = false;  ///< whether there is an Authorization field with the Bearer scheme
};

/// Returns the text after the scheme in `Authorization: Bearer <token>`; is_well_formed_api_key checks it later.
/// nullopt: there is no Bearer scheme, or nothing after it.
std::optional<std::string_view> parse_bearer(std::string_view authorization) noexcept;

/// Identifies the callers. One for each thread.
class access {
 public:
  /// `check` is the host's, in place of the keys; may be null.
  access(service_options const&, key_registry const&, ports::quota_source&, key_check* check, metrics_shard&);

  /// Identifies the caller by the API key, or by the address without a valid key. Where no key is needed, the address
  /// has a bucket of its own. The host's check may have to wait; its exceptions are thrown.
  ports::eventual<caller> identify(request const&, payment, limits::instant);
  /// The payer of a request for which keys are ignored.
  ports::payer payer_of_address(request const&) const;

 private:
  static constexpr std::uint8_t no_row = plan_row_count;  ///< the plan has no row yet

  key_entry const* find_key(std::string_view token, limits::instant);
  /// The row of the metrics for a plan; each plan is looked up by its name once for each snapshot.
  std::uint8_t row_of(key_entry const& entry) {
    auto const row = plan_rows_[entry.plan_number];
    return row != no_row ? row : find_row(entry);
  }
  // Not inlined: requests rarely need them.
  [[gnu::noinline]] std::uint8_t find_row(key_entry const&);
  [[gnu::noinline]] void forget_rows(key_snapshot const&);
  caller keyless_caller(request const&, payment) const;
  /// A caller without a valid key.
  caller anonymous_caller(request const&, bool gave_token) const;
  caller owner_of(key_entry const&, payment);
  caller caller_of(std::optional<principal>, request const&, payment);

  service_options const& options_;
  key_digester digester_;
  key_registry::reader keys_;
  ports::quota_source& quotas_;
  key_check* const check_;
  metrics_shard& counters_;
  key_snapshot const* rows_of_ = nullptr;  ///< the snapshot in `keys_`, once it was used
  std::vector<std::uint8_t> plan_rows_;    ///< rows of the metrics, by the plan's number in the snapshot; or `no_row`
};

}  // namespace petstore::server
