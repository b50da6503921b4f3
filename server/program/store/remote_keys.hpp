// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "store/admin_client.hpp"
#include "store/key_service.hpp"

namespace petstore::program {

/// The keys of a running server, through its administration API. The server knows the plans, and takes the actor from
/// the token.
class remote_keys final : public key_service {
 public:
  explicit remote_keys(admin_client server) : server_{std::move(server)} {}

  made_key make(key_command, caller const&) override;
  void change(key_command, caller const&) override;
  std::vector<shown_key> list(unix_ms now) override;
  /// Unlike the list, it has a ban that another node began.
  shown_key find(std::uint64_t number, unix_ms now) override;
  std::vector<ports::usage_of_day> daily_usage(std::uint64_t number, usage_period) override;
  void visit_audit_log(std::function<void(audit_entry const&)> const&) override;

 private:
  admin_client const server_;
};

}  // namespace petstore::program
