// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/flow.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <string>
#include <utility>

#include "client/http_date.hpp"

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;

/// How long a key pauses after a refusal without Retry-After.
constexpr std::chrono::seconds untold_pause{1};
constexpr std::size_t captured_bytes_max = 4'096;

bool can_be_sent(std::string_view value) noexcept {
  return !value.empty() && value.size() <= captured_bytes_max && std::ranges::none_of(value, [](char c) {
    auto const byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

/// The text of a value in a path: a string without its quotes, or a number in digits.
std::string text_of(boost::json::value const& v) {
  if (v.is_null()) return {};
  if (v.is_string()) return std::string(v.get_string());
  return boost::json::serialize(v);
}

}  // namespace

flow::flow(stage& s) : stage_(s) {}

void flow::begin(instant when, std::uint16_t target) {
  operation_ = &stage_.script_.drawn(stage_.random_);
  step_ = 0;
  target_ = target;
  captured_.resize(std::max(captured_.size(), operation_->about->slots));
  when_ = due_ = when;
  retry_.begin();
  must_compose_ = true;
  at_ = choose_key(when) ? place::to_send : place::held;
}

/// Takes the next key in turn that does not pause; if all do, `when_` becomes the time at which the first one ends.
bool flow::choose_key(instant when) {
  auto const& pauses = stage_.pauses_until_;
  bool const has_keys = !stage_.script_.played().keys.empty();
  auto earliest = instant::max();
  for (std::size_t tried = 0; tried < pauses.size(); ++tried) {
    auto const key = static_cast<std::size_t>(stage_.turn_++ % pauses.size());
    if (pauses[key] <= when) {
      key_ = has_keys ? static_cast<std::uint16_t>(key) : no_key;
      return true;
    }
    earliest = std::min(earliest, pauses[key]);
  }
  when_ = earliest;
  return false;
}

action flow::next(instant now) {
  action a;
  if (at_ == place::held) {
    at_ = place::idle;
    a.what = action::kind::withheld;
    a.when = when_;
    return a;
  }
  if (at_ == place::idle) {
    a.when = now + stage_.script_.played().think.draw(stage_.random_);
    return a;
  }
  auto const& s = operation_->steps[step_];
  if (must_compose_) compose(s, now);
  at_ = place::waits;
  a.what = action::kind::send;
  a.when = when_;
  a.due = due_;
  a.request = request_;
  a.operation = s.number;
  a.key = s.takes_key ? key_ : no_key;
  a.is_head = s.about->method == "HEAD";
  a.keeps_body = s.captures_of_body || stage_.script_.played().audit.wanted;
  a.charged = s.about->charged;
  a.is_retry = retry_.failures() > 0;
  a.begins = step_ == 0;
  return a;
}

void flow::compose(script::prepared_step const& s, instant now) {
  must_compose_ = false;
  bool const is_there = composed_ == &s && composed_target_ == target_ && composed_key_ == key_;
  if (is_there && s.is_fixed) return;
  composed_ = &s;
  composed_target_ = target_;
  composed_key_ = key_;

  auto const unix_time = stage_.unix_time(std::max(now, when_)).time_since_epoch();
  filling const with{stage_.random_, stage_.counter_,
                     std::chrono::duration_cast<std::chrono::milliseconds>(unix_time).count(), captured_};
  auto const& text = *s.about;
  request_.assign(text.method).append(" ").append(stage_.script_.targets()[target_].base_path);
  text.path.append_to(request_, with, text_place::path);
  request_ += s.after_path[target_];
  if (s.takes_key && key_ != no_key) request_ += stage_.script_.authorizations()[key_];
  for (auto const& f : text.fields) {
    if (f.value.is_fixed()) continue;
    request_.append(f.name).append(": ");
    f.value.append_to(request_, with, text_place::field);
    request_ += "\r\n";
  }
  body_.clear();
  if (!text.lines.empty()) {
    body_ = text.lines[stage_.lines_[s.number].take() % text.lines.size()];
  } else {
    text.body.append_to(body_, with, text_place::body);
  }
  if (s.says_length) {
    std::array<char, 24> digits;
    auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), body_.size()).ptr;
    request_.append("Content-Length: ").append(digits.data(), end).append("\r\n");
  }
  request_.append("\r\n").append(body_);
}

outcome flow::answered(answer_view const& answer, instant now) {
  auto const& played = stage_.script_.played();
  auto const& s = *operation_->steps[step_].about;
  at_ = place::idle;
  if (is_refusal(answer.status)) {
    auto const here = std::chrono::floor<std::chrono::seconds>(stage_.unix_time(now));
    auto const told =
        parse_retry_after(answer.noted.retry_after, parse_http_date(answer.noted.date, here).value_or(here));
    if (played.conduct == manners::obey && try_again(told, now)) return {error_kind::none, {}, true};
    if (played.conduct == manners::pause) pause_of_key() = now + told.value_or(untold_pause);
  }
  if (!s.expects.has(answer.status)) {
    what_ = s.name + " was answered with " + std::to_string(answer.status);
    return {error_kind::unexpected_status, what_};
  }
  if (auto const* const missing = take_captures(s, answer)) {
    what_ = s.name + ": the answer has no " + missing->where + " that can be used";
    return {error_kind::missing_value, what_};
  }
  proceed(now);
  return {};
}

bool flow::withdraws(instant now) {
  if (stage_.script_.played().conduct != manners::pause || pause_of_key() <= now) return false;
  at_ = place::idle;
  return true;
}

bool flow::failed(instant now) {
  at_ = place::idle;
  return stage_.script_.played().conduct == manners::obey && operation_->steps[step_].is_repeatable &&
         try_again(std::nullopt, now);
}

bool flow::try_again(std::optional<std::chrono::seconds> told, instant now) {
  auto const wait = retry_.again(stage_.script_.played().backoff, told, stage_.random_);
  if (!wait) return false;
  when_ = now + *wait;
  at_ = place::to_send;
  return true;
}

/// The first value that could not be captured; null if all were.
capture const* flow::take_captures(step const& s, answer_view const& answer) {
  boost::json::value body;
  bool is_parsed = false;
  for (auto const& c : s.captures) {
    auto& value = captured_[c.slot];
    if (c.from == capture::origin::header) {
      value = answer.field(c.where);
    } else {
      boost::system::error_code failed;
      if (!std::exchange(is_parsed, true)) body = boost::json::parse(answer.body, failed);
      auto const* const found = failed ? nullptr : body.find_pointer(c.where, failed);
      value = found == nullptr ? std::string() : text_of(*found);
    }
    if (!can_be_sent(value)) return &c;
  }
  return nullptr;
}

void flow::proceed(instant now) {
  auto const& think = operation_->steps[step_].about->think;
  if (++step_ == operation_->steps.size()) return;
  when_ = due_ = now + think.draw(stage_.random_);
  retry_.begin();
  must_compose_ = true;
  at_ = place::to_send;
}

}  // namespace petstore::load
