// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace petstore::test {

/// An answer as it came over the wire.
struct answer {
  int status = 0;
  std::string head;  ///< status line and fields
  std::string body;

  /// The value of a field, empty without one.
  std::string field(std::string_view name) const;
};

/// A connection of a client that waits for everything, half a minute at most. IPv4 loopback.
class connection {
 public:
  explicit connection(std::uint16_t port);
  ~connection();
  connection(connection const&) = delete;
  connection& operator=(connection const&) = delete;

  void send(std::string_view bytes);
  /// The next answer; one without Content-Length has no body.
  answer receive();

 private:
  bool read_some();

  int socket_;
  std::string buffer_;
};

/// One request over a connection of its own. `key` empty: without Authorization.
answer ask(std::uint16_t port, std::string_view method, std::string_view target, std::string_view key = {},
           std::string_view body = {}, std::vector<std::string> const& fields = {});

}  // namespace petstore::test
