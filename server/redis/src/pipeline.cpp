// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "pipeline.hpp"

#include <utility>

#include "wire.hpp"

namespace petstore::redis {

bool pipeline::add(std::unique_ptr<call>& one) {
  // Calls that timed out count as well, since their replies are still to come.
  if (waiting_.size() + under_way_.size() >= limits_.calls_max) return false;
  auto bytes = bytes_of(*one);
  if (waiting_bytes_ + bytes.size() > limits_.bytes_max) return false;
  // What allocates comes first, so that a call gets both its entry and its deadline, or neither.
  entries added;
  added.push_back({nullptr, std::move(bytes), {}, {}, one->is_asking});
  added.front().due = deadlines_.emplace(one->deadline, added.begin());
  added.front().call = std::move(one);
  waiting_bytes_ += added.front().bytes.size();
  waiting_.splice(waiting_.end(), added);
  return true;
}

void pipeline::add_heartbeat() {
  std::string bytes;
  append_command(bytes, {"PING"});
  waiting_.push_back({nullptr, std::move(bytes), {}, {}, false});
  waiting_bytes_ += waiting_.back().bytes.size();
}

std::string pipeline::take_output(time_point now) {
  std::string joined;
  joined.reserve(waiting_bytes_);
  for (auto& one : waiting_) {
    joined += one.bytes;
    std::string{}.swap(one.bytes);
    one.sent = now;
  }
  waiting_bytes_ = 0;
  under_way_.splice(under_way_.end(), waiting_);
  return joined;
}

std::optional<pipeline::finished> pipeline::on_reply(reply value) {
  if (under_way_.empty()) return std::nullopt;
  auto& first = under_way_.front();
  if (std::exchange(first.has_reply_before, false)) return finished{nullptr, std::move(value)};
  if (first.call) deadlines_.erase(first.due);
  finished done{std::move(first.call), std::move(value)};
  under_way_.pop_front();
  return done;
}

std::vector<pipeline::finished> pipeline::expire(time_point now) {
  std::vector<finished> done;
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    auto const late = deadlines_.begin()->second;
    deadlines_.erase(deadlines_.begin());
    bool const was_sent = late->bytes.empty();
    done.push_back({std::move(late->call), failure{was_sent ? errc::timed_out : errc::not_sent, {}}});
    if (!was_sent) {
      waiting_bytes_ -= late->bytes.size();
      waiting_.erase(late);
    }
  }
  return done;
}

std::vector<pipeline::finished> pipeline::end(errc sent, std::string const& reason) {
  std::vector<finished> done;
  for (auto* const side : {&under_way_, &waiting_}) {
    auto const code = side == &under_way_ ? sent : errc::not_sent;
    for (auto& one : *side) {
      if (one.call) done.push_back({std::move(one.call), failure{code, reason}});
    }
    side->clear();
  }
  deadlines_.clear();
  waiting_bytes_ = 0;
  return done;
}

std::optional<pipeline::time_point> pipeline::next_deadline() const {
  return deadlines_.empty() ? std::nullopt : std::optional{deadlines_.begin()->first};
}

std::optional<pipeline::time_point> pipeline::unanswered_since() const {
  return under_way_.empty() ? std::nullopt : std::optional{under_way_.front().sent};
}

}  // namespace petstore::redis
