// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "session.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

namespace petstore::server {
namespace {

using boost::system::error_code;
using namespace std::chrono_literals;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr steady_time never = steady_time::max();

/// Answers to pipelined requests are sent together up to about this much.
constexpr std::size_t batch_bytes_max = 64 * 1024;
/// How long and how much the client may go on sending after the last answer, so that it gets to read it: closing a
/// socket with unread bytes makes the kernel reset the connection, and the client's kernel throw the answer away.
constexpr auto linger_time_max = 2s;
constexpr std::size_t linger_bytes_max = 1024 * 1024;
/// A connection that was accepted just before the listener stopped gets this long to send its request.
constexpr auto fresh_grace = 250ms;

constexpr std::size_t pooled_buffers_max = 64;
constexpr std::size_t pooled_bytes_max = 256 * 1024;

std::array<unsigned char, 16> to_bytes(asio::ip::address const& a) {
  if (a.is_v6()) return a.to_v6().to_bytes();
  return asio::ip::make_address_v6(asio::ip::v4_mapped, a.to_v4()).to_bytes();
}

}  // namespace

session::session(asio::ip::tcp::socket socket, asio::ip::tcp::endpoint const& peer, session_host& host)
    : socket_{std::move(socket)},
      host_{host},
      peer_{to_bytes(peer.address())},
      reader_{host.limits},
      now_{std::chrono::steady_clock::now()},
      head_began_{now_},
      deadline_{never} {}

asio::awaitable<void> session::run() {
  using progress = http1::request_reader::progress;
  while (ending_ == ending::none) {
    switch (reader_.advance()) {
      case progress::needs_bytes: co_await receive(); break;
      case progress::request: co_await answer_request(); break;
      case progress::refused: co_await answer_refusal(reader_.refusal()); break;
    }
  }
  if (ending_ == ending::lingering) co_await linger();
  abort();
}

asio::awaitable<void> session::receive() {
  if (reader_.take_continue()) buffers().bytes.append(http1::continue_answer);
  if (buffers_) {
    if (!buffers_->bytes.empty() && co_await send() != 0) co_return;
    host_.answers.give_back(std::move(buffers_));
  }

  using stage = http1::request_reader::stage;
  bool const is_between = reader_.where() == stage::between;
  wait_for_client();
  auto const room = reader_.prepare();
  auto const [ec, n] = co_await socket_.async_read_some(asio::buffer(room.data(), room.size()), as_result);
  deadline_ = never;
  now_ = std::chrono::steady_clock::now();
  if (is_timed_out_) {
    http1::refusal const too_slow{errc::request_timeout, {}};
    co_await answer_refusal(too_slow);
  } else if (!ec) {
    reader_.commit(n);
    is_fresh_ = false;
    if (is_between) head_began_ = now_;
  } else if (ec == asio::error::eof && !is_between) {
    http1::refusal const cut_short{errc::malformed_http, "The connection ended within a request."};
    co_await answer_refusal(cut_short);
  } else if (ec != asio::error::operation_aborted || !has_unread()) {
    ending_ = ending::at_once;
  }
}

asio::awaitable<void> session::answer_request() {
  prepare_request();
  auto const& req = reader_.request();
  auto& b = buffers();
  phase_ = phase::handling;
  bool is_handled = false;
  try {
    co_await host_.handler.handle(req, b.answer);
    is_handled = true;
  } catch (std::exception const& e) {
    report("handler_failed", e.what());
  } catch (...) {
    report("handler_failed", "an exception of unknown type");
  }
  if (!is_handled) refuse(errc::internal, {});

  std::size_t const bytes_before = b.bytes.size();
  auto const persistence = choose_persistence();
  append_answer(persistence);
  std::size_t const answer_bytes = b.bytes.size() - bytes_before;
  if (persistence == http1::persistence::close) ending_ = ending::lingering;

  std::size_t unsent = 0;
  bool const is_last_of_batch = !reader_.has_more() || b.bytes.size() >= batch_bytes_max;
  if (is_last_of_batch || ending_ != ending::none) {
    unsent = co_await send();
  } else {
    now_ = std::chrono::steady_clock::now();
  }
  record_answer(answer_bytes, unsent);
  reader_.consume();
  head_began_ = now_;
}

asio::awaitable<void> session::answer_refusal(http1::refusal no) {
  prepare_request();
  refuse(no.code, no.message);
  auto& b = buffers();
  std::size_t const bytes_before = b.bytes.size();
  append_answer(http1::persistence::close);
  std::size_t const answer_bytes = b.bytes.size() - bytes_before;
  ending_ = ending::lingering;
  std::size_t const unsent = co_await send();
  record_answer(answer_bytes, unsent);
}

asio::awaitable<void> session::turn_away() {
  http1::refusal const full{errc::unavailable, "There are too many connections."};
  co_await answer_refusal(full);
  if (ending_ == ending::lingering) co_await linger();
  abort();
}

void session::turn_away_at_once() {
  prepare_request();
  refuse(errc::unavailable, "There are too many connections.");
  append_answer(http1::persistence::close);
  // Whatever fails here, the connection ends: the buffer of a new socket takes an answer whole.
  error_code ignored;
  socket_.non_blocking(true, ignored);
  std::size_t const sent = socket_.send(asio::buffer(buffers_->bytes), 0, ignored);
  record_answer(buffers_->bytes.size(), buffers_->bytes.size() - sent);
  std::array<char, 4096> unread;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  socket_.receive(asio::buffer(unread), 0, ignored);
  abort();
}

/// Sends all that is written. What could not be sent is lost, and the connection with it; how much that was is
/// returned.
asio::awaitable<std::size_t> session::send() {
  phase_ = phase::sending;
  deadline_ = std::chrono::steady_clock::now() + host_.limits.write_timeout;
  auto& bytes = buffers_->bytes;
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    auto const rest = asio::buffer(bytes) + sent;
    auto const [ec, n] = co_await socket_.async_send(rest, as_result);
    sent += n;
    if (ec) {
      ending_ = ending::at_once;
      break;
    }
  }
  deadline_ = never;
  now_ = std::chrono::steady_clock::now();
  std::size_t const unsent = bytes.size() - sent;
  bytes.clear();
  co_return unsent;
}

asio::awaitable<void> session::linger() {
  error_code ec;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ec);
  phase_ = phase::lingering;
  deadline_ = now_ + linger_time_max;
  std::array<char, 1024> unread;
  for (std::size_t total = 0; !ec && total < linger_bytes_max;) {
    auto const [fault, n] = co_await socket_.async_read_some(asio::buffer(unread), as_result);
    ec = fault;
    total += n;
  }
  deadline_ = never;
}

void session::wait_for_client() noexcept {
  phase_ = phase::receiving;
  auto const& limits = host_.limits;
  auto patience = limits.idle_timeout;
  if (host_.finishing) patience = std::min<std::chrono::milliseconds>(patience, fresh_grace);
  switch (reader_.where()) {
    case http1::request_reader::stage::between: deadline_ = now_ + patience; break;
    case http1::request_reader::stage::head:
      deadline_ = head_began_ + std::min(limits.header_timeout, limits.request_timeout);
      break;
    default: deadline_ = head_began_ + limits.request_timeout;
  }
}

void session::check_deadline(steady_time now) {
  if (now < deadline_) return;
  deadline_ = never;
  if (phase_ != phase::receiving) return abort();
  is_timed_out_ = reader_.where() != http1::request_reader::stage::between;
  stop_waiting();
}

void session::finish() {
  bool const is_idle = phase_ == phase::receiving && reader_.where() == http1::request_reader::stage::between;
  if (!is_idle) return;
  if (is_fresh_) {
    deadline_ = std::min(deadline_, std::chrono::steady_clock::now() + fresh_grace);
  } else {
    stop_waiting();
  }
}

/// Cancelling, unlike closing, loses nothing that has been read already and is on its way to the coroutine.
void session::stop_waiting() {
  error_code ignored;
  socket_.cancel(ignored);
}

bool session::has_unread() const {
  error_code closed;
  return socket_.available(closed) > 0;
}

void session::abort() {
  error_code ignored;
  socket_.close(ignored);
}

/// Completes what the reader knows of a request by what the connection knows.
void session::prepare_request() {
  auto& req = reader_.request();
  req.peer = peer_;
  req.request_id = http1::find_request_id(req);
  if (req.request_id.empty()) {
    own_id_ = host_.ids.next();
    req.request_id = {own_id_.data(), own_id_.size()};
  }
  buffers().answer.clear();
}

/// The last resort must not throw: a handler that cannot even refuse leaves an answer without a body.
void session::refuse(errc code, std::string_view message) {
  auto& answer = buffers().answer;
  answer.clear();
  try {
    host_.handler.refuse(code, message, reader_.request(), answer);
  } catch (std::exception const& e) {
    report("refusal_failed", e.what());
    answer.clear();
    answer.status = describe(code).status;
  }
}

void session::append_answer(http1::persistence persistence) {
  auto const& req = reader_.request();
  auto& b = buffers();
  http1::answer_frame const frame{host_.date.at(std::chrono::system_clock::now()), req.request_id, persistence,
                                  req.method == method::head};
  http1::append_answer(b.bytes, b.answer, frame);
}

http1::persistence session::choose_persistence() const {
  auto const& head = reader_.head();
  bool const is_last = buffers_->answer.close || !head.keep_alive || head.request.body_too_large || host_.closing;
  if (is_last) return http1::persistence::close;
  return head.request.http_1_0 ? http1::persistence::keep_and_say : http1::persistence::keep;
}

void session::record_answer(std::size_t bytes, std::size_t unsent) const {
  if (!host_.access_log) return;
  access_record const record{reader_.head().request, buffers_->answer, now_ - head_began_,
                             bytes - std::min(bytes, unsent)};
  host_.access_log(record);
}

answer_buffers& session::buffers() {
  if (!buffers_) buffers_ = host_.answers.take();
  return *buffers_;
}

void session::report(std::string_view event, std::string_view detail) {
  if (host_.log) host_.log(severity::error, event, detail, reader_.request().request_id);
}

std::unique_ptr<answer_buffers> answer_pool::take() {
  if (free_.empty()) return std::make_unique<answer_buffers>();
  auto b = std::move(free_.back());
  free_.pop_back();
  return b;
}

void answer_pool::give_back(std::unique_ptr<answer_buffers> b) {
  bool const is_large =
      b->bytes.capacity() + b->answer.body.capacity() + b->answer.fields.capacity() > pooled_bytes_max;
  if (free_.size() == pooled_buffers_max || is_large) return;
  free_.push_back(std::move(b));
}

}  // namespace petstore::server
