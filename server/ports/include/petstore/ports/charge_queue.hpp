// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
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

class charge_queues;

/// What the queues of one quota have in common, whether or not charges wait. The queues exist while charges wait, and
/// only what runs on the executor owns them: so they go with the context, while a quota, a handler or a cancellation
/// signal stays.
///
/// Thread safety: every function from any thread. Shared by the quota, its pending operations and its queues.
class PETSTORE_EXPORT waiting_list : public std::enable_shared_from_this<waiting_list> {
 public:
  using clock = std::function<limits::instant()>;

  /// `waiters_max` counts those of one identity.
  waiting_list(asio::any_io_executor on, std::shared_ptr<quota_source> from, clock c, std::size_t most)
      : executor{std::move(on)}, source{std::move(from)}, now{std::move(c)}, waiters_max{most} {}

  /// The payer to charge. Throws errc::invalid_request for 0, which is no identity, and what the source throws.
  payer payer_of(std::uint64_t identity, limits::plan const& plan) const {
    if (identity == 0) throw boost::system::system_error{make_error_code(errc::invalid_request)};
    return source->payer_of(identity, plan);
  }
  /// The queues that exist, or new ones.
  std::shared_ptr<charge_queues> queues();
  /// The first of each queue asks again, or that of one identity.
  void retry();
  void retry(std::uint64_t identity);

  /// A charge of the identity was refused at that time, and it was told to wait.
  void note_refusal(std::uint64_t identity, limits::boot_time at, limits::boot_time until) {
    std::lock_guard const lock{mutex_};
    if (refused_until_.size() >= refusals_kept_) {
      std::erase_if(refused_until_, [at](auto const& one) { return one.second <= at; });
      refusals_kept_ = 2 * refused_until_.size() + 64;
    }
    refused_until_[identity] = until;
  }
  /// Whether the identity was told to wait, and has to.
  bool is_refused(std::uint64_t identity, limits::boot_time at) {
    std::lock_guard const lock{mutex_};
    auto const found = refused_until_.find(identity);
    return found != refused_until_.end() && at < found->second;
  }

  asio::any_io_executor const executor;
  std::shared_ptr<quota_source> const source;
  clock const now;
  std::size_t const waiters_max;

 private:
  std::shared_ptr<charge_queues> known_queues() {
    std::lock_guard const lock{mutex_};
    return queues_.lock();
  }

  std::mutex mutex_;  ///< guards the rest
  std::weak_ptr<charge_queues> queues_;
  std::unordered_map<std::uint64_t, limits::boot_time> refused_until_;  ///< some are over
  std::size_t refusals_kept_ = 64;                                      ///< at that many, those that are over go
};

/// A queue for each identity that has charges waiting. Only the first of a queue asks the source: when it comes to the
/// front, when the wait that its last refusal announced is over, and when it is woken. It charges within an announced
/// wait only if there are tokens again. So those that wait make no strikes, also if many give up.
///
/// Thread safety: `join`, `leave` and `retry` from any thread. The rest is on a strand. Shared by what is posted there
/// and the coroutine of each queue that is not empty; so it goes, at the latest, with the context.
class PETSTORE_EXPORT charge_queues : public std::enable_shared_from_this<charge_queues> {
 public:
  using charge = std::shared_ptr<waiting_charge>;

  /// How long the timer sleeps at most before it looks at the clock again: the timer's clock stands still while the
  /// machine is suspended.
  static constexpr std::chrono::seconds sleep_max{30};
  /// And at least: a clock that is rarely updated may show the same time again.
  static constexpr std::chrono::milliseconds sleep_min{1};
  /// How long it sleeps when the wait has that long left.
  static constexpr std::chrono::nanoseconds sleep_of(std::chrono::nanoseconds left) noexcept {
    return std::clamp<std::chrono::nanoseconds>(left, sleep_min, sleep_max);
  }

  explicit charge_queues(std::shared_ptr<waiting_list> list)
      : list_{std::move(list)}, strand_{asio::make_strand(list_->executor)} {}

  void join(charge c) {
    asio::post(strand_, [self = shared_from_this(), c = std::move(c)] { self->enter(c); });
  }
  void leave(charge c) {
    asio::post(strand_, [self = shared_from_this(), c = std::move(c)] { self->remove(c); });
  }
  void retry() {
    asio::post(strand_, [self = shared_from_this()] {
      for (auto& [identity, q] : self->queues_) q.wake();
    });
  }
  void retry(std::uint64_t identity) {
    asio::post(strand_, [self = shared_from_this(), identity] {
      if (auto const found = self->queues_.find(identity); found != self->queues_.end()) found->second.wake();
    });
  }

 private:
  /// The shortest wait after a refusal, so that others run in between, whatever the source says.
  static constexpr std::chrono::milliseconds wait_min{1};

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
      find_payer(*c);
      if (!limits::can_ever_pass(c->tokens, c->plan)) return c->tell(errc::rate_limited, refusal_of(*c, list_->now()));
      queue& q = queues_.try_emplace(c->identity, strand_).first->second;
      if (q.waiting.size() >= list_->waiters_max) return c->tell(errc::unavailable, {});
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

  /// An operator's reset gives the identity a new account, also while it waits.
  void find_payer(waiting_charge& c) { c.who = list_->payer_of(c.identity, c.plan); }

  limits::verdict refusal_of(waiting_charge const& c, limits::instant at) {
    limits::verdict v = list_->source->observe(c.who, at);
    v.decision = limits::decision::rate_limited;
    v.occasion = limits::occasion::charge;
    v.cost = c.tokens;
    return v;
  }

  void begin_serving(std::uint64_t identity) {
    try {
      asio::co_spawn(strand_, serve(shared_from_this(), identity),
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

  asio::awaitable<outcome> ask(waiting_charge& c) {
    outcome got;
    try {
      limits::instant const at = list_->now();
      find_payer(c);
      got.again_at = known_wait(c, at);
      if (got.again_at) co_return got;
      auto charging = list_->source->charge(c.who, c.tokens, at);
      if (charging.is_ready()) {
        got.verdict = charging.take();
      } else {
        auto work = charging.work();
        got.verdict = co_await std::move(work);
      }
      if (auto const wait = got.verdict.retry_after()) {
        auto const told_at = std::max(at.boot, got.verdict.at.boot);  // later where the source had to wait itself
        got.again_at = told_at + std::max<std::chrono::nanoseconds>(*wait, wait_min);
        list_->note_refusal(c.identity, told_at, *got.again_at);
      } else if (got.verdict.refused()) {
        got.failed = errc::rate_limited;
      }
    } catch (...) {
      got.failed = code_of(std::current_exception());
    }
    co_return got;
  }

  /// Returns the time until which a charge would be a strike: the identity was told to wait, and there are no tokens
  /// yet. nullopt: it would be none. An exhausted quota alone does not decide this: where nodes share quotas, others
  /// may hold tokens, which they give back when a charge asks for them.
  std::optional<limits::boot_time> known_wait(waiting_charge const& c, limits::instant at) {
    if (!list_->is_refused(c.identity, at.boot)) return std::nullopt;
    auto const wait = refusal_of(c, at).retry_after();
    if (!wait || *wait <= std::chrono::nanoseconds{1}) return std::nullopt;  // there are tokens
    return at.boot + *wait;
  }

  /// The clock decides when the wait is over; the timer only says when to look at it.
  asio::awaitable<void> wait(queue& q, limits::boot_time until) {
    while (!q.is_woken) {
      auto const left = until - list_->now().boot;
      if (left.count() <= 0) break;
      q.timer.expires_after(sleep_of(left));
      co_await q.timer.async_wait(as_result);
    }
  }

  void give_up(std::uint64_t identity, boost::system::error_code why) {
    auto const abandoned = queues_.extract(identity);
    if (abandoned.empty()) return;
    for (charge const& c : abandoned.mapped().waiting) c->tell(why, {});
  }

  std::shared_ptr<waiting_list> const list_;
  asio::any_io_executor const strand_;
  std::unordered_map<std::uint64_t, queue> queues_;
};

inline std::shared_ptr<charge_queues> waiting_list::queues() {
  std::lock_guard const lock{mutex_};
  auto known = queues_.lock();
  if (!known) queues_ = known = std::make_shared<charge_queues>(shared_from_this());
  return known;
}

inline void waiting_list::retry() {
  if (auto const known = known_queues()) known->retry();
}

inline void waiting_list::retry(std::uint64_t identity) {
  if (auto const known = known_queues()) known->retry(identity);
}

}  // namespace petstore::ports::detail
