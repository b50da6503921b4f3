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
#include <optional>
#include <string>
#include <utility>

#include "debit_ledger.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/lease.hpp"
#include "share.hpp"
#include "strikes.hpp"

namespace petstore::quota {

namespace asio = boost::asio;

/// The outcome for a request that waits for an answer.
enum class request_outcome : std::uint8_t {
  waits,
  decided,     ///< `decision` has the outcome; a request that only wants to know what is left can read it
  banned,      ///< the answer reported a ban
  unanswered,  ///< no answer came in time
};

/// A request that waits for an answer of the server, on its own executor (one thread or a strand). Its timer is
/// cancelled when its outcome is known; otherwise the timer expires and ends the wait.
struct waiting_request {
  /// `tokens`: what it costs; nullopt if it only wants to know what is left.
  waiting_request(asio::any_io_executor executor, limits::plan const& its_plan, bool is_never_banned,
                  std::optional<limits::cost> tokens)
      : timer(std::move(executor)), plan(its_plan), never_banned(is_never_banned), cost(tokens) {}

  asio::steady_timer timer;
  limits::plan const plan;
  bool const never_banned;
  std::optional<limits::cost> const cost;

  // Under the quota's mutex.
  request_outcome outcome = request_outcome::waits;
  limits::lease::decision decision;
};

/// What this node knows of one shared quota, of an identity or of an address.
///
/// Thread safety: the lease, the strikes and the atomics from any thread; the members marked below under the mutex; the
/// ledger only from the call under way, of which there is at most one.
struct shared_quota {
  /// The kind of its owner.
  enum class owner : std::uint8_t {
    identity,
    address,    ///< one address, of callers without a key
    addresses,  ///< many addresses that share it, so it is never banned
  };

  shared_quota(std::string key_name, limits::account& penalties, owner whose)
      : key(std::move(key_name)), account(penalties), of(whose) {}

  // Immutable: its key on the server, and the account whose ban and inquiry bucket it uses.
  std::string const key;
  limits::account& account;
  owner const of;

  limits::lease lease;
  quota::strikes strikes;
  /// Whether a call is queued or under way. Changed under the mutex; read without it before asking ahead.
  std::atomic<bool> is_asking{false};
  std::atomic<bool> is_watched{false};    ///< whether the regular round checks it
  std::atomic<std::uint32_t> pins{0};     ///< the number of references; it is not destroyed while there are any
  std::atomic<std::int64_t> pardoned{0};  ///< when an operator last lifted a ban, us since 1970
  std::atomic<bool> owes_pardon{false};   ///< whether the server has not been told of that yet
  /// The end of the last ban for strikes, on the boot clock, until a verdict has reported the ban; then 0.
  std::atomic<std::int64_t> unreported_ban_until{0};
  std::atomic<std::int64_t> ban_begun{0};  ///< when the last ban began that the server reported, us since 1970
  std::atomic<std::int64_t> told_at{0};    ///< when the last answered call was sent, ns of the boot clock

  std::mutex mutex;
  // Under the mutex.
  std::list<std::shared_ptr<waiting_request>> waiting;  ///< in order of arrival; shared with their coroutines
  bool wants_tokens = false;                            ///< the next call asks for tokens in advance
  limits::plan plan{limits::per_minute(1)};             ///< the plan of the last request that asked
  bool never_banned = false;
  quota::share share;
  bool spent_alone = false;         ///< the share has something to report
  bool owes_claim = false;          ///< the server may have lost this node's debits
  bool is_recalled = false;         ///< other nodes need the unused tokens of this node
  limits::boot_time reported_at{};  ///< when strikes were last reported

  // Only the call under way uses these.
  quota::debit_ledger debit_ledger;
  std::chrono::milliseconds recall_pause{0};  ///< the wait for recalled tokens before it asks again

  // Hooks for the lists of its admission queue.
  using link = boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>;
  link watched;
  link queued;
};

/// A reference to a quota, which is not destroyed while there are references.
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
