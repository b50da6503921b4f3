// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <memory>

#include "petstore/redis/client.hpp"
#include "petstore/redis/script.hpp"
#include "script_runner.hpp"

namespace petstore::quota {

/// Scripts on a real server.
class client_runner final : public script_runner {
 public:
  /// Shared with whoever inspects the server at the start.
  explicit client_runner(std::shared_ptr<redis::client> client);
  ~client_runner() override;

  asio::awaitable<script_answer> run(script_name name, std::vector<std::string> keys,
                                     std::vector<std::string> arguments,
                                     std::chrono::steady_clock::time_point deadline) override;
  void tell(redis_counters&) const override;

 private:
  std::shared_ptr<redis::client> client_;
  redis::script const acquire_;
  redis::script const heartbeat_;
};

}  // namespace petstore::quota
