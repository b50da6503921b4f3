// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/request_reader.hpp"

#include <algorithm>
#include <cstring>

namespace petstore::server::http {
namespace {

/// The smallest buffer for a read, except at the end of a body.
constexpr std::size_t free_bytes_min = 1024;
/// The initial size of a body's buffer; a buffer of this size is kept until there is nothing more to read.
constexpr std::size_t body_bytes_initial = 4 * 1024;
/// RFC 9112, 2.2: before a request line, a robust server ignores at least one empty line.
constexpr std::size_t empty_lines_max = 2;

head_limits of_head(connection_limits const& limits) {
  return {limits.request_line_bytes_max, limits.header_bytes_max, limits.header_fields_max};
}

}  // namespace

request_reader::request_reader(connection_limits const& limits, input_buffers* shared)
    : body_bytes_max_{limits.body_bytes_max},
      shared_{shared},
      parser_{of_head(limits)},
      chunks_{limits.body_bytes_max, of_head(limits)} {}

std::span<char> request_reader::prepare() {
  if (stage_ == stage::body && !head_.chunked) {
    std::size_t const left = static_cast<std::size_t>(head_.content_length) - body_received_;
    std::size_t const size = std::min(left, std::max(body_bytes_initial, body_received_));
    body_.resize(body_received_ + size);
    return {body_.data() + body_received_, size};
  }
  if (stage_ == stage::body) {
    move_to_front(head_end_);  // the head stays, since its views are in use
  } else if (capacity_ - end_ < free_bytes_min) {
    move_to_front(0);
  }
  if (capacity_ - end_ < free_bytes_min) grow(free_bytes_min);
  return {buffer_.get() + end_, capacity_ - end_};
}

void request_reader::commit(std::size_t n) {
  bool const is_in_own_buffer = stage_ == stage::body && !head_.chunked;
  (is_in_own_buffer ? body_received_ : end_) += n;
}

void request_reader::commit_nothing() {
  if (stage_ == stage::between && begin_ == end_) release_buffers();
}

request_reader::progress request_reader::advance() {
  switch (stage_) {
    case stage::between: return skip_empty_lines();
    case stage::head: return read_head();
    case stage::body: return read_body();
    case stage::done: return progress::request;
  }
  return progress::needs_bytes;
}

request_reader::progress request_reader::skip_empty_lines() {
  while (empty_lines_ < empty_lines_max && unread().starts_with("\r\n")) {
    begin_ += 2;
    ++empty_lines_;
  }
  if (begin_ == end_) {
    begin_ = end_ = 0;
    return progress::needs_bytes;
  }
  if (empty_lines_ < empty_lines_max && unread() == "\r") return progress::needs_bytes;
  stage_ = stage::head;
  return read_head();
}

request_reader::progress request_reader::read_head() {
  switch (parser_.parse(unread(), head_)) {
    case head_parser::state::unfinished: return progress::needs_bytes;
    case head_parser::state::refused: return refuse(parser_.refusal());
    case head_parser::state::complete: return begin_body();
  }
  return progress::needs_bytes;
}

request_reader::progress request_reader::begin_body() {
  begin_ += parser_.size();
  head_end_ = begin_;
  if (auto const no = check_head(head_)) return refuse(*no);
  if (head_.content_length > body_bytes_max_) return refuse({errc::payload_too_large, {}});
  if (!head_.request.has_body) return finish({});
  stage_ = stage::body;
  continue_is_due_ = head_.expects_continue;
  if (!head_.chunked && end_ - begin_ < head_.content_length) {
    body_.assign(unread());
    body_received_ = body_.size();
    begin_ = end_;
  }
  return read_body();
}

request_reader::progress request_reader::read_body() {
  if (head_.chunked) return read_chunks();
  auto const length = static_cast<std::size_t>(head_.content_length);
  if (body_received_ == length) return finish({body_.data(), length});
  if (body_received_ > 0 || end_ - begin_ < length) return progress::needs_bytes;
  std::string_view const body = unread().substr(0, length);
  begin_ += length;
  return finish(body);
}

request_reader::progress request_reader::read_chunks() {
  auto const state = chunks_.decode(unread(), body_);
  begin_ += chunks_.consumed();
  switch (state) {
    case chunked_body::state::unfinished: return progress::needs_bytes;
    case chunked_body::state::complete: return finish(body_);
    case chunked_body::state::refused: return refuse(chunks_.refusal());
    case chunked_body::state::too_large:
      // The size belongs to the body and is checked with it: the handler sees it after the errors of the head.
      head_.request.body_too_large = true;
      return finish({});
  }
  return progress::needs_bytes;
}

request_reader::progress request_reader::finish(std::string_view body) {
  head_.request.body = body;
  stage_ = stage::done;
  continue_is_due_ = false;
  return progress::request;
}

request_reader::progress request_reader::refuse(http::refusal const& no) {
  refusal_ = no;
  return progress::refused;
}

bool request_reader::take_continue() noexcept {
  // A client that has begun to send the body does not wait.
  bool const is_due = continue_is_due_ && !has_more() && body_received_ == 0 && body_.empty();
  continue_is_due_ = false;
  return is_due;
}

void request_reader::consume() {
  stage_ = stage::between;
  empty_lines_ = 0;
  parser_.restart();
  head_.clear();
  head_end_ = 0;
  chunks_.restart();
  body_received_ = 0;
  body_.clear();
  if (body_.capacity() > body_bytes_initial) body_.shrink_to_fit();
  if (begin_ == end_) release_buffers();
}

/// An idle connection keeps no input buffer.
void request_reader::release_buffers() noexcept {
  begin_ = end_ = 0;
  if (buffer_ && shared_ && capacity_ == input_buffers::size) shared_->give_back(std::move(buffer_));
  buffer_.reset();
  capacity_ = 0;
  std::string{}.swap(body_);
}

void request_reader::move_to_front(std::size_t front) noexcept {
  if (begin_ <= front) return;
  head_.follow(unread(), buffer_.get() + front);
  std::memmove(buffer_.get() + front, buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_ - front;
  begin_ = front;
}

void request_reader::grow(std::size_t free_bytes) {
  std::size_t const capacity = std::max({input_buffers::size, capacity_ * 2, end_ + free_bytes});
  bool const is_first = shared_ && capacity == input_buffers::size;
  auto larger = is_first ? shared_->take() : std::make_unique_for_overwrite<char[]>(capacity);
  if (end_ != 0) std::memcpy(larger.get(), buffer_.get(), end_);
  head_.follow({buffer_.get(), end_}, larger.get());
  buffer_ = std::move(larger);
  capacity_ = capacity;
}

}  // namespace petstore::server::http
