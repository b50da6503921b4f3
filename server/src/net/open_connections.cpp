// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/open_connections.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace petstore::server::net {
namespace {

/// Of the connections that get a 503 because there are too many, this many are kept until the client has read it.
constexpr std::size_t turning_away_max = 64;
/// The number of connections that are searched for one that has waited long. The next search continues after them. With
/// this many, the longest wait among them is one of the longest few per cent of all.
constexpr std::size_t looked_at_max = 64;

}  // namespace

registration::registration(std::shared_ptr<open_connections> among, connection_budget::address const& from)
    : among_{std::move(among)}, from_{from}, admission_{among_->take_slot(from)} {
  ++among_->count_;
  if (!has_slot()) refuse(admission_);
}

void registration::pass_on(connection_budget::address const& to) {
  auto const v = among_->budget_.pass_on(from_, to);
  if (v != connection_budget::admission::granted) {
    among_->budget_.give_back(from_);
    refuse(v);
  } else {
    from_ = to;
  }
}

bool registration::may_linger() const noexcept {
  return among_->turning_away_ <= turning_away_max;
}

void registration::enter(connection& c) {
  among_->list_.push_back(c);
}

void registration::leave() noexcept {
  give_up();
  among_->has_left_();
}

void registration::refuse(connection_budget::admission v) noexcept {
  admission_ = v;
  ++among_->turning_away_;
  among_->shared_.count(v == connection_budget::admission::full ? refusal_reason::full : refusal_reason::address_full);
}

void registration::give_up() noexcept {
  if (!std::exchange(is_held_, false)) return;
  --among_->count_;
  if (has_slot()) return among_->budget_.give_back(from_);
  --among_->turning_away_;
}

open_connections::open_connections(listener_state& s, connection_budget& b, std::function<void()> has_left)
    : shared_{s}, budget_{b}, has_left_{std::move(has_left)} {}

connection_budget::admission open_connections::take_slot(connection_budget::address const& from) {
  using enum connection_budget::admission;
  auto taken = budget_.take(from);
  // A connection that was asked to make way stays if it has just received data. It then no longer counts as idle, so
  // the next try finds another one.
  for (auto tries = 2 * looked_at_max; taken == full && tries > 0 && end_longest_waiting(freed::slot); --tries)
    taken = budget_.take(from);
  return taken;
}

bool open_connections::end_longest_waiting(freed wanted) {
  auto longest = std::chrono::steady_clock::now() - at_most_a_year(shared_.limits.crowded_timeout);
  connection* found = nullptr;
  // Connections that are being refused are among them. They have a descriptor to free, and no slot.
  for (auto n = std::min(count_, looked_at_max + turning_away_); n > 0 && !list_.empty(); --n) {
    auto& c = list_.front();
    list_.splice(list_.end(), list_, list_.begin());
    if (c.waiting_since() > longest || (wanted == freed::slot && !c.has_slot())) continue;
    longest = c.waiting_since();
    found = &c;
  }
  if (!found) return false;
  if (found->make_way()) shared_.count(shed_reason::made_way);
  return true;
}

}  // namespace petstore::server::net
