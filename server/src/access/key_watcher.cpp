// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/key_watcher.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "petstore/asio/as_result.hpp"

namespace petstore::server {

key_watcher::key_watcher(serial_executor<> const& executor, ports::store& store, ports::quota_source& quotas,
                         key_registry& registry, plan_table plans, clock_function clock, log_function log)
    : executor_{executor.get()},
      store_{store},
      quotas_{quotas},
      registry_{registry},
      clock_{std::move(clock)},
      log_{std::move(log)},
      timer_{std::make_shared<asio::steady_timer>(executor_)},
      plans_{std::move(plans)} {
  // A notification while the keys are being read cancels no wait; the next poll sees the change.
  store_.watch_keys([timer = timer_] { asio::post(timer->get_executor(), [timer] { timer->cancel(); }); });
}

key_watcher::~key_watcher() {
  stop();
}

void key_watcher::begin_refresh(std::function<void(result<void> const&)> done) {
  auto ended = [done = std::move(done)](std::exception_ptr const& thrown, result<void> const& refreshed) {
    done(thrown ? result<void>{error{errc::internal, {}, code_of(thrown).message()}} : refreshed);
  };
  asio::co_spawn(executor_, refresh(), std::move(ended));
}

void key_watcher::begin_run(std::shared_ptr<run_end> const& end, std::function<void(boost::system::error_code)> done) {
  auto ended = [end, done = std::move(done)](std::exception_ptr const& thrown) {
    end->watcher->is_running = false;
    done(end->is_cancelled ? boost::system::error_code{asio::error::operation_aborted} : code_of(thrown));
  };
  end->watcher->is_running = true;
  try {
    asio::co_spawn(executor_, run(end), std::move(ended));
  } catch (...) {
    end->watcher->is_running = false;
    throw;
  }
}

/// Called on the handler's executor.
void key_watcher::cancel_run(std::shared_ptr<run_end> const& end) {
  asio::post(end->timer->get_executor(), [end] {
    end->is_cancelled = true;
    end->timer->cancel();
  });
}

asio::awaitable<result<void>> key_watcher::refresh() {
  try {
    auto const done = co_await reload_if_changed();
    co_return done;
  } catch (std::exception const& e) {  // the store or the quotas are unavailable
    co_return error{errc::internal, {}, e.what()};
  }
}

asio::awaitable<result<void>> key_watcher::reload_if_changed() {
  auto const version = co_await store_.keys_version();
  if (!version) co_return version.error();

  std::unique_lock lock{plans_mutex_};
  std::uint64_t const revision = plans_revision_;
  if (loaded_ && *version == version_ && revision == plans_published_) co_return result<void>{};
  plan_table const plans = plans_;
  lock.unlock();

  std::uint64_t const number = ++reads_begun_;
  auto const directory = co_await store_.read_keys();
  if (!directory) co_return directory.error();
  if (number < read_published_) co_return result<void>{};  // a later one was faster
  read_published_ = number;
  publish(*directory, plans);
  version_ = directory->version;
  plans_published_ = revision;
  loaded_ = true;
  co_return result<void>{};
}

/// The watcher exists as long as the run is not over.
asio::awaitable<void> key_watcher::run(std::shared_ptr<run_end> end) {
  while (!end->is_over()) {
    end->timer->expires_after(poll_interval);
    co_await end->timer->async_wait(as_result);
    if (end->is_over()) co_return;

    auto const done = co_await refresh();
    if (end->is_over()) co_return;
    if (!done && !store_failing_) {
      report(done.error());
    } else if (done && store_failing_) {
      log_(severity::info, "keys_read_again", "The keys are up to date again.", {});
    }
    store_failing_ = !done;
  }
}

void key_watcher::report(error const& failure) const {
  std::string const& why = failure.cause.empty() ? failure.message : failure.cause;
  log_(severity::error, "keys_not_read", why.empty() ? describe(failure.code).message : why, {});
}

void key_watcher::stop() {
  state_->is_stopped = true;
  if (!timer_) return;
  store_.watch_keys({});
  timer_->cancel();
  timer_.reset();
}

void key_watcher::set_plans(plan_table plans) {
  std::lock_guard const lock{plans_mutex_};
  plans_ = std::move(plans);
  ++plans_revision_;
}

void key_watcher::publish(key_directory const& directory, plan_table const& plans) {
  auto const account_of = [this](std::uint64_t identity, limits::plan const& plan,
                                 std::uint64_t resets) -> limits::account& {
    return quotas_.account_of(identity, plan, resets);
  };
  auto snapshot = std::make_shared<key_snapshot const>(directory, plans, account_of);
  for (std::uint64_t const identity : snapshot->left_out())
    log_(severity::error, "keys_left_out",
         "a quota of the identity " + std::to_string(identity) + " is outside its range: its keys are refused", {});
  apply_bans(directory);  // before a request can be charged to a new account
  registry_.publish(std::move(snapshot));
}

/// Applies each change of a ban by an operator once, so that it does not undo what the limiter decided later. The
/// account that a reset begins has no ban yet.
void key_watcher::apply_bans(key_directory const& directory) {
  auto const now = clock_();
  for (auto const& identity : directory.identities) {
    auto& applied = applied_[identity.number];
    bool const is_changed = applied.bans != identity.ban_changes;
    bool const is_new = applied.resets != identity.quota_resets;
    // The record has the outcome of all changes since the last time: an earlier ban may have ended, and another begun.
    if (is_changed && identity.unbanned_at) quotas_.lift_ban(identity.number, *identity.unbanned_at, now);
    // Even a ban that is over, since the wall clock may still be set.
    if (identity.banned_until && (is_changed || is_new))
      quotas_.impose_ban(identity.number, *identity.banned_until, now);
    applied = {identity.ban_changes, identity.quota_resets};
  }
}

}  // namespace petstore::server
