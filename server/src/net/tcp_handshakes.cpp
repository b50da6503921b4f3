// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tcp_handshakes.hpp"

#include <linux/filter.h>
#include <sys/socket.h>

#include <array>

namespace petstore::server::net {
namespace {

/// The position of the flags in a TCP header (RFC 9293, 3.1).
constexpr unsigned flags_offset = 13;
constexpr unsigned syn_flag = 0x02;

}  // namespace

void refuse_tcp_handshakes(asio::ip::tcp::acceptor& acceptor) noexcept {
  constexpr unsigned nothing = 0, everything = 0xffff'ffff;
  // A listening socket receives only SYNs and the segments that complete handshakes. A filter sees the TCP header
  // first.
  std::array<sock_filter, 4> program{{
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, flags_offset),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, syn_flag, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, nothing),
      BPF_STMT(BPF_RET | BPF_K, everything),
  }};
  sock_fprog const filter{.len = program.size(), .filter = program.data()};
  ::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
}

}  // namespace petstore::server::net
