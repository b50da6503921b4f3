// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// One virtual client that performs one operation after the other. It decides which request is sent next and when, and
// uses the answers. No socket, no clock.
//
//     [idle] --begin--> [to send] --next: send--> [waits] --answered, failed--> [to send] or [idle] --next: over-->
//     [idle] [idle] --begin--> [held] --next: withheld--> [idle]
//
// An open schedule calls `begin` when a request is due. A closed loop calls it with `action::when` of the action `over`
// or `withheld`, so that the client thinks, or waits, in between.
//
//     flow client(stage);
//     client.begin(due, target);
//     for (auto a = client.next(now); a.what == action::kind::send; a = client.next(now)) {
//       … wait until a.when; send a.request, which is a view into the flow until `next` is called again …
//       outcome = client.answered(answer, now);      // or client.failed(now)
//     }
//
// A request without templates costs no allocation and, with one key and one target, no copy.
//
// Thread safety: none; a flow belongs to its stage's worker.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/answer.hpp"
#include "figures/error_kind.hpp"
#include "figures/recorder.hpp"
#include "scenario/retry.hpp"
#include "scenario/script.hpp"

namespace petstore::load {

struct action {
  enum class kind : std::uint8_t {
    send,
    over,      ///< the operation is done; a closed loop begins the next at `when`
    withheld,  ///< nothing is sent, because every key pauses; a closed loop begins again at `when`
  };
  kind what = kind::over;
  instant when{};  ///< send: not before this
  /// send: when the request was first due: the time that `begin` was given, or the end of the time to think before it.
  /// Latency counts from here. A wait before the request is tried again does not move it.
  instant due{};
  std::string_view request;     ///< complete, head and body
  std::uint16_t operation = 0;  ///< the index of the step in step_names
  std::uint16_t key = no_key;   ///< an index into scenario::keys
  bool is_head = false;         ///< the answer to HEAD has no body
  bool keeps_body = false;      ///< answer_view::body is needed, because a value is captured from it
  bool charged = true;          ///< whether the audit counts it
  bool is_retry = false;
  bool begins = false;  ///< the first request of its operation
};

/// The error of an answer, for the recorder.
struct outcome {
  error_kind error = error_kind::none;  ///< none, unexpected_status, missing_value
  std::string_view what;                ///< in words; valid until the flow's next call
  bool tried_again = false;             ///< `next` will say when; the request has no outcome yet
};

class flow {
 public:
  explicit flow(stage&);

  /// Chooses an operation and a key. `target` is an index into script::targets.
  void begin(instant when, std::uint16_t target = 0);
  action next(instant now);
  outcome answered(answer_view const&, instant now);
  /// Whether the key pauses by now, since another client was refused or an earlier step was: then the request that
  /// `next` gave must not be sent, and its operation is over.
  bool withdraws(instant now);
  /// The request got no answer, or was never sent. True if it is tried again: `next` will say when.
  bool failed(instant now);

  bool is_idle() const noexcept { return at_ == place::idle; }
  bool is_held() const noexcept { return at_ == place::held; }  ///< `next` will say `withheld`

 private:
  enum class place : std::uint8_t { idle, held, to_send, waits };

  bool choose_key(instant when);
  void compose(script::prepared_step const&, instant now);
  bool try_again(std::optional<std::chrono::seconds> told, instant now);
  capture const* take_captures(step const&, answer_view const&);
  void proceed(instant now);
  instant& pause_of_key() noexcept { return stage_.pauses_until_[key_ == no_key ? 0 : key_]; }

  stage& stage_;
  place at_ = place::idle;
  std::uint16_t target_ = 0;
  std::uint16_t key_ = no_key;
  std::size_t step_ = 0;
  script::prepared_operation const* operation_ = nullptr;
  instant when_{};
  instant due_{};
  retry retry_;
  bool must_compose_ = true;
  script::prepared_step const* composed_ = nullptr;  // the step of `request_`, with target and key
  std::uint16_t composed_target_ = 0;
  std::uint16_t composed_key_ = no_key;
  std::string request_;
  std::string body_;
  std::string what_;
  std::vector<std::string> captured_;  // by slot
};

}  // namespace petstore::load
