// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fmt/format.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "outcome.hpp"
#include "petstore/quota/redis.hpp"
#include "petstore/quota/redis_usage.hpp"
#include "run/quota_backend.hpp"
#include "store/usage.hpp"

namespace petstore::program {
namespace {

namespace asio = boost::asio;

/// How long a command that reads the used quotas waits for Redis.
constexpr std::chrono::seconds patience{5};

/// Talks to Redis on a thread of its own. On a thread that serves requests, every key that waits for Redis would also
/// wait for that thread while it is busy, and the tokens of leases would run out.
class shared_backend final : public quota_backend {
 public:
  shared_backend(quota::redis_options options, ports::report_function report)
      : refuses_without_redis_(options.on_failure == quota::failure_policy::closed),
        report_(std::move(report)),
        until_closed_(context_.get_executor()),
        quota_(open(std::move(options))),
        thread_([this] { run(); }) {}

  ~shared_backend() override { end_thread(); }

  ports::quota_source& source() override { return *quota_; }

  bool close() override {
    quota_->close();
    end_thread();
    return true;
  }

  std::optional<ports::shared_quota_figures> figures() const override { return quota_->counters(); }

  void set_bans(limits::ban_policy const& bans) override { quota_->set_bans(bans); }
  bool ready() const override { return !refuses_without_redis_ || !quota_->counters().breaker_open; }

 private:
  std::unique_ptr<quota::redis_quota> open(quota::redis_options options) {
    options.executor = context_.get_executor();
    options.report = report_;
    return quota::open_redis_quota(std::move(options));
  }

  void run() {
    for (;;) {
      try {
        context_.run();
        return;
      } catch (std::exception const& failure) {
        report_("quota_handler_failed", failure.what());
      }
    }
  }

  void end_thread() {
    until_closed_.reset();
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  bool const refuses_without_redis_;
  ports::report_function const report_;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> until_closed_;
  std::unique_ptr<quota::redis_quota> const quota_;
  std::thread thread_;
};

quota::failure_policy policy_of(quota_failure f) {
  switch (f) {
    case quota_failure::closed: return quota::failure_policy::closed;
    case quota_failure::open: return quota::failure_policy::open;
    case quota_failure::degraded: break;
  }
  return quota::failure_policy::degraded;
}

/// Runs `need`, which uses the address. An exception becomes a fault of the setting.
template <class Need>
auto with_quota_faults(loaded_settings const& loaded, Need need) {
  try {
    return need();
  } catch (std::runtime_error const& failure) {
    throw config_error({fmt::format("quota: {} (from {})", failure.what(), loaded.source_of("quota"))});
  }
}

}  // namespace

std::unique_ptr<quota_backend> open_shared_quotas(loaded_settings const& loaded, ports::report_function report) {
  auto const& wanted = loaded.values.quota;
  quota::redis_options options;
  options.address = wanted.redis.value();
  options.environment = to_string(loaded.values.service.environment);
  options.bans = loaded.values.bans;
  options.on_failure = policy_of(wanted.on_failure);
  options.mode = wanted.strict ? quota::quota_mode::strict : quota::quota_mode::leased;
  options.deadline = wanted.deadline;
  options.nodes_min = wanted.nodes_min;
  options.addresses_max = loaded.values.anonymous_addresses_max;
  return with_quota_faults(loaded,
                           [&] { return std::make_unique<shared_backend>(std::move(options), std::move(report)); });
}

kept_usage read_shared_usage(loaded_settings const& loaded, environment of,
                             std::vector<identity_record> const& identities, unix_ms now) {
  validate_redis_address(loaded);
  kept_usage kept;
  kept.as_of = now;
  kept.is_shared = true;
  std::vector<quota::shared_identity> asked;
  for (auto const& identity : identities) asked.push_back({identity.number, identity.quota_resets});
  try {
    auto used = quota::read_shared_quotas(loaded.values.quota.redis.value(), to_string(of), asked, patience);
    kept.accounts = std::move(used.accounts);
    kept.unreadable.insert(used.unreadable.begin(), used.unreadable.end());
  } catch (std::runtime_error const& failure) {
    throw command_error(fmt::format("what was used cannot be read from Redis: {}", failure.what()));
  }
  return kept;
}

void validate_redis_address(loaded_settings const& loaded) {
  with_quota_faults(loaded, [&] { quota::validate_redis_address(loaded.values.quota.redis.value()); });
}

}  // namespace petstore::program
