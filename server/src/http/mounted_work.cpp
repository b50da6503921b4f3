// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <new>
#include <utility>

#include "http/connection.hpp"
#include "petstore/server/mount.hpp"

namespace petstore::server::http {
namespace {

using namespace std::chrono_literals;

/// Cancelled work of a mount has at least this long to answer, as `mount` promises.
constexpr auto turn_min = 5ms;

}  // namespace

/// The work of a mount is a coroutine of its own, so that the connection can cancel it, and can leave it behind when it
/// does not end.
struct connection::mounted_work {
  explicit mounted_work(asio::any_io_executor e) : executor{std::move(e)} {}

  void emit() noexcept {
    try {
      cancel.emit(asio::cancellation_type::terminal);
    } catch (...) {
      // The operation that the mount awaits cannot be cancelled: it is left behind when its time is over.
    }
  }

  asio::any_io_executor const executor;  ///< of the coroutine
  asio::cancellation_signal cancel;      ///< emitted on that executor
  std::exception_ptr thrown;
  bool is_over = false;
  steady_time turn_ends = steady_time::max();  ///< set when its time is over
};

/// Without memory, Asio may destroy a coroutine that waits, and its completion handler with it. Then the listener's
/// next look at the deadlines resumes the connection.
struct connection::end_of_work {
  ownership self;
  std::shared_ptr<mounted_work> apart;

  end_of_work(ownership of, std::shared_ptr<mounted_work> work) : self{std::move(of)}, apart{std::move(work)} {}
  end_of_work(end_of_work&&) = default;
  ~end_of_work() {
    if (apart) note(std::make_exception_ptr(std::bad_alloc{}));
  }
  void operator()(std::exception_ptr thrown) {
    note(std::move(thrown));
    if (!self->session_.is_left_behind()) self->socket_.resume();
  }

 private:
  void note(std::exception_ptr thrown) noexcept {
    auto const ended = std::exchange(apart, nullptr);
    ended->thrown = std::move(thrown);
    ended->is_over = true;
  }
};

asio::awaitable<void> connection::answer_apart(asio::awaitable<void> work) {
  auto const limit = session_.mounted()->time_limit;
  if (limit.count() > 0) enter(phase::handling, deadline_after(limit));
  return session_.await_work(run_apart(std::move(work)));
}

/// Completes when the work has ended, or when it is left behind because the connection was aborted.
asio::awaitable<void> connection::run_apart(asio::awaitable<void> work) {
  auto const executor = co_await asio::this_coro::executor;
  socket_.watch();  // before the work begins, as it may fail
  auto const apart = std::make_shared<mounted_work>(executor);
  // The coroutine owns the connection too, since request and answer are parts of it. The connection's registration
  // keeps the listener, which keeps the mounts.
  end_of_work ended{ownership{this}, apart};
  asio::co_spawn(executor, std::move(work), asio::bind_cancellation_slot(apart->cancel.slot(), std::move(ended)));
  mounted_ = apart;  // work that could not begin is not waited for

  try {
    bool is_told = false;
    while (!apart->is_over && socket_.is_open()) {
      if (socket_.is_hung_up() && !std::exchange(is_told, true)) {
        cancel_mount();
      } else {
        co_await socket_.ready();
      }
    }
  } catch (std::exception const&) {  // no memory to wait: the work still uses the request and the answer
    abort();
  }
  mounted_.reset();
  if (!apart->is_over) co_return session_.leave();
  if (apart->thrown) std::rethrow_exception(apart->thrown);
}

bool connection::is_mount_over() const noexcept {
  return mounted_ && mounted_->is_over;
}

/// The time of a mount's work is over: cancels it, and returns true until it has had its turn to end.
bool connection::give_mount_a_turn(steady_time now) noexcept {
  if (!mounted_ || mounted_->is_over) return false;
  auto const apart = mounted_;  // the cancellation may end the connection
  if (apart->turn_ends == steady_time::max()) {
    apart->turn_ends = now + turn_min;
    cancel_mount();
  }
  return now < apart->turn_ends;
}

void connection::cancel_mount() noexcept {
  ownership const self{this};
  auto const apart = mounted_;
  session_.note_cancellation();
  try {
    // A host may destroy a listener on another thread, when its executor no longer runs. co_spawn would pass the signal
    // on to the executor as well, but would not keep it alive until then.
    asio::dispatch(apart->executor, [apart] { apart->emit(); });
  } catch (...) {  // no memory: the mount is left behind when its time is over
  }
}

}  // namespace petstore::server::http
