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

/// The client's wish was not met: a broken answer, or none while the test waited for it.
struct client_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An answer as it came over the wire.
struct client_answer {
  int status = 0;
  std::string head;  ///< the status line and the fields, each with its end of line
  std::vector<std::pair<std::string, std::string>> fields;
  std::string body;

  std::size_t count(std::string_view name) const;
  /// The value of a field that is there exactly once.
  std::string const& at(std::string_view name) const;
  /// The same; empty without the field.
  std::string field(std::string_view name) const { return count(name) == 0 ? std::string{} : at(name); }
  bool closes() const { return field("Connection") == "close"; }
};

/// A blocking TCP connection to a port of this machine that sends bytes as they are and takes answers apart. Every wait
/// that exceeds the time limit ends with client_error. One thread.
class test_client {
 public:
  /// Every client that is made from now on speaks TLS, from its first byte on, and takes nothing for an end in order
  /// that the server has not said.
  static void speak_tls();
  /// One that does not, whatever the others do. Connects later.
  static test_client in_the_clear();
  /// One that does, whatever the others do.
  static test_client over_tls(std::uint16_t port);

  explicit test_client(std::uint16_t port) : test_client{} { connect(port); }
  /// From this address of the machine, such as 127.0.0.2.
  test_client(std::uint16_t port, char const* from);
  /// Connects later.
  test_client();
  test_client(test_client&& other) noexcept;
  test_client& operator=(test_client&&) = delete;
  ~test_client();

  void connect(std::uint16_t port);
  /// So that a server soon cannot go on sending; before connect().
  void set_receive_buffer(int bytes);

  void send(std::string_view bytes);
  /// Up to the point where the peer takes no more, or refuses; false then.
  bool try_send(std::string_view bytes);
  /// The next answer, interim ones included.
  client_answer receive(bool to_head = false);
  client_answer exchange(std::string_view bytes, bool to_head = false) {
    send(bytes);
    return receive(to_head);
  }

  /// Everything until the peer ends the connection, in order or by a reset.
  std::string receive_rest();
  /// Waits for the end of the connection; false when there is something to read instead, or a reset.
  bool ends_in_order();
  /// Whether the last thing that was read was a reset.
  bool was_reset() const { return was_reset_; }
  /// Whether something can be read now or soon, the end included.
  bool has_something(int wait_ms = 0);

  /// What comes next, as it comes; empty at the end.
  std::string receive_some();

  /// A digest of what the server has shown, over TLS.
  std::string certificate_of_server() const;

  void shutdown_send();
  void close();
  /// Leaves at once, without a word to the peer but a reset.
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

/// One request over an unencrypted connection of its own. `key` empty: without Authorization.
client_answer ask(std::uint16_t port, std::string_view method, std::string_view target, std::string_view key = {},
                  std::string_view body = {}, std::vector<std::string> const& fields = {});

}  // namespace petstore::tests
