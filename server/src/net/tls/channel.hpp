// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "net/tls/handles.hpp"

namespace petstore::server::tls {

/// The server's side of one encrypted connection, without the socket: it takes the bytes of the client and gives the
/// bytes to send. It uses OpenSSL, which sees neither socket nor file here.
///
/// One thread. Before a call returns, it removes its errors from OpenSSL's error queue of this thread.
class channel {
 public:
  explicit channel(ssl_ptr);

  enum class progress : std::uint8_t {
    moved,        ///< there was progress
    needs_bytes,  ///< the whole input is used up
    ended,        ///< the client sends no more (close_notify)
    failed,       ///< the input is not TLS, or is not accepted; `output` may have an alert that says so
  };

  /// Sets the input. The calls that follow read it until they return `needs_bytes`, or until it is copied by
  /// `keep_input`.
  void feed(std::string_view bytes) noexcept { wire_->input = bytes; }
  /// Copies the rest of the input, so that it outlives the memory of `feed`.
  void keep_input();

  /// Whether there is unread input, which may be the end.
  bool has_input() const noexcept {
    return !wire_->input.empty() || SSL_has_pending(ssl_.get()) == 1 ||
           (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
  }

  /// Goes on with the handshake; `moved` when it is complete.
  progress shake_hands();
  /// Decrypts as much as there is and fits. `moved`: `size` bytes, which is not 0.
  progress decrypt(std::span<char> buffer, std::size_t& size);
  /// Encrypts `bytes`, at most a few records, and appends them to the output. Returns how many bytes were encrypted, 0
  /// on failure.
  std::size_t encrypt(std::string_view bytes);
  /// Appends the message that we send no more (close_notify), once; afterwards nothing can be encrypted.
  void say_end();

  /// The bytes to send, in order. The caller clears it after sending.
  std::string& output() noexcept { return wire_->output; }
  std::string const& output() const noexcept { return wire_->output; }
  bool is_resumed() const noexcept { return SSL_session_reused(ssl_.get()) == 1; }
  bool speaks_1_3() const noexcept { return SSL_version(ssl_.get()) >= TLS1_3_VERSION; }
  bool has_failed() const noexcept { return has_failed_; }
  /// The reason of a failure in OpenSSL's words, and its error code; empty and 0 if OpenSSL has none.
  std::string const& failure() const noexcept { return failure_; }
  unsigned long failure_code() const noexcept { return failure_code_; }

 private:
  struct wire {
    std::string_view input;
    std::string output;
  };

  static BIO_METHOD const& wire_method();
  static int read_wire(BIO*, char*, int) noexcept;
  static int write_wire(BIO*, char const*, int) noexcept;
  progress progress_after(int returned);

  std::unique_ptr<wire> wire_;  // at a fixed address, since OpenSSL points to it
  ssl_ptr ssl_;
  std::string kept_;
  std::string failure_;
  unsigned long failure_code_ = 0;
  bool has_failed_ = false;
  bool has_said_end_ = false;
};

}  // namespace petstore::server::tls
