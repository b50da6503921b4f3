// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>

#include "petstore/server/key_check.hpp"

namespace petstore::server {

namespace asio = boost::asio;

/// One call of a key check, and the requests that wait for its answer, each on the executor of its coroutine.
///
///     [under way] --end--> [over]
///
/// Thread safety: every function from any thread. Shared by the request that made the call, those that wait, and the
/// cache while new requests may join.
class pending_check {
 public:
  using answer = std::optional<principal>;
  /// The answer, or why there is none; neither when the request that made the call has left.
  using outcome = std::variant<std::monostate, answer, std::exception_ptr>;

  /// Resumes the requests that wait. Once.
  void end(outcome) noexcept;
  /// Waits until the check is over. Throws boost::system::system_error with operation_aborted when the awaiting
  /// coroutine is cancelled; the others wait on.
  static asio::awaitable<outcome> wait(std::shared_ptr<pending_check>);

 private:
  /// A request that waits. It is a part of its coroutine, which the context of its executor owns while it is suspended:
  /// when the context goes, the waiter leaves.
  class waiter : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
   public:
    waiter(pending_check&, asio::any_io_executor const&);
    ~waiter();

    bool is_over() const;
    asio::steady_timer& timer() const noexcept { return *timer_; }
    /// Cancels the timer, on its executor. Called under the check's mutex, so that the waiter and the executor exist.
    void resume() noexcept;

   private:
    pending_check& check_;
    std::shared_ptr<asio::steady_timer> const timer_;  ///< what `resume` posts refers to it, and keeps nothing
  };

  std::mutex mutex_;  ///< guards the rest; nothing changes any more once the check is over
  bool is_over_ = false;
  outcome outcome_;
  boost::intrusive::list<waiter, boost::intrusive::constant_time_size<false>> waiting_;
};

}  // namespace petstore::server
