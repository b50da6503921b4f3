// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "petstore/asio/as_result.hpp"
#include "petstore/error_code.hpp"
#include "petstore/export.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/ports/quota_source.hpp"

namespace petstore::ports::detail {

/// A charge that waits for its tokens. Used on the executor of its queues.
struct PETSTORE_EXPORT waiting_charge {
  std::uint64_t identity;
  limits::plan plan;
  limits::cost tokens;
  /// Ends the operation. Called at most once; after the charge has left only to return what was taken for it.
  std::function<void(boost::system::error_code, limits::verdict const&)> tell;
  payer who = {};
  bool has_left = false;
};

/// A queue for each identity that has charges waiting. Only the first of a queue asks the source: when it comes to the
/// front, when the wait that its last refusal announced is over, and on `retry`. So the others make no strikes.
///
/// Thread safety: `join`, `leave` and `retry` from any thread. The rest is on the executor, which must run on one
/// thread or be a strand. Shared with what is posted there, and with the coroutine of each queue that is not empty.
class PETSTORE_EXPORT charge_queues : public std::enable_shared_from_this<charge_queues> {
 public:
  using clock = std::function<limits::instant()>;
  using charge = std::shared_ptr<waiting_charge>;

  /// `waiters_max` counts those of one identity.
  charge_queues(asio::any_io_executor executor, std::shared_ptr<quota_source> source, clock now,
                std::size_t waiters_max)
      : executor_{std::move(executor)}, source_{std::move(source)}, now_{std::move(now)}, waiters_max_{waiters_max} {}

  void join(charge c) {
    asio::post(executor_, [self = shared_from_this(), c = std::move(c)] { self->enter(c); });
  }
  void leave(charge c) {
    asio::post(executor_, [self = shared_from_this(), c = std::move(c)] { self->remove(c); });
  }
  void retry() {
    asio::post(executor_, [self = shared_from_this()] {
      for (auto& [identity, q] : self->queues_) q.wake();
    });
  }

 private:
  struct queue {
    explicit queue(asio::any_io_executor const& executor) : timer{executor} {}
    void wake() {
      is_woken = true;
      timer.cancel();
    }

    std::deque<charge> waiting;
    asio::steady_timer timer;
    bool is_served = false;  ///< a coroutine works on it, and removes it when it is empty
    bool is_woken = false;   ///< the first asks again, however long its wait still is
  };

  struct outcome {
    boost::system::error_code failed;
    limits::verdict verdict;
    std::optional<limits::boot_time> again_at;  ///< when the first asks again; nullopt: it has its result
  };

  void enter(charge const& c) {
    if (c->has_left) return;
    try {
      c->who.kind = payer::kind::identity;
      c->who.account = &source_->account_of(c->identity, c->plan);
      c->who.plan = c->plan;
      if (!limits::can_ever_pass(c->tokens, c->plan)) return c->tell(errc::rate_limited, refusal_of(*c));
      queue& q = queues_.try_emplace(c->identity, executor_).first->second;
      if (q.waiting.size() >= waiters_max_) return c->tell(errc::unavailable, {});
      q.waiting.push_back(c);
      if (!std::exchange(q.is_served, true)) begin_serving(c->identity);
    } catch (...) {
      c->tell(code_of(std::current_exception()), {});
    }
  }

  void remove(charge const& c) {
    c->has_left = true;
    auto const found = queues_.find(c->identity);
    if (found == queues_.end()) return;
    queue& q = found->second;
    bool const was_first = !q.waiting.empty() && q.waiting.front() == c;
    std::erase(q.waiting, c);
    if (was_first) q.wake();
  }

  limits::verdict refusal_of(waiting_charge const& c) {
    limits::verdict v = source_->observe(c.who, now_());
    v.decision = limits::decision::rate_limited;
    v.occasion = limits::occasion::charge;
    v.cost = c.tokens;
    return v;
  }

  void begin_serving(std::uint64_t identity) {
    try {
      asio::co_spawn(executor_, serve(shared_from_this(), identity),
                     [self = shared_from_this(), identity](std::exception_ptr thrown) {
                       if (thrown) self->give_up(identity, code_of(thrown));
                     });
    } catch (...) {
      queues_.erase(identity);
      throw;
    }
  }

  static asio::awaitable<void> serve(std::shared_ptr<charge_queues> self, std::uint64_t identity) {
    queue& q = self->queues_.at(identity);
    while (!q.waiting.empty()) {
      auto const first = q.waiting.front();
      q.is_woken = false;
      auto asking = self->ask(*first);
      auto const got = co_await std::move(asking);
      if (!got.again_at) {
        if (!first->has_left) q.waiting.pop_front();
        first->tell(got.failed, got.verdict);
      } else if (!first->has_left) {
        auto waiting = self->wait(q, *got.again_at);
        co_await std::move(waiting);
      }
    }
    self->queues_.erase(identity);
  }

  asio::awaitable<outcome> ask(waiting_charge const& c) {
    outcome got;
    try {
      limits::instant const at = now_();
      auto charging = source_->charge(c.who, c.tokens, at);
      if (charging.is_ready()) {
        got.verdict = charging.take();
      } else {
        auto work = charging.work();
        got.verdict = co_await std::move(work);
      }
      if (auto const wait = got.verdict.retry_after())
        got.again_at = at.boot + *wait;
      else if (got.verdict.refused())
        got.failed = errc::rate_limited;
    } catch (...) {
      got.failed = code_of(std::current_exception());
    }
    co_return got;
  }

  /// The clock decides when the wait is over; the timer only says when to look at it.
  asio::awaitable<void> wait(queue& q, limits::boot_time until) {
    while (!q.is_woken) {
      auto const left = until - now_().boot;
      if (left.count() <= 0) break;
      q.timer.expires_after(left);
      co_await q.timer.async_wait(as_result);
    }
  }

  void give_up(std::uint64_t identity, boost::system::error_code why) {
    auto const abandoned = queues_.extract(identity);
    if (abandoned.empty()) return;
    for (charge const& c : abandoned.mapped().waiting) c->tell(why, {});
  }

  asio::any_io_executor const executor_;
  std::shared_ptr<quota_source> const source_;
  clock const now_;
  std::size_t const waiters_max_;
  std::unordered_map<std::uint64_t, queue> queues_;
};

}  // namespace petstore::ports::detail
