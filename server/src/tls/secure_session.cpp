// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "tls/secure_session.hpp"

#include <algorithm>
#include <utility>

#include "client_address.hpp"
#include "tls/handshake_failure.hpp"

namespace petstore::server::tls {
namespace {

using namespace std::chrono_literals;
using step = session::step;

/// A client takes the last word (close_notify) within this time, or does without it.
constexpr auto farewell_time_max = 2s;
/// A handshake that is under way when the listener stops gets this long.
constexpr auto handshake_grace = 1s;
constexpr std::size_t kept_outputs_max = 64;
constexpr std::size_t kept_output_bytes_min = 512;
constexpr std::size_t kept_output_bytes_max = 160 * 1024;

constexpr std::string_view needs_https = "This port speaks HTTPS. Use https:// in the address.";

/// TLS begins with a byte that is no letter, in all its versions, and every request of HTTP with one that is.
bool begins_like_http(std::string_view bytes) noexcept {
  unsigned char const lower = static_cast<unsigned char>(bytes.front()) | 0x20U;
  return lower >= 'a' && lower <= 'z';
}

}  // namespace

secure_session::secure_session(std::array<unsigned char, 16> const& peer, session_host& host, tls::host& shared)
    : host_{host},
      tls_{shared},
      context_{shared.context},
      plain_{peer, host},
      began_{std::chrono::steady_clock::now()},
      deadline_{began_ + host.limits.header_timeout} {
  if (host_.finishing) deadline_ = std::min(deadline_, began_ + handshake_grace);  // accepted at the last moment
}

// --- what the owner of the socket tells

step secure_session::begin() {
  if (plain_.is_introducing()) phase_ = phase::introducing;
  return first_ = plain_.begin();
}

step secure_session::turn_away(std::string_view why) {
  bool const is_nameless = plain_.is_introducing();  // its proxy has not said yet who it is
  first_ = plain_.turn_away(why);
  if (!is_nameless) return step::receive;
  plain_.broken();
  return step::close;
}

std::span<char> secure_session::room() {
  return passes_bytes() ? plain_.room() : std::span<char>{arriving()};
}

step secure_session::received(std::size_t n) {
  if (passes_bytes()) return plain_.received(n);
  return take({arriving().data(), n});
}

/// Without the client having said so first: HTTP itself tells where a message ends, so nothing is cut off unnoticed.
step secure_session::ended() {
  if (phase_ == phase::encrypted) return proceed(plain_.ended());
  return phase_ == phase::shaking_hands ? break_off() : plain_.ended();
}

step secure_session::given_up() {
  if (phase_ == phase::encrypted) return proceed(plain_.given_up());
  return phase_ == phase::shaking_hands ? break_off() : plain_.given_up();
}

step secure_session::identified(connection_budget::verdict v) {
  auto const rest = plain_.take_rest();
  first_ = plain_.identified(v);
  phase_ = phase::shaking_hands;
  deadline_ = std::chrono::steady_clock::now() + host_.limits.header_timeout;
  return rest.empty() ? step::receive : take(rest);
}

std::string_view secure_session::unsent() const noexcept {
  return is_flushing_ ? std::string_view{channel_->output()}.substr(flushed_) : plain_.unsent();
}

step secure_session::sent(std::size_t n) {
  if (!is_flushing_) return plain_.sent(n);
  flushed_ += n;
  if (flushed_ < channel_->output().size()) return step::send;
  flushed_ = 0;
  is_flushing_ = false;
  tls_.give_back(channel_->output());
  return go_on();
}

// --- from what comes, and what the session wants, to what is to be done

step secure_session::take(std::string_view bytes) {
  if (std::exchange(is_first_, false)) {
    if (begins_like_http(bytes)) return refuse_plain_text();
    if (!may_shake_hands()) return step::close;
    channel_.emplace(context_->begin());
  }
  channel_->feed(bytes);
  auto const next = phase_ == phase::shaking_hands ? shake_hands() : proceed(step::receive);
  channel_->keep_input();  // as soon as this returns, others read into the same memory
  return next;
}

bool secure_session::may_shake_hands() {
  using enum handshake_budget::verdict;
  auto const v = tls_.handshakes ? tls_.handshakes->begin(peer(), limits::now(), handshake_) : granted;
  if (v == granted) return true;
  is_counted_ = true;
  host_.count(v == too_many ? parting::handshakes_spent : parting::handshakes_under_way);
  return false;
}

/// Until it is the client's turn; and when it is done, at once with what came behind its last message.
step secure_session::shake_hands() {
  switch (channel_->shake_hands()) {
    case channel::progress::needs_bytes: return flush(step::receive);
    case channel::progress::moved: break;
    default: count_failure(classify(channel_->failure_code())); return report_failure("tls_handshake_failed");
  }
  phase_ = phase::encrypted;
  count_handshake();
  return proceed(first_ == step::receive ? plain_.begin_late() : first_);
}

step secure_session::proceed(step next) {
  for (;;) {
    switch (next) {
      case step::receive: {
        if (!channel_->has_input()) return flush(step::receive);
        std::size_t n = 0;
        switch (channel_->decrypt(plain_.room(), n)) {
          case channel::progress::moved: next = plain_.received(n); break;
          case channel::progress::ended: next = plain_.ended(); break;
          case channel::progress::needs_bytes: return flush(step::receive);
          case channel::progress::failed: return report_failure("tls_failed");
        }
        break;
      }
      case step::send:
        if (plain_.unsent().empty()) {  // a part of a stream that has nothing in it
          next = plain_.sent(0);
          break;
        }
        tls_.lend(channel_->output());
        encrypted_ = channel_->encrypt(plain_.unsent());
        return encrypted_ != 0 ? flush(step::send) : report_failure("tls_failed");
      case step::shut_down:
      case step::close: channel_->say_end(); return flush(next);
      case step::wait:  // what there is to send goes with the answer
      case step::identify: return next;
    }
  }
}

/// First what the channel has to say, then that.
step secure_session::flush(step then) {
  next_ = then;
  if (channel_->output().empty()) return go_on();
  is_flushing_ = true;
  if (phase_ == phase::encrypted && then != step::send) {
    auto const patience = then == step::close ? farewell_time_max : host_.limits.write_timeout;
    deadline_ = std::chrono::steady_clock::now() + patience;
  }
  return step::send;
}

/// The output is empty.
step secure_session::go_on() {
  switch (next_) {
    case step::send: return proceed(plain_.sent(std::exchange(encrypted_, 0)));
    case step::receive: {
      bool const was_told_to_finish = host_.finishing && phase_ == phase::encrypted;
      return was_told_to_finish && plain_.finish() ? proceed(step::close) : step::receive;
    }
    case step::shut_down: phase_ = phase::open; return step::shut_down;
    default: return next_;
  }
}

/// Said in the clear, since it could not be read otherwise.
step secure_session::refuse_plain_text() {
  phase_ = phase::open;
  count_failure(handshake_failure::plain_text);
  return first_ == step::receive ? plain_.turn_away(errc::malformed_http, needs_https) : first_;
}

/// The client learns why, if TLS has a word for it; the connection ends as after a last answer, so that it arrives.
step secure_session::report_failure(std::string_view event) {
  if (host_.log) host_.log(severity::info, event, to_text(peer()) + ": " + channel_->failure(), {});
  plain_.broken();
  return flush(step::shut_down);
}

step secure_session::break_off() noexcept {
  broken();
  return step::close;
}

void secure_session::broken() noexcept {
  count_unfinished();
  plain_.broken();
}

void secure_session::lost(std::string_view why) noexcept {
  if (phase_ == phase::shaking_hands) count_failure(handshake_failure::other);
  plain_.lost(why);
}

// --- what is counted

void secure_session::count_handshake() noexcept {
  using enum handshake;
  is_counted_ = true;
  handshake_.reset();
  if (!host_.counters) return;
  bool const is_resumed = channel_->is_resumed();
  host_.counters->count_handshake(channel_->speaks_1_3() ? (is_resumed ? resumed_1_3 : full_1_3)
                                                         : (is_resumed ? resumed_1_2 : full_1_2));
}

void secure_session::count_failure(handshake_failure f) noexcept {
  handshake_.reset();
  if (!std::exchange(is_counted_, true) && host_.counters) host_.counters->count_handshake_failure(f);
}

/// Of a connection that ends: whose time was over, or who left.
void secure_session::count_unfinished() noexcept {
  using enum handshake_failure;
  if (phase_ != phase::shaking_hands) return;
  count_failure(std::chrono::steady_clock::now() >= deadline_ ? timeout : closed);
}

// --- what the listener asks

steady_time secure_session::deadline() const noexcept {
  bool const is_ours = phase_ == phase::shaking_hands || (is_flushing_ && next_ != step::send);
  return is_ours ? deadline_ : plain_.deadline();
}

bool secure_session::is_idle() const noexcept {
  return !is_flushing_ && (phase_ == phase::shaking_hands || plain_.is_idle());
}

bool secure_session::is_receiving() const noexcept {
  return !is_flushing_ && (phase_ == phase::shaking_hands || plain_.is_receiving());
}

bool secure_session::is_sending() const noexcept {
  return is_flushing_ || (phase_ != phase::shaking_hands && plain_.is_sending());
}

steady_time secure_session::waiting_since() const noexcept {
  if (is_flushing_) return steady_time::max();
  return phase_ == phase::shaking_hands ? began_ : plain_.waiting_since();
}

connection_state secure_session::state() const noexcept {
  if (is_flushing_) return connection_state::sending;
  return phase_ == phase::shaking_hands ? connection_state::receiving : plain_.state();
}

bool secure_session::finish() noexcept {
  if (is_flushing_) return false;
  if (phase_ != phase::shaking_hands) return plain_.finish();
  deadline_ = std::min(deadline_, std::chrono::steady_clock::now() + handshake_grace);
  return false;
}

void host::lend(std::string& output) {
  if (output.capacity() >= kept_output_bytes_min || free_outputs.empty()) return;
  auto lent = std::move(free_outputs.back());
  free_outputs.pop_back();
  lent.assign(output);
  output.swap(lent);
}

void host::give_back(std::string& output) {
  std::string empty;
  output.swap(empty);
  if (empty.capacity() > kept_output_bytes_max || empty.capacity() < kept_output_bytes_min) return;
  if (free_outputs.size() == kept_outputs_max) return;
  empty.clear();
  free_outputs.push_back(std::move(empty));
}

}  // namespace petstore::server::tls
