// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "debit_ledger.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/lease.hpp"
#include "share.hpp"
#include "strikes.hpp"

namespace petstore::quota {

namespace asio = boost::asio;

/// What becomes of a request that waits for an answer.
enum class request_fate : std::uint8_t {
  waits,
  decided,     ///< `decision` says how; who only wanted to know what is left may look
  banned,      ///< the answer told of a ban
  unanswered,  ///< there is none, or not in time
};

/// A request that waits for an answer of the server, on its own executor (one thread or a strand). Its timer is
/// cancelled when its fate is known, and ends the wait in any case.
struct waiting_request {
  waiting_request(asio::any_io_executor executor, limits::plan const& its_plan, bool is_never_banned,
                  bool asks_for_a_token)
      : timer(std::move(executor)), plan(its_plan), never_banned(is_never_banned), wants_token(asks_for_a_token) {}

  asio::steady_timer timer;
  limits::plan const plan;
  bool const never_banned;
  bool const wants_token;

  // Under the quota's mutex.
  request_fate fate = request_fate::waits;
  limits::lease::decision decision;
};

/// What this node knows of one shared quota, an identity's or an address's.
///
/// Thread safety: the lease, the strikes and the atomics from any thread; what is named below under the mutex; the
/// ledger by the call that is under way, of which there is one at most.
struct shared_quota {
  /// Whose it is.
  enum class owner : std::uint8_t {
    identity,
    address,    ///< of callers without a key
    addresses,  ///< many that share it: nobody is banned for what another one does
  };

  shared_quota(std::string key_name, limits::account& penalties, owner whose)
      : key(std::move(key_name)), account(penalties), of(whose) {}

  /// Immutable: where the server keeps it, and the account whose ban and inquiry bucket it uses.
  std::string const key;
  limits::account& account;
  owner const of;

  limits::lease lease;
  quota::strikes strikes;
  /// A call is under way; changed under the mutex, read racily before asking ahead.
  std::atomic<bool> is_asking{false};
  std::atomic<bool> is_attended{false};   ///< the regular round looks after it
  std::atomic<std::uint32_t> pins{0};     ///< what refers to it: one that has any stays where it is
  std::atomic<std::int64_t> pardoned{0};  ///< when an operator last lifted a ban, us since 1970
  std::atomic<bool> owes_pardon{false};   ///< the server does not know yet
  /// Until when the last ban for strikes lasts, on the boot clock, while nobody has been told of it here; 0: all have.
  std::atomic<std::int64_t> untold_ban_until{0};
  std::atomic<std::int64_t> ban_begun{0};  ///< of the last ban that the server told of, us since 1970
  std::atomic<std::int64_t> told_at{0};    ///< when the server last answered, ns of the boot clock

  std::mutex mutex;
  // Under the mutex.
  std::list<std::shared_ptr<waiting_request>> waiting;  ///< in their order; shared with the answer on its way
  bool wants_tokens = false;                            ///< the next call asks for some ahead of need
  limits::plan plan{.per_minute = 1};                   ///< of whoever asked last
  bool never_banned = false;
  quota::share share;
  bool spent_alone = false;         ///< the share has something to report
  bool owes_claim = false;          ///< the server may have lost what this node has taken
  bool is_recalled = false;         ///< other nodes need the tokens that are not used here
  limits::boot_time reported_at{};  ///< when strikes were last reported

  // By the call that is under way.
  quota::debit_ledger debit_ledger;
  std::chrono::milliseconds recall_pause{0};  ///< before it asks again for what is recalled

  // Links of the lists it stands in: of its admission queue.
  using link = boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>;
  link attended;
  link in_line;
};

/// Keeps a quota where it is.
class pin {
 public:
  explicit pin(shared_quota& q) noexcept : quota_(&q) { q.pins.fetch_add(1, std::memory_order_relaxed); }
  pin(pin&& other) noexcept : quota_(std::exchange(other.quota_, nullptr)) {}
  pin& operator=(pin&&) = delete;
  ~pin() {
    if (quota_ != nullptr) quota_->pins.fetch_sub(1, std::memory_order_release);
  }

  shared_quota& operator*() const noexcept { return *quota_; }

 private:
  shared_quota* quota_;
};

}  // namespace petstore::quota
