// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/accept_queue.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace petstore::server::net {
namespace {

struct queue_state {
  std::uint32_t waiting;
  std::uint32_t limit;
};

/// Reads the queue of a listening socket. Linux reports both numbers in fields of TCP_INFO that have no other meaning
/// there (tcp_get_info).
std::optional<queue_state> look_at(int acceptor) noexcept {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(acceptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return std::nullopt;
  return queue_state{.waiting = info.tcpi_unacked, .limit = info.tcpi_sacked};
}

}  // namespace

accept_queue::accept_queue(asio::ip::tcp::acceptor& acceptor, std::chrono::milliseconds wait_max, time now,
                           std::size_t sharers)
    : acceptor_{acceptor}, wait_max_{wait_max}, sharers_{static_cast<double>(sharers)}, last_{now} {
  auto const state = look_at(acceptor.native_handle());
  longest_ = state ? state->limit : 0;
}

std::optional<int> accept_queue::waiting() const noexcept {
  auto const state = look_at(acceptor_.native_handle());
  // Some kernels answer, and fill in nothing.
  return state && state->limit != 0 ? std::optional{static_cast<int>(state->waiting)} : std::nullopt;
}

void accept_queue::adapt(time now) noexcept {
  auto const accepted = std::exchange(accepted_, 0u);
  std::chrono::duration<double> const elapsed = now - std::exchange(last_, now);
  auto const state = look_at(acceptor_.native_handle());
  if (!state || longest_ <= shortest || elapsed.count() <= 0) return;

  double const in_time = sharers_ * accepted * (std::chrono::duration<double>{wait_max_} / elapsed);
  bool const is_long = state->waiting > shortest && state->waiting > in_time;
  bool const stays_long = std::exchange(was_long_, is_long) && is_long;
  auto limit = state->limit;
  if (stays_long) {
    limit = static_cast<std::uint32_t>(std::clamp<double>(in_time, shortest, longest_));
  } else if (state->waiting < limit / 2) {
    limit = std::min(2 * limit, longest_);  // step by step, so that the queue does not fill at once
  }
  boost::system::error_code ignored;  // then the queue stays as it is
  if (limit != state->limit) acceptor_.listen(static_cast<int>(limit), ignored);
}

}  // namespace petstore::server::net
