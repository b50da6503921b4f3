// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/key_watcher.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace petstore::server {

key_watcher::key_watcher(asio::any_io_executor executor, ports::store& store, ports::quota_source& quotas,
                         key_registry& registry, plan_table plans, clock_function clock, log_function log)
    : store_{store},
      quotas_{quotas},
      registry_{registry},
      clock_{std::move(clock)},
      log_{std::move(log)},
      timer_{std::move(executor)},
      plans_{std::move(plans)} {}

asio::awaitable<result<void>> key_watcher::refresh() {
  auto const version = co_await store_.keys_version();
  if (!version) co_return version.error();

  std::optional<plan_table> plans;
  {
    std::lock_guard const lock{plans_mutex_};
    if (!loaded_ || plans_changed_ || *version != version_) plans = plans_;
    plans_changed_ = false;
  }
  if (!plans) co_return result<void>{};

  error failure;
  auto const directory = co_await store_.read_keys();
  try {
    if (directory) {
      publish(*directory, *plans);
      co_return result<void>{};
    }
    failure = directory.error();
  } catch (std::exception const& e) {  // the quotas are gone
    failure.cause = e.what();
  }
  std::lock_guard const lock{plans_mutex_};
  plans_changed_ = true;  // so that the next refresh tries again
  co_return failure;
}

asio::awaitable<void> key_watcher::run() {
  while (!stopped_) {
    timer_.expires_after(poll_interval);
    boost::system::error_code cancelled;
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    if (stopped_) co_return;

    auto const done = co_await refresh();
    if (!done && !store_failing_) {
      std::string const& why = done.error().cause.empty() ? done.error().message : done.error().cause;
      log_(severity::error, "keys_not_read", why.empty() ? describe(done.error().code).message : why, {});
    } else if (done && store_failing_) {
      log_(severity::info, "keys_read_again", "The keys are up to date again.", {});
    }
    store_failing_ = !done;
  }
}

void key_watcher::stop() {
  stopped_ = true;
  timer_.cancel();
}

void key_watcher::set_plans(plan_table plans) {
  std::lock_guard const lock{plans_mutex_};
  plans_ = std::move(plans);
  plans_changed_ = true;
}

void key_watcher::publish(key_directory const& directory, plan_table const& plans) {
  auto const account_of = [this](std::uint64_t identity, limits::plan const& plan) -> limits::account& {
    return quotas_.account_of(identity, plan);
  };
  registry_.publish(std::make_shared<key_snapshot const>(directory, plans, account_of));
  apply_bans(directory);
  version_ = directory.version;
  loaded_ = true;
}

/// A ban is applied once for each time an operator said so: what the limiter did on its own since then stands.
void key_watcher::apply_bans(key_directory const& directory) {
  auto const now = clock_();
  for (auto const& identity : directory.identities) {
    auto& applied = bans_applied_[identity.number];
    if (applied == identity.ban_changes) continue;
    applied = identity.ban_changes;
    if (!identity.banned_until) {
      quotas_.lift_ban(identity.number);
    } else if (std::chrono::nanoseconds const until{identity.banned_until->time_since_epoch()}; until > now.unix) {
      quotas_.impose_ban(identity.number, until, now);
    }
  }
}

}  // namespace petstore::server
