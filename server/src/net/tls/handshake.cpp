// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/handshake.hpp"

#include <utility>

#include "net/tls/client_hello.hpp"
#include "net/tls/handshake_failure.hpp"
#include "petstore/limits/instant.hpp"

namespace petstore::server::tls {
namespace {

using net::status;

/// TLS begins with a byte that is no letter, in all its versions, and every HTTP request with a letter.
bool begins_like_http(std::string_view bytes) noexcept {
  unsigned char const lower = static_cast<unsigned char>(bytes.front()) | 0x20U;
  return lower >= 'a' && lower <= 'z';
}

}  // namespace

handshake::handshake(net::listener_state& shared, listener_tls& tls, net::socket_stream& socket,
                     handshake_budget::address const& client)
    : shared_{shared}, tls_{tls}, socket_{socket}, client_{client} {}

handshake::progress handshake::advance(std::string_view arrived) {
  if (!arrived.empty()) {
    if (auto const made = look_at(arrived); made != progress::blocked) return made;
  }
  for (;;) {
    if (auto const sent = stream_ ? stream_->flush() : status::moved; sent != status::moved)
      return sent == status::blocked ? progress::blocked : progress::ended;
    auto const read = socket_.read(tls_.arriving);
    if (read.status != status::moved) return read.status == status::blocked ? progress::blocked : progress::ended;
    if (auto const made = look_at({tls_.arriving.data(), read.bytes}); made != progress::blocked) return made;
  }
}

/// `blocked`: more bytes are needed; there may be something to send first.
handshake::progress handshake::look_at(std::string_view arrived) {
  if (!stream_) {
    if (hello_.empty() && begins_like_http(arrived)) {
      count_failure(handshake_failure::plain_text);
      return progress::plain_text;
    }
    if (!hello_.empty()) arrived = hello_.append(arrived);
    if (!is_whole_client_hello(arrived)) {
      if (hello_.empty()) hello_ = arrived;
      return progress::blocked;
    }
    if (!may_begin()) return progress::forbidden;
    stream_ = std::make_unique<stream>(tls_, socket_);
  }
  auto const made = stream_->shake_hands(arrived);
  std::string{}.swap(hello_);
  switch (made) {
    case channel::progress::needs_bytes: return progress::blocked;
    case channel::progress::moved: count_complete(); return progress::complete;
    default: count_failure(classify(stream_->engine().failure_code())); return progress::failed;
  }
}

bool handshake::may_begin() {
  using enum handshake_budget::admission;
  auto const v = tls_.handshakes ? tls_.handshakes->begin(client_, limits::now(), under_way_) : granted;
  if (v == granted) return true;
  is_counted_ = true;
  shared_.count(v == too_many ? refusal_reason::handshakes_spent : refusal_reason::handshakes_under_way);
  return false;
}

void handshake::count_complete() noexcept {
  using enum server::handshake;
  is_counted_ = true;
  under_way_.reset();
  if (!shared_.counters) return;
  bool const is_resumed = stream_->engine().is_resumed();
  shared_.counters->count(stream_->engine().speaks_1_3() ? (is_resumed ? resumed_1_3 : full_1_3)
                                                         : (is_resumed ? resumed_1_2 : full_1_2));
}

void handshake::count_failure(handshake_failure f) noexcept {
  under_way_.reset();
  if (!std::exchange(is_counted_, true) && shared_.counters) shared_.counters->count(f);
}

}  // namespace petstore::server::tls
