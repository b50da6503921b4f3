// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/quota/redis.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "acquisition.hpp"
#include "client_runner.hpp"
#include "petstore/redis/address.hpp"
#include "petstore/redis/client.hpp"
#include "server_check.hpp"
#include "source.hpp"

namespace petstore::quota {
namespace {

redis::address parse(std::string const& text) {
  auto parsed = redis::parse_address(text);
  if (!parsed) throw std::runtime_error(redis::to_string(parsed.error()));
  return std::move(*parsed);
}

}  // namespace

void validate_redis_address(std::string const& text) {
  asio::io_context never_run;
  redis::client_options options;
  options.address = parse(text);
  redis::client const opened(never_run.get_executor(), std::move(options));
}

std::unique_ptr<redis_quota> open_redis_quota(redis_options options) {
  asio::any_io_executor const executor = options.executor.get();
  if (!executor) throw std::invalid_argument{"quotas in Redis need an executor"};
  auto const report = ports::without_exceptions(options.report);
  redis::client_options wanted;
  wanted.address = parse(options.address);
  wanted.name = "petstore-quota";
  auto check = std::make_shared<server_check>(executor, recall_channel(options.environment), report);
  if (options.report)
    wanted.on_state = [report, check](redis::state_change const& change) {
      using kind = redis::state_change::kind;
      if (change.what == kind::failed) return;  // missed heartbeats are logged once instead
      if (change.what == kind::connected) check->look_soon();
      char const* const event = change.what == kind::connected        ? "quota_redis_connected"
                                : change.what == kind::lost           ? "quota_redis_lost"
                                : change.what == kind::master_changed ? "quota_redis_master_changed"
                                                                      : "quota_redis_map_changed";
      report(event, change.reason.empty() ? change.where : change.where + ": " + change.reason);
    };
  redis::client_options listening;
  listening.address = wanted.address;
  listening.name = "petstore-recalls";
  auto client = std::make_shared<redis::client>(executor, std::move(wanted));
  if (options.report) asio::post(executor, [check, client] { check->start(client); });
  auto runner = std::make_unique<client_runner>(executor, std::move(client), std::move(listening), std::move(check));
  return open_shared_quota(std::move(options), std::move(runner));
}

}  // namespace petstore::quota
