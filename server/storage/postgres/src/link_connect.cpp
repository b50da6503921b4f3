// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// How a connection is made, lost and made again. Nothing here blocks: names are resolved by another thread, and libpq
// gets addresses (connect_attempt).
#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <exception>
#include <system_error>

#include "arrival.hpp"
#include "back_off.hpp"
#include "link.hpp"
#include "petstore/asio/as_result.hpp"

namespace petstore::storage::postgres {
namespace {

using clock = std::chrono::steady_clock;
std::string in_one_line(char const* text) {
  std::string line{text ? text : ""};
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
  for (char& c : line)
    if (c == '\n') c = ' ';
  return line;
}

}  // namespace

link::link(asio::any_io_executor executor, link_settings const& settings, health& h)
    : executor_(std::move(executor)),
      settings_(settings),
      health_(h),
      random_(std::random_device{}()),
      names_(executor_),
      pause_(executor_),
      connect_clock_(executor_),
      clock_(executor_),
      socket_(executor_) {}

void link::start() {
  health_.join(this, [where = executor_, self = weak_from_this()] {
    asio::post(where, [self] {
      if (auto const called = self.lock()) called->on_call();
    });
  });
  auto const failed = [self = shared_from_this()](std::exception_ptr thrown) {
    if (thrown) std::rethrow_exception(thrown);
  };
  asio::co_spawn(executor_, stay_connected(), failed);
}

void link::close() {
  closed_ = true;
  if (is_ready()) lose("the store is closed");
  health_.leave(this);
  names_.close();
  pause_.cancel();
  connect_clock_.cancel();
  boost::system::error_code ignored;
  socket_.close(ignored);
}

asio::awaitable<void> link::stay_connected() {
  while (!closed_) {
    co_await take_turn();
    if (closed_) break;
    auto const returns_before = health_.returns();
    made_after_.store(health_.demotions(), std::memory_order_relaxed);
    auto since = clock::now();
    std::string why_not;
    try {
      why_not = co_await connect();
      if (why_not.empty() && is_outdated()) why_not = takes_no_writes;  // it was asked before that was found
      if (why_not.empty() && !closed_) become_ready();
    } catch (std::exception const& e) {
      why_not = e.what();
      if (is_ready()) lose(why_not);
    }
    if (closed_) break;
    if (!why_not.empty()) {
      connection_.reset();
      traffic_.note_failed();
      health_.note_lost(false, why_not);
    } else if (is_ready()) {
      pause_.expires_at(clock::time_point::max());
      co_await pause_.async_wait(as_result);  // until it is lost
      since = clock::now();
    }
    if (closed_) break;
    co_await pause(returns_before, since);
  }
  connection_.reset();
}

/// Waits, while the server is gone, until this is the connection that tries.
asio::awaitable<void> link::take_turn() {
  while (!closed_ && !health_.take_turn(this)) co_await wait_for_call(clock::time_point::max());
}

/// The pause between two attempts. `since` is when the last attempt began or the connection was lost. A long attempt is
/// followed by the next one at once, so that a connection attempt is waiting when a suspended server goes on.
asio::awaitable<void> link::pause(std::size_t returns_before, clock::time_point since) {
  std::uniform_real_distribution<double> chance(0, 1);
  // This pause is always made. Otherwise a server that accepts connections and closes them would be asked without a
  // pause.
  pause_.expires_after(back_off(1, link_settings::first_back_off, link_settings::longest_back_off, chance(random_)));
  co_await pause_.async_wait(as_result);
  if (closed_) co_return;
  auto const longest = health_.is_gone() ? link_settings::longest_back_off_while_gone : link_settings::longest_back_off;
  auto const until = since + back_off(++failures_, link_settings::first_back_off, longest, chance(random_));
  if (health_.returns() == returns_before) co_await wait_for_call(until);
}

asio::awaitable<void> link::wait_for_call(clock::time_point until) {
  waits_for_call_ = true;
  pause_.expires_at(until);
  co_await pause_.async_wait(as_result);
  waits_for_call_ = false;
}

void link::on_call() {
  if (waits_for_call_) pause_.cancel();
  do_or_lose([this] { leave_if_outdated(); });
}

asio::awaitable<std::string> link::connect() {
  auto const deadline = clock::now() + settings_.connect_timeout;
  auto resolving = resolve(names_, settings_.where, deadline);
  auto hosts = co_await std::move(resolving);
  if (closed_) co_return "the store is closed";
  connect_attempt attempt(settings_.where, std::move(hosts), clock::now(), deadline);
  while (attempt.waits()) {
    auto waiting = wait_for_socket(attempt);
    bool const ready = co_await std::move(waiting);
    if (closed_) co_return "the store is closed";
    auto const now = clock::now();
    if (now >= attempt.due()) {
      attempt.skip_host(now);
    } else if (ready) {
      // A refusal is an answer, too.
      if (peek(attempt.socket()) == arrival::bytes) health_.note_heard(now);
      attempt.proceed(now);
    }
  }
  if (!attempt.is_made()) co_return attempt.why_not(in_one_line(attempt.message().c_str()));
  connection_ = attempt.take();
  if (PQsetnonblocking(connection_.get(), 1) != 0 || PQenterPipelineMode(connection_.get()) != 1)
    co_return in_one_line(PQerrorMessage(connection_.get()));
  co_return std::string{};
}

void link::watch_socket(int socket) {
  int const copy = ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw std::system_error(errno, std::generic_category(), "a socket cannot be duplicated");
  try {
    socket_.assign(copy);
  } catch (...) {
    ::close(copy);
    throw;
  }
}

/// Returns whether the socket is ready; it waits until the attempt is due. The socket changes when the attempt goes on
/// to the next host.
asio::awaitable<bool> link::wait_for_socket(connect_attempt const& attempt) {
  watch_socket(attempt.socket());
  connect_clock_.expires_at(attempt.due());
  connect_clock_.async_wait([self = shared_from_this()](boost::system::error_code cancelled) {
    boost::system::error_code ignored;
    if (!cancelled && !self->is_ready()) self->socket_.cancel(ignored);
  });
  auto const what =
      attempt.waits_to_read() ? asio::posix::descriptor_base::wait_read : asio::posix::descriptor_base::wait_write;
  auto const [failure] = co_await socket_.async_wait(what, as_result);
  connect_clock_.cancel();
  boost::system::error_code ignored;
  socket_.close(ignored);
  co_return !failure;
}

void link::become_ready() {
  failures_ = 0;
  prepared_.reset();
  watch_socket(PQsocket(connection_.get()));
  heard_at_ = clock::now();
  ready_.store(true, std::memory_order_release);
  traffic_.note_made();
  health_.note_connected(heard_at_);
  await_readable();

  // The settings of a session. A server that does not know a setting is used without it.
  class unheard final : public pending {
   public:
    using pending::pending;
    void answer() override {}
  };
  auto const send_setting = [this](statement s, parameters p) {
    auto request = std::make_unique<unheard>(s, std::move(p));
    request->exclusive = true;
    enqueue(std::move(request));
  };
  send_setting(statement::plan_once, {});
  send_setting(statement::wait_for_locks, parameters::of(std::to_string(settings_.lock_timeout().count()) + "ms"));
  if (notified_) send_setting(statement::listen_keys, {});
  send();
  if (notified_) notified_();
}

void link::lose(std::string cause, bool timed_out) {
  ready_.store(false, std::memory_order_release);
  silent_.store(false, std::memory_order_relaxed);
  pause_.cancel();
  // Without memory to answer them, requests are destroyed; none may be left for the next connection.
  struct forgetting {
    link& of;
    ~forgetting() { of.forget_requests(); }
  } const at_the_end{*this};
  boost::system::error_code ignored;
  socket_.close(ignored);
  clock_.cancel();
  connection_.reset();
  cause = in_one_line(cause.c_str());
  if (cause.empty()) cause = "the connection was closed";
  if (!closed_) {
    traffic_.note_lost();
    health_.note_lost(true, cause);
  }

  auto const fail = [&](std::unique_ptr<pending> p, bool sent) {
    if (!p) return;  // there was no memory to answer it
    p->outcome = lost{.sent = sent, .cause = cause, .timed_out = sent && timed_out};
    finish_one(std::move(p));
  };
  for (auto& p : transaction_) fail(std::move(p), true);
  for (auto& o : owed_) fail(std::move(o.request), true);
  for (auto& p : queue_) fail(std::move(p), false);
  answer_finished();
}

void link::forget_requests() noexcept {
  transaction_.clear();
  transaction_fault_.reset();
  owed_.clear();
  queue_.clear();
  sent_at_.clear();
  sent_ = 0;
}

}  // namespace petstore::storage::postgres
