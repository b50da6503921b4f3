// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "session.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstring>
#include <ctime>
#include <exception>
#include <utility>

#include "proxy_header.hpp"

namespace petstore::server {
namespace {

using namespace std::chrono_literals;

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

/// What is read together with a proxy header fits into the reader's first buffer.
static_assert(proxy_header_bytes_max < http1::input_buffers::size);

}  // namespace

session::session(std::array<unsigned char, 16> const& peer, session_host& host)
    : host_{host},
      peer_{peer},
      reader_{host.limits, &host.inputs},
      now_{std::chrono::steady_clock::now()},
      head_began_{now_},
      deadline_{now_ + host.limits.idle_timeout} {
  if (!host.expects_proxy_header) return;
  phase_ = phase::introducing;
  deadline_ = now_ + host.limits.header_timeout;
}

session::step session::turn_away(std::string_view why) {
  return turn_away(errc::unavailable, why);
}

session::step session::turn_away(errc code, std::string_view why) {
  return answer_refusal({code, why});
}

session::step session::begin_late() {
  now_ = head_began_ = std::chrono::steady_clock::now();
  return wait_for_client();
}

// --- what the owner of the socket tells

std::span<char> session::room() {
  if (phase_ == phase::lingering) return host_.unread;
  if (phase_ != phase::introducing) return reader_.prepare();
  if (!introduction_) introduction_ = host_.inputs.take();
  return {introduction_.get() + introduction_bytes_, http1::input_buffers::size - introduction_bytes_};
}

session::step session::received(std::size_t n) {
  now_ = std::chrono::steady_clock::now();
  if (phase_ == phase::lingering) {
    lingered_ += n;
    return lingered_ < linger_bytes_max ? step::receive : step::close;
  }
  if (phase_ == phase::introducing) return read_proxy_header(n);
  if (is_between()) head_began_ = now_;
  is_fresh_ = false;
  reader_.commit(n);
  return advance();
}

session::step session::ended() {
  if (phase_ == phase::lingering || is_between()) return step::close;
  return answer_refusal({errc::malformed_http, "The connection ended within a request."});
}

session::step session::given_up() {
  if (phase_ == phase::lingering || is_between()) return step::close;
  return answer_refusal({errc::request_timeout, {}});
}

session::step session::sent(std::size_t n) {
  sent_ += n;
  if (!unsent().empty()) return step::send;
  now_ = std::chrono::steady_clock::now();
  buffers_->bytes.clear();
  sent_ = 0;
  if (is_streaming_ && buffers_->answer.stream) return wait_for_part();
  bool const is_answer = answer_bytes_ != 0;  // or the interim one
  if (is_answer) record_answer(0);
  if (is_last_) return step::shut_down;
  if (is_answer) {
    reader_.consume();
    head_began_ = now_;
  }
  return advance();
}

void session::stalled() noexcept {
  if (buffers_) std::string{}.swap(buffers_->answer.body);
}

session::step session::is_shut_down() {
  phase_ = phase::lingering;
  now_ = std::chrono::steady_clock::now();
  deadline_ = now_ + linger_time_max;
  return step::receive;
}

void session::broken() noexcept {
  if (answer_bytes_ != 0) record_answer(unsent().size());
}

void session::lost(std::string_view why) noexcept {
  try {
    if (host_.log) host_.log(severity::error, "session_failed", why, {});
  } catch (...) {  // it may be the log that failed
  }
}

steady_time session::waiting_since() const noexcept {
  if (!is_receiving()) return never;
  return is_between() ? now_ : head_began_;
}

connection_state session::state() const noexcept {
  switch (phase_) {
    case phase::introducing: return connection_state::receiving;
    case phase::receiving: return is_between() ? connection_state::idle : connection_state::receiving;
    case phase::handling: return connection_state::handling;
    case phase::sending: return connection_state::sending;
    case phase::lingering: break;
  }
  return connection_state::closing;
}

bool session::finish() noexcept {
  if (!is_idle()) return false;
  if (!is_fresh_) return true;
  deadline_ = std::min(deadline_, std::chrono::steady_clock::now() + fresh_grace);
  return false;
}

// --- from the bytes to the next step

session::step session::read_proxy_header(std::size_t n) {
  introduction_bytes_ += n;
  auto const header = parse_proxy_header({introduction_.get(), introduction_bytes_});
  switch (header.state) {
    case proxy_header::progress::unfinished: return step::receive;
    case proxy_header::progress::malformed:
      if (host_.log)
        host_.log(severity::warning, "proxy_header_refused", to_text(peer_) + " sent no PROXY header, or a broken one",
                  {});
      return step::close;
    case proxy_header::progress::complete: break;
  }
  introduction_read_ = header.size;
  if (header.client) peer_ = *header.client;
  return step::identify;
}

std::string session::take_rest() {
  std::string rest(introduction_.get() + introduction_read_, introduction_bytes_ - introduction_read_);
  introduction_bytes_ = introduction_read_;
  return rest;
}

session::step session::identified(connection_budget::verdict v) {
  if (v == connection_budget::verdict::granted) return begin_requests();
  host_.inputs.give_back(std::move(introduction_));
  return turn_away(reason_for(v));
}

/// With what has arrived behind the proxy header.
session::step session::begin_requests() {
  auto introduction = std::move(introduction_);
  std::size_t const rest = introduction_bytes_ - introduction_read_;
  phase_ = phase::receiving;
  if (rest != 0) std::memcpy(reader_.prepare().data(), introduction.get() + introduction_read_, rest);
  host_.inputs.give_back(std::move(introduction));
  return rest == 0 ? wait_for_client() : received(rest);
}

session::step session::advance() {
  using progress = http1::request_reader::progress;
  for (;;) {
    switch (reader_.advance()) {
      case progress::needs_bytes: return wait_for_client();
      case progress::refused: return answer_refusal(reader_.refusal());
      case progress::request: break;
    }
    if (auto const next = answer_request()) return *next;
  }
}

session::step session::wait_for_client() {
  if (reader_.take_continue()) buffers().bytes.append(http1::continue_answer);
  if (buffers_ && !buffers_->bytes.empty()) return begin_to_send();
  if (buffers_) host_.answers.give_back(std::move(buffers_));

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
  return step::receive;
}

/// The next step, or nothing when the next request can be looked at right away.
std::optional<session::step> session::answer_request() {
  prepare_request();
  phase_ = phase::handling;
  deadline_ = never;
  try {
    auto handling = host_.handler.handle(reader_.request(), buffers_->answer);
    if (handling.valid()) {
      work_.emplace(std::move(handling));
      return step::wait;
    }
  } catch (std::exception const& e) {
    fail(e.what());
  } catch (...) {
    fail("an exception of unknown type");
  }
  return finish_answer();
}

asio::awaitable<void> session::work() {
  auto handling = std::move(*work_);
  work_.reset();
  try {
    co_await std::move(handling);
  } catch (std::exception const& e) {
    fail(e.what());
  } catch (...) {
    fail("an exception of unknown type");
  }
}

session::step session::worked() {
  now_ = std::chrono::steady_clock::now();
  if (is_streaming_) {
    answer_bytes_ += buffers_->bytes.size();
    return begin_to_send();
  }
  auto& notes = buffers_->answer.notes;
  if (notes.handling.count() == 0)
    notes.handling = now_ - head_began_ - buffers_->read;  // a handler that keeps no time
  auto const next = finish_answer();
  return next ? *next : advance();
}

/// Of a body in parts, once the head and the parts before it are sent.
session::step session::wait_for_part() {
  phase_ = phase::handling;
  deadline_ = never;
  work_.emplace(add_part());
  return step::wait;
}

asio::awaitable<void> session::add_part() {
  auto& b = *buffers_;
  // The others get their turn between two parts, also where a part is there at once.
  co_await asio::post(asio::use_awaitable);
  bool const goes_on = co_await b.answer.stream->next(b.bytes);
  if (!goes_on || host_.finishing) b.answer.stream.reset();
}

std::optional<session::step> session::finish_answer() {
  auto const persistence = choose_persistence();
  append_answer(persistence);
  is_streaming_ = buffers_->answer.stream != nullptr;
  if (is_streaming_ && reader_.request().method == method::head) buffers_->answer.stream.reset();
  is_last_ = persistence == http1::persistence::close;

  bool const is_last_of_batch = !reader_.has_more() || buffers_->bytes.size() >= batch_bytes_max;
  if (is_last_of_batch || is_last_) return begin_to_send();
  if (host_.access_log) now_ = std::chrono::steady_clock::now();
  record_answer(0);
  reader_.consume();
  head_began_ = now_;
  return std::nullopt;
}

session::step session::answer_refusal(http1::refusal const& no) {
  prepare_request();
  refuse(no.code, no.message);
  append_answer(http1::persistence::close);
  is_last_ = true;
  return begin_to_send();
}

session::step session::begin_to_send() noexcept {
  phase_ = phase::sending;
  deadline_ = now_ + host_.limits.write_timeout;
  return step::send;
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
  auto& b = buffers();
  b.answer.clear();
  b.read = now_ - head_began_;
}

/// The request's handler threw: ours to answer, unless it is being answered already.
void session::fail(std::string_view what) {
  report("handler_failed", what);
  if (is_streaming_) return buffers().answer.stream.reset();
  refuse(errc::internal, {});
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
  auto const now = std::chrono::system_clock::from_time_t(std::time(nullptr));  // a sixth of the price of now()
  http1::answer_frame const frame{host_.date.at(now), req.request_id, persistence, req.method == method::head};
  std::size_t const bytes_before = b.bytes.size();
  http1::append_answer(b.bytes, b.answer, frame);
  answer_bytes_ = b.bytes.size() - bytes_before;
}

http1::persistence session::choose_persistence() const {
  auto const& head = reader_.head();
  bool const is_last = buffers_->answer.close || buffers_->answer.stream || !head.keep_alive ||
                       head.request.body_too_large || host_.closing || takes_leave();
  if (is_last) return http1::persistence::close;
  return head.request.http_1_0 ? http1::persistence::keep_and_say : http1::persistence::keep;
}

bool session::takes_leave() const noexcept {
  if (!host_.surplus.takes_leave()) return false;
  host_.count(parting::behind);
  return true;
}

void session::record_answer(std::size_t unsent) {
  std::size_t const bytes = std::exchange(answer_bytes_, 0);
  if (!host_.access_log) return;
  access_record const record{reader_.head().request, buffers_->answer, now_ - head_began_,
                             bytes - std::min(bytes, unsent), buffers_->read};
  host_.access_log(record);
}

answer_buffers& session::buffers() {
  if (!buffers_) buffers_ = host_.answers.take();
  return *buffers_;
}

void session::report(std::string_view event, std::string_view detail) {
  if (host_.log) host_.log(severity::error, event, detail, log_origin{reader_.request()});
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
