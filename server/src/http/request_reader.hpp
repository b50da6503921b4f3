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

/// Makes requests of the bytes of one connection, without touching the connection:
///
///     while bytes come: copy them to `prepare()`, then `commit(n)`
///     `advance()` says what there is now; after a request, `consume()`
///
/// The memory is bounded by the limits, grows with what arrives (not with what is announced), and is given back between
/// requests. A request's views hold until `consume`. One thread.
class request_reader {
 public:
  enum class progress : std::uint8_t { needs_bytes, request, refused };
  enum class stage : std::uint8_t { between, head, body, done };

  /// Several readers of one thread may share their buffers.
  explicit request_reader(connection_limits const&, input_buffers* shared = nullptr);

  /// Where the next bytes belong; never empty while `advance` says needs_bytes.
  std::span<char> prepare();
  void commit(std::size_t n);

  progress advance();

  /// What is known: all of it once advance() says `request`, maybe only a part before.
  http::head const& head() const noexcept { return head_; }
  http::refusal const& refusal() const noexcept { return refusal_; }
  server::request& request() noexcept { return head_.request; }

  /// Where in a request the connection is; `between` when no byte of the next one is there.
  stage where() const noexcept { return stage_; }
  /// Whether the client waits for a 100 before it sends the body. Says so once.
  bool take_continue() noexcept;

  /// Whether something follows the request that advance() found.
  bool has_more() const noexcept { return begin_ != end_; }
  /// Done with the request; the next one begins.
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
  void grow(std::size_t room);
  void let_go_of_buffers();

  std::size_t const body_bytes_max_;
  input_buffers* const shared_;
  stage stage_ = stage::between;
  std::size_t empty_lines_ = 0;
  head_parser parser_;
  http::head head_;
  http::refusal refusal_;

  /// [0, head_end_) is the head that `head_` points into; [begin_, end_) is not read yet.
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t head_end_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;

  chunked_body chunks_;
  std::string body_;  ///< of a body that did not come with its head, or came in chunks
  std::size_t body_received_ = 0;
  bool continue_is_due_ = false;
};

}  // namespace petstore::server::http
