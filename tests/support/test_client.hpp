// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace petstore::tests {

class client_side;

/// A malformed answer, or no answer within the time limit.
struct client_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An answer as the client received it.
struct client_answer {
  int status = 0;
  std::string head;  ///< the status line and the fields, each with its line end
  std::vector<std::pair<std::string, std::string>> fields;
  std::string body;

  std::size_t count(std::string_view name) const;
  /// The value of a field that must occur exactly once.
  std::string const& at(std::string_view name) const;
  /// The same, but empty if the field is missing.
  std::string field(std::string_view name) const { return count(name) == 0 ? std::string{} : at(name); }
  bool closes() const { return field("Connection") == "close"; }
};

/// A blocking TCP connection to a port of this machine. It sends bytes unchanged and parses answers. A wait that
/// exceeds the time limit throws client_error. One thread.
class test_client {
 public:
  /// Every client made from now on uses TLS from its first byte on. Its connection ends in order only with a
  /// close_notify of the server.
  static void speak_tls();
  /// A client without TLS, even after `speak_tls`. Connects later.
  static test_client in_the_clear();
  /// A client with TLS, even without `speak_tls`.
  static test_client over_tls(std::uint16_t port);

  explicit test_client(std::uint16_t port) : test_client{} { connect(port); }
  /// Connects from this address of the machine, such as 127.0.0.2.
  test_client(std::uint16_t port, char const* from);
  /// Connects later.
  test_client();
  test_client(test_client&& other) noexcept;
  test_client& operator=(test_client&&) = delete;
  ~test_client();

  void connect(std::uint16_t port);
  /// A small buffer soon stops a server that sends. Call it before connect().
  void set_receive_buffer(int bytes);

  void send(std::string_view bytes);
  /// Sends as much as the peer accepts; false if that is not everything.
  bool try_send(std::string_view bytes);
  /// The next answer; it may be an interim one (1xx).
  client_answer receive(bool to_head = false);
  client_answer exchange(std::string_view bytes, bool to_head = false) {
    send(bytes);
    return receive(to_head);
  }

  /// Everything until the peer ends the connection, in order or by a reset.
  std::string receive_rest();
  /// Waits for the end of the connection; false if there are bytes to read, or a reset.
  bool ends_in_order();
  /// Whether the last read found a reset.
  bool was_reset() const { return was_reset_; }
  /// Whether bytes, or the end of the connection, can be read within this time.
  bool has_something(int wait_ms = 0);

  /// The next bytes that arrive; empty at the end.
  std::string receive_some();

  /// The digest of the server's certificate, over TLS.
  std::string certificate_of_server() const;

  void shutdown_send();
  void close();
  /// Closes the connection at once with a reset.
  void reset();

 private:
  bool read_some();
  bool read_record();
  bool read_bytes(std::string& to);
  bool send_bytes(std::string_view);
  bool shake_hands();
  std::string take_line();

  int fd_ = -1;
  std::unique_ptr<client_side> tls_;
  bool was_reset_ = false;
  bool has_ended_ = false;
  std::string unread_;
};

/// Sends one request over a new connection without TLS. If `key` is empty, the request has no Authorization.
client_answer ask(std::uint16_t port, std::string_view method, std::string_view target, std::string_view key = {},
                  std::string_view body = {}, std::vector<std::string> const& fields = {});

}  // namespace petstore::tests
