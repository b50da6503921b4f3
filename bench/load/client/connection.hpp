// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "client/target.hpp"
#include "client/tls.hpp"

namespace petstore::load {

/// What a call on a connection did.
enum class progress : std::uint8_t {
  done,
  later,   ///< not now: when the socket is ready, the same call again
  closed,  ///< the other side has ended it in order
  failed,  ///< see fault()
};

/// A TCP connection that never blocks, with or without TLS. It registers nothing: whoever owns it waits for
/// `descriptor()` to become readable or writable, edge-triggered, and calls again.
///
/// Thread safety: none. SIGPIPE must be blocked in the thread, as OpenSSL writes with write(2).
class connection {
 public:
  struct transfer {
    progress outcome;
    std::size_t bytes = 0;
  };

  connection() = default;
  connection(connection const&) = delete;
  connection& operator=(connection const&) = delete;
  ~connection() { close(); }

  /// Begins to connect: `later` until it is known, then `handshake`. Closes what was open. Of the errors, fault_code()
  /// tells those of connect(2) apart.
  progress open(address const&);
  /// Once the socket is writable: whether it is connected.
  progress finish_open();
  /// Of TLS, and to be repeated until it is done. `host` is what the certificate must be of.
  progress handshake(tls_settings const&, std::string const& host);

  transfer send(std::string_view bytes);
  transfer receive(std::span<char> into);

  void close() noexcept;
  bool is_open() const noexcept { return descriptor_ >= 0; }
  int descriptor() const noexcept { return descriptor_; }
  /// Whether OpenSSL holds bytes that the kernel will not announce again.
  bool holds_bytes() const noexcept { return tls_ && SSL_pending(tls_.get()) > 0; }

  int fault_code() const noexcept { return fault_code_; }  ///< an errno; 0 where it was TLS that failed
  std::string fault() const;                               ///< in words

 private:
  progress fail(int code) noexcept;
  progress tls_outcome(int returned);

  int descriptor_ = -1;
  int fault_code_ = 0;
  tls_session tls_;
  std::string tls_fault_;
};

}  // namespace petstore::load
