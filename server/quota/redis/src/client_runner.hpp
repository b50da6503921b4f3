// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/redis/client.hpp"
#include "petstore/redis/script.hpp"
#include "petstore/redis/subscriber.hpp"
#include "script_runner.hpp"
#include "server_check.hpp"

namespace petstore::quota {

/// Runs scripts on a real server.
class client_runner final : public script_runner {
 public:
  /// The client is shared with the check while that looks at the servers. The runner ends both.
  client_runner(asio::any_io_executor executor, std::shared_ptr<redis::client> client, redis::client_options options,
                std::shared_ptr<server_check> check);
  ~client_runner() override;

  asio::awaitable<script_answer> run(script_name name, std::vector<std::string> keys,
                                     std::vector<std::string> arguments,
                                     std::chrono::steady_clock::time_point deadline) override;
  void listen(std::string channel, std::function<void(std::string_view payload)> hear) override;
  void tell(ports::shared_quota_figures&) const override;

 private:
  asio::any_io_executor const executor_;
  std::shared_ptr<redis::client> client_;
  redis::client_options options_;  ///< for the connection that receives recalls
  std::shared_ptr<server_check> const check_;
  std::unique_ptr<redis::subscriber> subscriber_;
  redis::script const acquire_;
  redis::script const heartbeat_;
};

}  // namespace petstore::quota
