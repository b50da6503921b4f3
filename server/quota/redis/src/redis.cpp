// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/quota/redis.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "client_runner.hpp"
#include "petstore/redis/address.hpp"
#include "petstore/redis/client.hpp"
#include "source.hpp"

namespace petstore::quota {
namespace {

constexpr std::chrono::seconds inspection_max{2};

using report_function = std::function<void(std::string_view event, std::string_view detail)>;

/// Warns of settings with which a server forgets quotas: when memory is short, or on a restart.
void warn_of(redis::inspection const& server, report_function const& report) {
  if (!server.maxmemory_policy.empty() && server.maxmemory_policy != "noeviction")
    report("quota_redis_evicts", server.where + " has maxmemory-policy " + server.maxmemory_policy +
                                     ": under pressure it forgets what was used; set noeviction");
  if (server.appendonly == "no")
    report("quota_redis_not_kept", server.where + " has appendonly no: a restart forgets what was used and every ban");
}

/// Inspects the servers once, as soon as they can be reached.
asio::awaitable<void> inspect(std::shared_ptr<redis::client> client, report_function report) {
  for (;;) {
    auto const deadline = std::chrono::steady_clock::now() + inspection_max;
    auto const connected = co_await client->wait_until_connected(deadline);
    if (!connected && connected.error().code == redis::errc::closed) co_return;
    if (!connected) continue;
    auto const servers = co_await client->inspect(std::chrono::steady_clock::now() + inspection_max);
    if (!servers) continue;
    for (redis::inspection const& server : *servers) warn_of(server, report);
    co_return;
  }
}

redis::address parse(std::string const& text) {
  auto parsed = redis::parse_address(text);
  if (!parsed) throw std::runtime_error(redis::to_string(parsed.error()));
  return std::move(*parsed);
}

}  // namespace

void judge_redis_address(std::string const& text) {
  asio::io_context never_run;
  redis::client_options options;
  options.address = parse(text);
  redis::client const opened(never_run.get_executor(), std::move(options));
}

std::unique_ptr<redis_quota> open_redis_quota(redis_options options) {
  redis::client_options wanted;
  wanted.address = parse(options.address);
  wanted.name = "petstore-quota";
  if (options.report)
    wanted.on_state = [report = options.report](redis::state_change const& change) {
      using kind = redis::state_change::kind;
      if (change.what == kind::failed) return;  // missed heartbeats are logged once instead
      char const* const event = change.what == kind::connected        ? "quota_redis_connected"
                                : change.what == kind::lost           ? "quota_redis_lost"
                                : change.what == kind::master_changed ? "quota_redis_master_changed"
                                                                      : "quota_redis_map_changed";
      report(event, change.reason.empty() ? change.where : change.where + ": " + change.reason);
    };
  redis::client_options listening;
  listening.address = wanted.address;
  listening.name = "petstore-recalls";
  auto client = std::make_shared<redis::client>(options.executor, std::move(wanted));
  if (options.report) {
    auto look = [client, report = options.report]() -> asio::awaitable<void> { co_await inspect(client, report); };
    asio::co_spawn(options.executor, std::move(look), asio::detached);
  }
  auto runner = std::make_unique<client_runner>(options.executor, std::move(client), std::move(listening));
  return open_shared_quota(std::move(options), std::move(runner));
}

}  // namespace petstore::quota
