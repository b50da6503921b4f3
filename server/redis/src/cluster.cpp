// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cluster.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "keep_going.hpp"
#include "petstore/asio/as_result.hpp"
#include "slot.hpp"
#include "slot_map_request.hpp"

namespace petstore::redis {
namespace {

/// The longest wait between two reads of the map while a master cannot be reached.
constexpr std::chrono::milliseconds longest_look_interval{250};

asio::awaitable<result<node>> stay_at(node where) {
  co_return where;
}

}  // namespace

cluster::cluster(std::shared_ptr<dialer> calls, std::vector<node> seeds, std::weak_ptr<link::owner> owner,
                 report_function report)
    : dialer_{std::move(calls)},
      seeds_{std::move(seeds)},
      owner_{std::move(owner)},
      report_{std::move(report)},
      wait_{dialer_->executor()},
      backoff_{dialer_->limits().map_interval, std::max(longest_look_interval, dialer_->limits().map_interval)} {}

void cluster::start() {
  keep_going(dialer_->executor(), dialer_->limits().map_interval,
             [self = shared_from_this()] { return self->keep_map(self); });
}

asio::awaitable<void> cluster::keep_map(std::shared_ptr<cluster>) {
  while (!closed_) {
    is_stale_ = false;
    try {
      auto fetching = fetch();
      result<std::vector<slot_range>> const map = co_await std::move(fetching);
      if (closed_) break;
      if (map) {
        apply(*map);
      } else {
        report_({state_change::kind::failed, "map of the cluster", to_string(map.error())});
      }
    } catch (std::exception const& lack) {  // a lack of memory or threads, which may pass
      report_({state_change::kind::failed, "map of the cluster", lack.what()});
    }
    wait_.expires_after(dialer_->limits().map_interval);
    co_await wait_.async_wait(as_result);
    if (is_complete()) {
      backoff_.succeeded();
      wait_.expires_at(std::chrono::steady_clock::time_point::max());
    } else {
      wait_.expires_after(backoff_.after_failure(dialer_->random()));
    }
    is_resting_ = true;
    if (!is_stale_ && !closed_) co_await wait_.async_wait(as_result);
    is_resting_ = false;
  }
}

/// Reads the map from the first node that returns it. It asks on a connection of its own, so that a stuck node delays
/// no calls.
asio::awaitable<result<std::vector<slot_range>>> cluster::fetch() {
  failure last{errc::not_connected, "No node was asked."};
  auto const all = candidates();
  for (auto const& one : all) {
    auto greeting = dialer_->greet(one);
    result<dialer::greeted> found = co_await std::move(greeting);
    if (!found) {
      last = found.error();
      continue;
    }
    auto asking = ask_for_slot_map(found->line, one, dialer_->deadline());
    result<std::vector<slot_range>> map = co_await std::move(asking);
    if (map) co_return map;
    last = map.error();
  }
  co_return last;
}

/// Returns the nodes to ask for the map: first the connected ones, not always in the same order.
std::vector<node> cluster::candidates() const {
  std::vector<node> up;
  std::vector<node> down;
  for (auto const& [where, one] : members_) (one.way->is_up() ? up : down).push_back(where);
  if (up.size() > 1) std::ranges::rotate(up, up.begin() + static_cast<std::ptrdiff_t>(turn_ % up.size()));
  up.insert(up.end(), down.begin(), down.end());
  for (auto const& seed : seeds_) {
    if (std::ranges::find(up, seed) == up.end()) up.push_back(seed);
  }
  return up;
}

void cluster::apply(std::vector<slot_range> const& map) {
  ++turn_;
  by_slot_.assign(slot_count, nullptr);
  for (auto const& range : map) {
    auto const& way = link_to(range.master);
    std::fill(by_slot_.begin() + range.first, by_slot_.begin() + range.last + 1, way);
  }
  auto const asked_before = std::chrono::steady_clock::now() - without_slots_max;
  std::erase_if(members_, [&](auto const& entry) {
    auto const& [where, one] = entry;
    bool const is_master = std::ranges::any_of(map, [&](slot_range const& r) { return r.master == where; });
    if (is_master || one.asked > asked_before) return false;
    one.way->leave("It has no slots any more.");
    return true;
  });
  if (std::exchange(map_, map) != map) {
    report_({state_change::kind::map_changed, "", std::to_string(masters().size()) + " masters"});
  }
}

std::shared_ptr<link> const& cluster::link_to(node const& where) {
  auto& one = members_[where];
  if (!one.way) {
    auto locate = [where] { return stay_at(where); };
    one.way = std::make_shared<link>(dialer_, std::move(locate), owner_);
    one.way->start();
  }
  return one.way;
}

std::shared_ptr<link> cluster::way_for(std::optional<std::uint16_t> slot) {
  if (by_slot_.empty()) return nullptr;
  if (slot) return by_slot_[*slot];
  for (std::size_t i = 0; i < members_.size(); ++i) {
    auto const next = std::next(members_.begin(), static_cast<std::ptrdiff_t>(turn_++ % members_.size()));
    if (next->second.way->is_up()) return next->second.way;
  }
  return nullptr;
}

std::shared_ptr<link> cluster::way_to(node const& where) {
  auto const way = link_to(where);
  members_[where].asked = std::chrono::steady_clock::now();
  return way;
}

void cluster::moved(std::uint16_t slot, node const& target) {
  if (!by_slot_.empty()) by_slot_[slot] = link_to(target);
  refresh();
}

void cluster::refresh() {
  is_stale_ = true;
  if (is_resting_) wait_.cancel();
}

bool cluster::is_complete() const {
  return !by_slot_.empty() && std::ranges::all_of(by_slot_, [](auto const& way) { return way && way->is_up(); });
}

std::size_t cluster::connected_masters() const {
  auto const is_connected_master = [this](auto const& entry) {
    auto const& way = entry.second.way;
    return way->is_up() && std::ranges::find(by_slot_, way) != by_slot_.end();
  };
  return static_cast<std::size_t>(std::ranges::count_if(members_, is_connected_master));
}

std::vector<std::shared_ptr<link>> cluster::masters() const {
  std::vector<std::shared_ptr<link>> all;
  for (auto const& way : by_slot_) {
    if (way && (all.empty() || all.back() != way) && std::ranges::find(all, way) == all.end()) all.push_back(way);
  }
  return all;
}

void cluster::close() {
  closed_ = true;
  wait_.cancel();
  for (auto const& [where, one] : members_) one.way->close();
}

}  // namespace petstore::redis
