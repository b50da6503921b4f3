// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.

// The steps before the first request: a PROXY header, a TLS handshake, or a 503 if there are too many connections.
#include <algorithm>
#include <string>
#include <utility>

#include "http/connection.hpp"
#include "net/address.hpp"
#include "net/proxy_header.hpp"
#include "net/tls/handshake.hpp"

namespace petstore::server::http {
namespace {

using net::status;

/// The bytes that are read together with a PROXY header fit into the first input buffer.
constexpr std::size_t arrived_bytes_max = http::input_buffers::size;
static_assert(proxy_header_bytes_max < arrived_bytes_max);

constexpr std::string_view needs_https = "This port speaks HTTPS. Use https:// in the address.";

}  // namespace

bool connection::must_introduce() const noexcept {
  return shared_.expects_proxy_header || encryption_ || !has_slot();
}

asio::awaitable<void> connection::introduce() {
  using progress = tls::handshake::progress;
  std::string arrived;
  auto shaken = progress::complete;
  if (shared_.expects_proxy_header && has_slot()) {
    arrived = co_await read_proxy_header();
  } else if (shared_.expects_proxy_header) {
    reads_no_more_ = encryption_ != nullptr;  // the client that a handshake would be charged to is unknown
  }
  bool const is_turned_away = !has_slot();
  if (is_turned_away) session_.refuse({errc::unavailable, reason_for(registration_->admission())});
  if (is_turned_away && !registration_->may_linger()) co_return refuse_at_once();
  if (encryption_ && !reads_no_more_) shaken = co_await shake_hands(arrived);
  if (reads_no_more_ || is_turned_away) co_return;

  if (shaken == progress::plain_text) {
    session_.refuse({errc::malformed_http, needs_https});
    co_return;
  }
  session_.begin();
  if (!encryption_ && !arrived.empty()) {
    std::ranges::copy(arrived, session_.buffer().begin());
    session_.received(arrived.size());
  }
}

/// Sends what can be sent at once, and closes without waiting for the client. An encrypted answer would need a
/// handshake.
void connection::refuse_at_once() {
  if (!encryption_) send();
  socket_.close();
  reads_no_more_ = true;
}

/// Returns the bytes after the header.
asio::awaitable<std::string> connection::read_proxy_header() {
  auto const limit = shared_.limits.header_timeout;
  auto const patience = shared_.finishing ? std::min(limit, fresh_grace) : limit;
  enter(phase::introducing, deadline_after(patience, session_.waiting_since()));
  std::string arrived;
  auto header = parse_proxy_header(arrived);
  while (!reads_no_more_ && header.state == proxy_header::progress::unfinished) {
    auto const buffer = std::span{shared_.unread}.first(arrived_bytes_max - arrived.size());
    auto const read = socket_.read(buffer);
    if (read.status == status::blocked) {
      co_await socket_.ready();
      reads_no_more_ = is_given_up_ || close_if_abandoned();
      continue;
    }
    reads_no_more_ = read.status != status::moved;
    arrived.append(buffer.data(), read.bytes);
    header = parse_proxy_header(arrived);
  }
  if (header.state == proxy_header::progress::malformed) {
    reads_no_more_ = true;
    report(severity::warning, "proxy_header_refused", " sent no PROXY header, or a broken one");
  }
  if (reads_no_more_) co_return std::string{};
  if (header.client) session_.set_peer(*header.client);
  registration_->pass_on(session_.peer());
  co_return arrived.substr(header.size);
}

asio::awaitable<tls::handshake::progress> connection::shake_hands(std::string_view arrived) {
  using enum tls::handshake::progress;
  auto const patience = shared_.limits.header_timeout;
  enter(phase::shaking_hands, deadline_after(shared_.finishing ? std::min(patience, handshake_grace) : patience));
  tls::handshake shaking{shared_, *encryption_, socket_, session_.peer()};
  auto made = blocked;
  try {
    made = shaking.advance(arrived);
    while (made == blocked) {
      co_await socket_.ready();
      made = is_given_up_ || close_if_abandoned() ? ended : shaking.advance();
    }
  } catch (...) {
    shaking.count_failure(handshake_failure::other);
    throw;
  }
  bool const is_late = std::chrono::steady_clock::now() >= deadline_;
  if (made == ended) shaking.count_failure(is_late ? handshake_failure::timeout : handshake_failure::closed);
  if (made == complete || made == failed) {
    tls_ = shaking.take_stream();
    stream_ = tls_.get();
  }
  if (made == failed) report(severity::info, "tls_handshake_failed", ": " + tls_->engine().failure());
  lingers_ = made == failed;  // there is an alert for the client to read
  reads_no_more_ = made != complete && made != plain_text;
  co_return made;
}

}  // namespace petstore::server::http
