// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/session.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <ctime>
#include <utility>

#include "petstore/server/mount.hpp"

namespace petstore::server::http {
namespace {

using namespace std::chrono_literals;

/// Answers to pipelined requests are sent together, up to about this many bytes.
constexpr std::size_t batch_bytes_max = 64 * 1024;

constexpr std::size_t pooled_buffers_max = 64;
constexpr std::size_t pooled_bytes_max = 256 * 1024;

/// Whether the client may send a body that this head does not announce: some clients do after a POST.
bool may_send_unannounced_body(head const& h) noexcept {
  bool const is_announced = h.chunked || h.known.count(known_field::content_length) != 0;
  switch (h.request.method) {
    case method::get:
    case method::head:
    case method::delete_:
    case method::options: return false;
    default: return !is_announced;
  }
}

}  // namespace

session::session(raw_address const& peer, http_state& shared)
    : shared_{shared}, peer_{peer}, reader_{shared.limits, &shared.inputs} {
  begin();
}

/// The memory of answers that clients did not read is freed: many clients could leave at once.
session::~session() {
  if (!buffers_ || !unsent().empty()) return;
  buffers_->bytes.clear();
  buffers_->answer.clear();  // a stream ends with its connection
  shared_.answers.give_back(std::move(buffers_));
}

void session::begin() noexcept {
  now_ = head_began_ = std::chrono::steady_clock::now();
}

void session::received(std::size_t n) {
  now_ = std::chrono::steady_clock::now();
  if (is_between()) head_began_ = now_;
  is_fresh_ = false;
  reader_.commit(n);
}

bool session::next_request() {
  using progress = request_reader::progress;
  if (answer_bytes_ != 0) return false;  // `unsent` ends with an unrecorded answer
  switch (reader_.advance()) {
    case progress::request: prepare_request(); return true;
    case progress::refused: refuse(reader_.refusal()); return false;
    case progress::needs_bytes: break;
  }
  if (reader_.take_continue()) buffers().bytes.append(continue_answer);
  if (buffers_ && buffers_->bytes.empty()) shared_.answers.give_back(std::move(buffers_));
  return false;
}

/// Adds to the parsed request what only the connection knows.
void session::prepare_request() {
  auto& req = reader_.request();
  req.peer = peer_;
  req.request_id = find_request_id(req);
  if (req.request_id.empty()) {
    own_id_ = shared_.ids.next();
    req.request_id = {own_id_.data(), own_id_.size()};
  }
  auto& b = buffers();
  b.answer.clear();
  b.read = now_ - head_began_;
}

asio::awaitable<void> session::handle() {
  mount_ = nullptr;
  is_cancelled_ = false;
  try {
    auto work = shared_.handler.handle(reader_.request(), buffers_->answer);
    mount_ = buffers_->answer.notes.mount;
    if (work.valid()) return mount_ ? std::move(work) : await_work(std::move(work));
    if (mount_) note_handling();
  } catch (...) {
    fail(std::current_exception());
  }
  return {};
}

asio::awaitable<void> session::await_work(asio::awaitable<void> work) {
  try {
    co_await std::move(work);
    if (is_left_behind_) co_return;
  } catch (...) {
    fail(std::current_exception());
  }
  note_handling();
}

void session::note_handling() noexcept {
  now_ = std::chrono::steady_clock::now();
  auto& notes = buffers_->answer.notes;
  if (notes.handling.count() == 0) notes.handling = now_ - head_began_ - buffers_->read;  // the handler did not set it
}

void session::write_answer(bool has_unread) {
  auto const persistence = choose_persistence(has_unread);
  append_answer(persistence);
  auto& answer = buffers_->answer;
  is_streaming_ = answer.stream != nullptr;
  bool const has_no_body = reader_.request().method == method::head || !has_body(answer.status);
  if (is_streaming_ && has_no_body) answer.stream.reset();
  is_last_ = persistence == persistence::close;

  bool const is_last_of_batch = !reader_.has_more() || buffers_->bytes.size() >= batch_bytes_max;
  if (is_last_of_batch || is_last_) return;
  if (shared_.access_log) now_ = std::chrono::steady_clock::now();
  record_answer(0, now_);
  reader_.consume();
  head_began_ = now_;
}

asio::awaitable<void> session::next_part() {
  // Other connections get their turn between two parts, even if the next part is ready at once.
  co_await asio::post(asio::use_awaitable);
  has_next_part_ = co_await buffers_->answer.stream->next(buffers_->bytes);
}

asio::awaitable<void> session::write_part(asio::awaitable<void> next) {
  auto& b = *buffers_;
  try {
    co_await std::move(next);
    if (is_left_behind_) co_return;
    if (!has_next_part_ || shared_.finishing) b.answer.stream.reset();
  } catch (...) {
    fail(std::current_exception());
  }
  now_ = std::chrono::steady_clock::now();
  answer_bytes_ += b.bytes.size();
  if (b.bytes.empty()) sent(0);
}

void session::refuse(refusal const& no) {
  prepare_request();
  write_refusal(no);
  append_answer(persistence::close);
  is_last_ = true;
}

/// The request's handler threw: answers 500, unless an answer is being sent already.
void session::fail(std::exception_ptr thrown) {
  if (!is_cancelled_) report_failure(std::move(thrown));
  if (is_streaming_) return buffers_->answer.stream.reset();
  write_refusal({is_cancelled_ ? errc::unavailable : errc::internal, {}});
}

void session::report_failure(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (std::exception const& e) {
    report("handler_failed", e.what());
  } catch (...) {
    report("handler_failed", "an exception of unknown type");
  }
}

void session::leave() noexcept {
  is_left_behind_ = true;
  try {
    report("mount_left_behind", mount_->path);
  } catch (...) {  // a host's log
  }
}

/// The last resort must not throw: if the handler cannot refuse either, the answer has no body.
void session::write_refusal(refusal const& no) {
  auto& answer = buffers_->answer;
  answer.clear();
  try {
    shared_.handler.refuse(no.code, no.message, reader_.request(), answer);
  } catch (std::exception const& e) {
    report("refusal_failed", e.what());
    answer.clear();
    answer.status = describe(no.code).status;
  }
}

void session::append_answer(persistence persistence) {
  auto const& req = reader_.request();
  auto& b = *buffers_;
  auto const now = std::chrono::system_clock::from_time_t(std::time(nullptr));  // costs a sixth of now()
  answer_frame const frame{shared_.date.at(now), req.request_id, persistence, req.method == method::head};
  std::size_t const bytes_before = b.bytes.size();
  http::append_answer(b.bytes, b.answer, frame);
  answer_bytes_ = b.bytes.size() - bytes_before;
}

/// A listener that closes still answers every request that has arrived or has begun to arrive.
persistence session::choose_persistence(bool has_unread) {
  auto const& head = reader_.head();
  bool const is_last = buffers_->answer.close || buffers_->answer.stream || !head.keep_alive ||
                       head.request.body_too_large ||
                       (shared_.is_closing() ? !reader_.has_more() && !has_unread : shed_if_surplus());
  if (is_last) return persistence::close;
  return head.request.http_1_0 ? persistence::keep_and_say : persistence::keep;
}

/// Whether this connection is one too many, and closes with this answer; counts it then.
bool session::shed_if_surplus() noexcept {
  if (!shared_.surplus.must_close()) return false;
  shared_.count(shed_reason::behind);
  return true;
}

bool session::client_is_done() const noexcept {
  auto const& head = reader_.head();
  bool const is_whole = reader_.where() == request_reader::stage::done && !head.request.body_too_large;
  return is_whole && !head.keep_alive && !reader_.has_more() && !may_send_unannounced_body(head);
}

std::string_view session::unsent() const noexcept {
  return buffers_ ? std::string_view{buffers_->bytes}.substr(sent_) : std::string_view{};
}

void session::sent(std::size_t n) {
  sent_ += n;
  if (!unsent().empty()) return;
  now_ = std::chrono::steady_clock::now();
  buffers_->bytes.clear();
  sent_ = 0;
  bool const has_unrecorded_answer = answer_bytes_ != 0;  // not after a 100 (Continue), or a batch recorded before
  if (!has_unrecorded_answer || has_parts()) return;
  record_answer(0, now_);
  if (is_last_) return;
  reader_.consume();
  head_began_ = now_;
}

void session::stalled() noexcept {
  if (buffers_) std::string{}.swap(buffers_->answer.body);
}

void session::record_unsent() noexcept {
  if (answer_bytes_ != 0) record_answer(unsent().size(), std::chrono::steady_clock::now());
}

void session::record_answer(std::size_t unsent, steady_time ended) {
  std::size_t const bytes = std::exchange(answer_bytes_, 0);
  if (!shared_.access_log) return;
  access_record const record{reader_.head().request,          buffers_->answer, now_ - head_began_,
                             bytes - std::min(bytes, unsent), buffers_->read,   ended};
  shared_.access_log(record);
}

steady_time session::receive_deadline() const noexcept {
  using stage = request_reader::stage;
  auto const& limits = shared_.limits;
  switch (reader_.where()) {
    case stage::between: {
      auto const patience = limits.idle_timeout;
      return deadline_after(shared_.finishing ? std::min(patience, fresh_grace) : patience, now_);
    }
    case stage::head: return deadline_after(std::min(limits.header_timeout, limits.request_timeout), head_began_);
    default: return deadline_after(limits.request_timeout, head_began_);
  }
}

answer_buffers& session::buffers() {
  if (!buffers_) buffers_ = shared_.answers.take();
  return *buffers_;
}

void session::report(std::string_view event, std::string_view detail) {
  if (shared_.log) shared_.log(severity::error, event, detail, log_origin{reader_.request()});
}

answer_pool::answer_pool() {
  free_.reserve(pooled_buffers_max);
}

std::unique_ptr<answer_buffers> answer_pool::take() {
  if (free_.empty()) return std::make_unique<answer_buffers>();
  auto b = std::move(free_.back());
  free_.pop_back();
  return b;
}

void answer_pool::give_back(std::unique_ptr<answer_buffers> b) noexcept {
  bool const is_large =
      b->bytes.capacity() + b->answer.body.capacity() + b->answer.fields.capacity() > pooled_bytes_max;
  if (free_.size() == pooled_buffers_max || is_large) return;
  free_.push_back(std::move(b));
}

}  // namespace petstore::server::http
