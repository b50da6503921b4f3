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

/// The result of a call on a connection.
enum class progress : std::uint8_t {
  done,
  later,   ///< it would block: repeat the same call when the socket is ready
  closed,  ///< the peer has ended the connection in order
  failed,  ///< see fault()
};

/// A non-blocking TCP connection, with or without TLS. It registers nothing: its owner waits until `descriptor()` is
/// readable or writable, edge-triggered, and calls again.
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

  /// Closes the old connection and begins to connect. If the result is `later`, call `finish_open` when the socket is
  /// writable. fault_code() has the error of connect(2).
  progress open(address const&);
  /// Whether the writable socket is connected.
  progress finish_open();
  /// The TLS handshake; repeated until it is done. The certificate must be valid for `host`.
  progress handshake(tls_settings const&, std::string const& host);

  transfer send(std::string_view bytes);
  transfer receive(std::span<char> into);

  void close() noexcept;
  bool is_open() const noexcept { return descriptor_ >= 0; }
  int descriptor() const noexcept { return descriptor_; }
  /// Whether OpenSSL has decrypted bytes, for which the kernel sends no event.
  bool holds_bytes() const noexcept { return tls_ && SSL_pending(tls_.get()) > 0; }

  int fault_code() const noexcept { return fault_code_; }  ///< an errno; 0 if TLS failed
  /// Whether TLS failed because the connection ended without the peer's farewell (close_notify).
  bool was_cut() const noexcept { return was_cut_; }
  std::string fault() const;  ///< the fault as text

 private:
  progress fail(int code) noexcept;
  progress tls_outcome(int returned);

  int descriptor_ = -1;
  int fault_code_ = 0;
  bool was_cut_ = false;
  tls_session tls_;
  std::string tls_fault_;
};

}  // namespace petstore::load
