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

/// The server's side of one encrypted connection, without the connection: what came from the client goes in, what it is
/// to be sent comes out. OpenSSL underneath, which sees neither socket nor file here.
///
/// One thread. Whatever OpenSSL has to complain about is taken off its queue of this thread before the call returns.
class channel {
 public:
  explicit channel(ssl_ptr);

  enum class progress : std::uint8_t {
    moved,        ///< something was done
    needs_bytes,  ///< everything that came is used up
    ended,        ///< the client has said that it will send no more (close_notify)
    failed,       ///< what came is no TLS, or not what we accept; `output` may have an alert that says so
  };

  /// What came; it is looked at by the calls that follow, until they return `needs_bytes`, or it is kept.
  void feed(std::string_view bytes) noexcept { wire_->input = bytes; }
  /// Copies what is not used up yet, so that it outlives the memory it came in.
  void keep_input();

  /// Something of it is not used up yet, or was the end.
  bool has_input() const noexcept {
    return !wire_->input.empty() || SSL_has_pending(ssl_.get()) == 1 ||
           (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
  }

  /// The handshake; `moved` when it is complete.
  progress shake_hands();
  /// As much as there is and fits. `moved`: `size` bytes, which is not 0.
  progress decrypt(std::span<char> room, std::size_t& size);
  /// Appends to the output; at most a few records. Returns how many bytes of it that are, and 0 when it fails.
  std::size_t encrypt(std::string_view bytes);
  /// Appends the word that we send no more (close_notify); once, and nothing can be encrypted after it.
  void say_end();

  /// What is to be sent, in order. Whoever has sent it clears it.
  std::string& output() noexcept { return wire_->output; }
  std::string const& output() const noexcept { return wire_->output; }
  bool is_resumed() const noexcept { return SSL_session_reused(ssl_.get()) == 1; }
  bool speaks_1_3() const noexcept { return SSL_version(ssl_.get()) >= TLS1_3_VERSION; }
  bool has_failed() const noexcept { return has_failed_; }
  /// Why something failed, in OpenSSL's words, and its number for that; 0 when it has none.
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
  progress judge(int returned);

  std::unique_ptr<wire> wire_;  // in its place while OpenSSL points to it
  ssl_ptr ssl_;
  std::string kept_;
  std::string failure_;
  unsigned long failure_code_ = 0;
  bool has_failed_ = false;
  bool has_said_end_ = false;
};

}  // namespace petstore::server::tls
