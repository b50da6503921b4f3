// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/json.hpp"

namespace contract {

// The answer violated HTTP, did not arrive in time, or the connection ended within it.
struct http_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using field = std::pair<std::string, std::string>;
using fields = std::vector<field>;

// One answer, parsed strictly: CRLF line ends, one Content-Length, tokens as field names, and one space after each
// colon.
struct answer {
  int status = 0;
  std::string version;
  fields headers;
  std::size_t head_bytes = 0;  // the size of the status line, the fields and the empty line
  std::string body;
  // Seconds since 1970, by the client's clock: before the last bytes were sent, and after the whole answer had arrived.
  std::int64_t asked_at = 0;
  std::int64_t received_at = 0;

  bool has(std::string_view name) const;
  // The value of a field that must occur exactly once.
  const std::string& operator[](std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  json value() const { return json::parse(body); }
  // The `code` of an error body.
  std::string code() const { return value()["code"].text(); }
  bool closes() const;
};

struct request {
  std::string method = "GET";
  std::string target;
  fields headers;
  std::optional<std::string> body;

  // Adds only Host, and Content-Length if there is a body.
  std::string bytes() const;
};

// One blocking TCP connection. A wait that is longer than `patience` throws http_error. One thread at a time.
class connection {
 public:
  static constexpr std::chrono::seconds patience{60};

  // `source` is the local address: all of 127.0.0.0/8 is this machine, so a test can be many clients.
  explicit connection(std::uint16_t port, const std::string& source = "127.0.0.1",
                      const std::string& destination = "127.0.0.1");
  connection(connection&& other) noexcept;
  connection& operator=(connection&& other) noexcept;
  ~connection();

  void send(std::string_view bytes);
  // The next final answer; interim ones (1xx) are counted in `interim` and skipped.
  answer receive(bool to_head = false);
  answer exchange(const request& wanted);
  int interim() const { return interim_; }

  // Whether the peer ends the connection before the limit, without another byte.
  bool ends_within(std::chrono::milliseconds limit);
  // Whether bytes, or the end of the connection, arrive before the limit.
  bool receives_within(std::chrono::milliseconds limit) const;
  // All bytes up to the end of the connection.
  std::string rest();

 private:
  bool read_some(std::chrono::milliseconds limit);
  std::string take_line();
  std::string take_bytes(std::size_t count);
  std::string take_chunks();

  int socket_ = -1;
  int interim_ = 0;
  std::int64_t asked_at_ = std::time(nullptr);
  std::string unread_;
};

}  // namespace contract
