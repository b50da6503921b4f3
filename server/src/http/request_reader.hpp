// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "http/chunked_body.hpp"
#include "http/head.hpp"
#include "http/head_parser.hpp"
#include "http/input_buffers.hpp"
#include "http/refusal.hpp"
#include "petstore/server/connection_limits.hpp"

namespace petstore::server::http {

/// Parses the bytes of one connection into requests. It does not access the connection:
///
///     while bytes arrive: copy them to `prepare()`, then `commit(n)`
///     `advance()` returns what is there now; after a request, `consume()`
///
/// The memory is limited, grows with the bytes that arrive (not with an announced length), and is released between
/// requests. A request's views are valid until `consume`. One thread.
class request_reader {
 public:
  enum class progress : std::uint8_t { needs_bytes, request, refused };
  enum class stage : std::uint8_t { between, head, body, done };

  /// Readers of one thread may share their buffers.
  explicit request_reader(connection_limits const&, input_buffers* shared = nullptr);
  request_reader(request_reader const&) = delete;
  request_reader& operator=(request_reader const&) = delete;
  ~request_reader() { release_buffers(); }

  /// Returns the buffer for the next bytes; never empty while `advance` returns needs_bytes.
  std::span<char> prepare();
  void commit(std::size_t n);
  /// Nothing has arrived for the buffer: an idle reader gives it back.
  void commit_nothing();

  progress advance();

  /// The parsed head: complete once advance() returns `request`, maybe incomplete before.
  http::head const& head() const noexcept { return head_; }
  http::refusal const& refusal() const noexcept { return refusal_; }
  server::request& request() noexcept { return head_.request; }

  /// The part of a request that is being read; `between` if no byte of the next request has arrived.
  stage where() const noexcept { return stage_; }
  /// Whether the client waits for a 100 before it sends the body. Returns true only once.
  bool take_continue() noexcept;

  /// Whether there are bytes after the request that advance() found.
  bool has_more() const noexcept { return begin_ != end_; }
  /// Ends the request; the next one begins.
  void consume();

 private:
  progress skip_empty_lines();
  progress read_head();
  progress begin_body();
  progress read_body();
  progress read_chunks();
  progress finish(std::string_view body);
  progress refuse(http::refusal const&);

  std::string_view unread() const noexcept { return {buffer_.get() + begin_, end_ - begin_}; }
  void move_to_front(std::size_t front) noexcept;
  void grow(std::size_t free_bytes);
  void release_buffers() noexcept;

  std::size_t const body_bytes_max_;
  input_buffers* const shared_;
  stage stage_ = stage::between;
  std::size_t empty_lines_ = 0;
  head_parser parser_;
  http::head head_;
  http::refusal refusal_;

  /// [0, head_end_) is the head that `head_` points into; [begin_, end_) is unread.
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t head_end_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;

  chunked_body chunks_;
  std::string body_;  ///< of a body that did not arrive together with its head, or arrived in chunks
  std::size_t body_received_ = 0;
  bool continue_is_due_ = false;
};

}  // namespace petstore::server::http
