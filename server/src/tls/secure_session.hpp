// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/server/handshake_budget.hpp"
#include "petstore/server/tls.hpp"
#include "session.hpp"
#include "tls/channel.hpp"
#include "tls/context.hpp"

namespace petstore::server::tls {

/// What the encrypted sessions of one listener have in common. One thread.
struct host {
  std::shared_ptr<tls_context::impl> const context;
  handshake_budget* const handshakes;  ///< nullptr: all may begin

  /// Where records arrive: room for the longest one and what comes before it. Bytes of one connection are looked at
  /// before those of the next one are read, so all share it.
  using arrivals = std::array<char, 18 * 1024>;
  std::unique_ptr<arrivals> arriving = std::make_unique<arrivals>();
  /// Memory for records that are to be sent, of a connection that has some.
  void lend(std::string& output);
  void give_back(std::string& output);
  std::vector<std::string> free_outputs;
};

/// A session whose bytes are encrypted on their way: the same steps as a session's, and a session inside that knows
/// nothing of it.
///
///     [introducing] --proxy header--> [shaking_hands] --done--> [encrypted] --close_notify--> [open]
///           (where there is one)            '--what came is HTTP, without TLS--> [refused] ----'
///
/// Nothing is computed, and no memory of OpenSSL's is held, before the client has sent something that may be TLS and
/// its address may begin a handshake.
///
/// In `open` bytes pass as they are: what follows the last answer is read and forgotten, so that the client gets to
/// read that answer.
///
/// What is encrypted is sent before anything more is read, so a connection holds no more than a record that is not
/// whole yet, and a few that wait to be sent. One thread.
class secure_session {
 public:
  using step = session::step;

  secure_session(std::array<unsigned char, 16> const& peer, session_host&, host&);
  secure_session(secure_session const&) = delete;
  secure_session& operator=(secure_session const&) = delete;

  // As of a session.
  step begin();
  step turn_away(std::string_view why);
  std::span<char> room();
  step received(std::size_t n);
  step ended();
  step given_up();
  std::array<unsigned char, 16> const& peer() const noexcept { return plain_.peer(); }
  step identified(connection_budget::verdict);
  asio::awaitable<void> work() { return plain_.work(); }
  step worked() { return proceed(plain_.worked()); }
  std::string_view unsent() const noexcept;
  step sent(std::size_t n);
  step is_shut_down() { return plain_.is_shut_down(); }
  void stalled() noexcept { plain_.stalled(); }
  void broken() noexcept;
  void lost(std::string_view why) noexcept;
  steady_time deadline() const noexcept;
  bool is_idle() const noexcept;
  bool is_receiving() const noexcept;
  bool is_sending() const noexcept;
  steady_time waiting_since() const noexcept;
  connection_state state() const noexcept;
  bool finish() noexcept;

 private:
  enum class phase : std::uint8_t { introducing, shaking_hands, encrypted, open };

  /// Nothing is decrypted, and nothing encrypted.
  bool passes_bytes() const noexcept { return phase_ == phase::introducing || phase_ == phase::open; }
  step take(std::string_view bytes);
  bool may_shake_hands();
  step shake_hands();
  step proceed(step);
  step flush(step then);
  step go_on();
  step refuse_plain_text();
  step report_failure(std::string_view event);
  step break_off() noexcept;
  void count_handshake() noexcept;
  void count_failure(handshake_failure) noexcept;
  void count_unfinished() noexcept;

  tls::host::arrivals& arriving() noexcept { return *tls_.arriving; }

  session_host& host_;
  host& tls_;
  std::shared_ptr<tls_context::impl> const context_;  // kept: its keys of tickets are asked for by the channel
  session plain_;
  std::optional<channel> channel_;                    ///< from the first bytes on that may begin a handshake
  std::optional<handshake_budget::place> handshake_;  ///< while it is under way
  phase phase_ = phase::shaking_hands;
  step first_ = step::receive;  ///< of the session, when the handshake is done
  step next_ = step::receive;   ///< when the output is sent
  bool is_flushing_ = false;
  bool is_first_ = true;       ///< nothing has come yet
  bool is_counted_ = false;    ///< what has become of the handshake
  std::size_t encrypted_ = 0;  ///< of what the session has to send, in the output
  std::size_t flushed_ = 0;    ///< of the output
  steady_time began_;
  steady_time deadline_;  ///< of the handshake, or of what is sent apart from answers
};

}  // namespace petstore::server::tls
