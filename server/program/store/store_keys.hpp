// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/key_registry.hpp"
#include "petstore/ports/store.hpp"
#include "store/key_service.hpp"

namespace petstore::program {

/// The keys of an open store.
class store_keys final : public key_service {
 public:
  /// The store outlives this object. `plans` are those that a key may have.
  store_keys(ports::store& store, plan_table plans) : store_{store}, plans_{std::move(plans)} {}

  made_key make(key_command, caller const&) override;
  void change(key_command, caller const&) override;
  std::vector<shown_key> list(unix_ms now) override;
  shown_key find(std::uint64_t number, unix_ms now) override;
  std::vector<ports::usage_of_day> daily_usage(std::uint64_t number, usage_period) override;
  void visit_audit_log(std::function<void(audit_entry const&)> const&) override;

 private:
  key_change run(key_command, caller const&);

  ports::store& store_;
  plan_table const plans_;
};

}  // namespace petstore::program
