// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// How a connection is made, lost and made again. Nothing here blocks: names are resolved by another thread, and libpq
// gets addresses.
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
    auto since = clock::now();
    std::string why_not;
    try {
      why_not = co_await connect();
      if (why_not.empty() && !closed_) become_ready();
    } catch (std::exception const& e) {
      why_not = e.what();
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
}

/// The hosts of the URI with their addresses; a host with several addresses occurs several times.
asio::awaitable<std::vector<host>> link::resolve() {
  std::vector<host> found;
  std::string fault;
  for (host const& h : settings_.where.hosts()) {
    if (needs_no_resolution(h)) {
      found.push_back(h);
      continue;
    }
    auto finding = names_.find(h.name, clock::now() + settings_.connect_timeout);
    auto const [failure, addresses] = co_await std::move(finding);
    if (failure) fault = h.name + ": " + failure.message();
    for (auto const& a : addresses) found.push_back({h.name, a.to_string(), h.port});
  }
  if (found.empty()) throw std::runtime_error(fault);
  co_return found;
}

asio::awaitable<std::string> link::connect() {
  auto const hosts = co_await resolve();
  if (closed_) co_return "the store is closed";
  auto const keywords = settings_.where.to_keywords(hosts);
  connection_.reset(PQconnectStartParams(keywords.name_pointers.data(), keywords.value_pointers.data(), 0));
  if (!connection_) throw std::bad_alloc();
  ignore_notices(connection_.get());
  auto const deadline = clock::now() + settings_.connect_timeout;
  auto status = PGRES_POLLING_WRITING;
  while (PQstatus(connection_.get()) != CONNECTION_BAD) {
    bool const ready = co_await wait_for_socket(status == PGRES_POLLING_READING, deadline);
    if (!ready || closed_)
      co_return "no connection within " + std::to_string(settings_.connect_timeout.count()) + " ms";
    // A refusal is an answer, too.
    if (peek(PQsocket(connection_.get())) == arrival::bytes) health_.note_heard(clock::now());
    status = PQconnectPoll(connection_.get());
    if (status == PGRES_POLLING_OK) break;
    if (status == PGRES_POLLING_FAILED) co_return in_one_line(PQerrorMessage(connection_.get()));
  }
  if (PQstatus(connection_.get()) == CONNECTION_BAD) co_return in_one_line(PQerrorMessage(connection_.get()));
  if (PQsetnonblocking(connection_.get(), 1) != 0 || PQenterPipelineMode(connection_.get()) != 1)
    co_return in_one_line(PQerrorMessage(connection_.get()));
  co_return std::string{};
}

void link::watch_socket() {
  int const copy = ::fcntl(PQsocket(connection_.get()), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw std::system_error(errno, std::generic_category(), "a socket cannot be duplicated");
  try {
    socket_.assign(copy);
  } catch (...) {
    ::close(copy);
    throw;
  }
}

/// Returns false after the deadline. The socket changes when libpq goes on to the next host.
asio::awaitable<bool> link::wait_for_socket(bool to_read, clock::time_point deadline) {
  watch_socket();
  connect_clock_.expires_at(deadline);
  connect_clock_.async_wait([self = shared_from_this()](boost::system::error_code cancelled) {
    boost::system::error_code ignored;
    if (!cancelled && !self->is_ready()) self->socket_.cancel(ignored);
  });
  auto const what = to_read ? asio::posix::descriptor_base::wait_read : asio::posix::descriptor_base::wait_write;
  auto const [failure] = co_await socket_.async_wait(what, as_result);
  connect_clock_.cancel();
  boost::system::error_code ignored;
  socket_.close(ignored);
  co_return !failure && clock::now() < deadline;
}

void link::become_ready() {
  failures_ = 0;
  doomed_ = false;
  prepared_.reset();
  watch_socket();
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
  send_setting(statement::wait_for_locks, parameters::of(std::to_string(settings_.statement_timeout.count()) + "ms"));
  if (notified_) send_setting(statement::listen_keys, {});
  send();
  if (notified_) notified_();
}

void link::lose(std::string cause) {
  ready_.store(false, std::memory_order_release);
  silent_.store(false, std::memory_order_relaxed);
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
    p->outcome = lost{.sent = sent, .cause = cause};
    finish_one(std::move(p));
  };
  for (auto& p : transaction_) fail(std::move(p), true);
  for (auto& o : owed_)
    if (o.request) fail(std::move(o.request), true);
  for (auto& p : queue_) fail(std::move(p), false);
  transaction_.clear();
  transaction_fault_.reset();
  owed_.clear();
  queue_.clear();
  sent_at_.clear();
  sent_ = 0;
  answer_finished();
  pause_.cancel();
}

}  // namespace petstore::storage::postgres
