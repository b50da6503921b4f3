// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "load.hpp"

#include <time.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "framing.hpp"
#include "sockets.hpp"

namespace petstore::bench {
namespace {

using clock = std::chrono::steady_clock;

/// A process that sends to a sleeping process pays for waking it, and the price varies. So the client never sleeps
/// during a measurement, and a fast server does not pay for waking the client.
constexpr std::chrono::milliseconds asleep_never{0};

/// The processor time of another process in nanoseconds; /proc counts in hundredths of a second.
std::chrono::nanoseconds processor_time_of(pid_t process) {
  clockid_t id{};
  timespec used{};
  int fault = clock_getcpuclockid(process, &id);
  if (fault == 0 && clock_gettime(id, &used) != 0) fault = errno;
  if (fault != 0) throw std::system_error(fault, std::generic_category(), "the server's processor time");
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

class closed_loop {
 public:
  explicit closed_loop(load const& wanted);
  load_report run();

 private:
  struct connection {
    descriptor socket;
    std::string unread;       ///< the first part of an incomplete answer
    std::size_t batch = 0;    ///< the batch that it sends
    std::size_t awaited = 0;  ///< the number of answers it waits for
    std::size_t unsent_bytes = 0;
    bool is_blocked = false;  ///< the socket's buffer is full
    bool broken = false;
    clock::time_point sent_at;
  };

  void start_counting();
  void stop_counting();
  void serve_events_until(clock::time_point end);
  void send_requests(connection& c);
  void continue_sending(connection& c);
  void receive_answers(connection& c);
  /// Counts the complete answers and removes them from the front of `bytes`; false if the bytes are not an answer.
  bool take_answers(connection& c, std::string_view& bytes, clock::time_point now);
  void give_up(connection& c);

  static constexpr std::size_t receive_bytes = 256 * 1024;

  load const& wanted_;
  std::vector<std::string> batches_;  ///< `depth` copies of each request
  std::size_t turn_ = 0;              ///< the batch that is sent next
  std::uint64_t left_to_send_;
  std::uint64_t awaited_ = 0;
  clock::time_point counting_since_;
  std::chrono::nanoseconds server_time_before_{};
  load_report report_;
  std::vector<char> received_;
  std::vector<connection> connections_;
  epoll epoll_;
};

closed_loop::closed_loop(load const& wanted)
    : wanted_(wanted),
      left_to_send_(wanted.requests.value_or(std::numeric_limits<std::uint64_t>::max())),
      received_(receive_bytes),
      connections_(wanted.connections) {
  auto const add_batch = [&](std::string const& request) {
    auto& batch = batches_.emplace_back();
    for (std::size_t i = 0; i < wanted.depth; ++i) batch += request;
  };
  add_batch(wanted.request);
  for (auto const& request : wanted.more_requests) add_batch(request);
  for (auto& c : connections_) {
    c.socket = connect_to_loopback(wanted.port);
    epoll_.add(c.socket, EPOLLIN, &c);
  }
}

load_report closed_loop::run() {
  start_counting();
  for (auto& c : connections_) send_requests(c);
  if (wanted_.requests) {
    serve_events_until(clock::time_point::max());
    stop_counting();
    return report_;
  }
  serve_events_until(clock::now() + wanted_.warm_up);
  start_counting();
  serve_events_until(counting_since_ + wanted_.duration);
  stop_counting();
  auto counted = report_;
  // Waits for the answers under way, so that the server is idle when the next measurement begins.
  left_to_send_ = 0;
  serve_events_until(clock::time_point::max());
  counted.broken_connections = report_.broken_connections;
  counted.unanswered = report_.unanswered;
  return counted;
}

void closed_loop::start_counting() {
  // Keeps the number of connections that broke before, because they are missing in the measurement.
  load_report fresh;
  fresh.broken_connections = report_.broken_connections;
  report_ = fresh;
  counting_since_ = clock::now();
  if (wanted_.server) server_time_before_ = processor_time_of(*wanted_.server);
}

void closed_loop::stop_counting() {
  report_.duration = clock::now() - counting_since_;
  if (wanted_.server) report_.server_processor_time = processor_time_of(*wanted_.server) - server_time_before_;
}

void closed_loop::serve_events_until(clock::time_point end) {
  auto last_progress = clock::now();
  while (awaited_ > 0) {
    auto const now = clock::now();
    if (now >= end) return;
    if (now - last_progress > patience_max) {
      report_.unanswered += std::exchange(awaited_, 0);
      return;
    }
    auto const events = epoll_.wait(wanted_.requests ? patience_max : asleep_never);
    if (!events.empty()) last_progress = now;
    for (auto const& event : events) {
      auto& c = *static_cast<connection*>(event.data.ptr);
      if ((event.events & EPOLLOUT) != 0) continue_sending(c);
      if ((event.events & ~static_cast<unsigned>(EPOLLOUT)) != 0 && !c.broken) receive_answers(c);
    }
  }
}

void closed_loop::send_requests(connection& c) {
  auto const count = std::min<std::uint64_t>(wanted_.depth, left_to_send_);
  if (count == 0) return;
  left_to_send_ -= count;
  awaited_ += count;
  c.awaited = count;
  c.batch = std::exchange(turn_, (turn_ + 1) % batches_.size());
  c.unsent_bytes = count * (batches_[c.batch].size() / wanted_.depth);
  c.sent_at = clock::now();
  continue_sending(c);
}

void closed_loop::continue_sending(connection& c) {
  // The unsent bytes are always the last bytes of the batch, even if the last batch is shorter.
  auto const sent = send(c.socket, std::span(batches_[c.batch]).last(c.unsent_bytes));
  if (sent.ended) return give_up(c);
  c.unsent_bytes -= sent.bytes;
  bool const is_full = c.unsent_bytes > 0;
  if (std::exchange(c.is_blocked, is_full) == is_full) return;
  epoll_.change(c.socket, is_full ? EPOLLIN | EPOLLOUT : EPOLLIN, &c);
}

void closed_loop::receive_answers(connection& c) {
  auto const kept = c.unread.size();
  std::copy(c.unread.begin(), c.unread.end(), received_.begin());
  auto const got = receive(c.socket, std::span(received_).subspan(kept));
  if (got.ended) return give_up(c);
  std::string_view bytes(received_.data(), kept + got.bytes);
  // An answer that does not fit into the buffer counts as malformed.
  if (!take_answers(c, bytes, clock::now()) || bytes.size() == received_.size()) return give_up(c);
  c.unread = bytes;
  if (c.awaited == 0) send_requests(c);
}

bool closed_loop::take_answers(connection& c, std::string_view& bytes, clock::time_point now) {
  while (!bytes.empty()) {
    auto const a = read_answer(bytes);
    if (a.state == framing::incomplete) return true;
    if (a.state == framing::malformed || c.awaited == 0) return false;
    bytes.remove_prefix(a.length);
    --c.awaited;
    --awaited_;
    ++report_.answers;
    ++report_.by_status[a.status];
    report_.bytes += a.length;
    report_.waits.record(now - c.sent_at);
  }
  return true;
}

void closed_loop::give_up(connection& c) {
  ++report_.broken_connections;
  awaited_ -= std::exchange(c.awaited, 0);
  c.broken = true;
  c.socket = descriptor();
}

}  // namespace

load_report run_load(load const& wanted) {
  return closed_loop(wanted).run();
}

}  // namespace petstore::bench
