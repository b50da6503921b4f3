// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "core.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "announcement.hpp"
#include "complaint.hpp"
#include "completion.hpp"
#include "keep_going.hpp"
#include "petstore/asio/as_result.hpp"

namespace petstore::redis {
namespace {

asio::awaitable<result<node>> stay_at(node where) {
  co_return where;
}

bool is_replica(greeting_answer const& said) {
  return said.role == "replica" || said.role == "slave";
}

}  // namespace

client::core::core(asio::any_io_executor executor, client_options options)
    : options_{std::move(options)},
      dialer_{std::make_shared<dialer>(std::move(executor), options_.address, options_.name, options_.limits)} {}

void client::core::start() {
  while (!closed_) {
    try {
      switch (options_.address.kind) {
        case address::topology::single: return start_single();
        case address::topology::sentinel: return start_sentinels();
        case address::topology::cluster: return start_cluster(options_.address.nodes);
      }
    } catch (std::exception const&) {  // no memory; tries again here, since nobody else would
      if (single_) std::exchange(single_, nullptr)->close();
      std::this_thread::sleep_for(options_.limits.first_wait);
    }
  }
}

void client::core::start_single() {
  auto locate = [where = options_.address.nodes.front()] { return stay_at(where); };
  single_ = std::make_shared<link>(dialer_, std::move(locate), weak_from_this());
  single_->start();
}

void client::core::start_sentinels() {
  sentinels_ = std::make_shared<sentinels>(dialer_);
  auto locate = [asked = sentinels_] { return asked->find_master(); };
  single_ = std::make_shared<link>(dialer_, std::move(locate), weak_from_this());
  single_->start();
  auto open = [asked = sentinels_] { return asked->open_next(); };
  auto hear = [held = weak_from_this()](subscription_event const& event) {
    if (auto const self = held.lock()) self->on_sentinel(event);
  };
  auto made = std::make_shared<subscription>(dialer_, std::move(open), "+switch-master", std::move(hear));
  made->start();
  announcements_ = std::move(made);
}

void client::core::start_cluster(std::vector<node> seeds) {
  auto tell = [held = weak_from_this()](state_change change) {
    auto const self = held.lock();
    if (!self) return;
    if (change.what == state_change::kind::failed) self->last_failure_ = change.reason;
    self->update_connected();
    self->report(std::move(change));
  };
  auto made = std::make_shared<redis::cluster>(dialer_, std::move(seeds), weak_from_this(), std::move(tell));
  made->start();
  cluster_ = std::move(made);
}

void client::core::on_sentinel(subscription_event const& event) {
  if (closed_) return;
  if (event.what == subscription_event::kind::listening) {
    keep_going(executor(), options_.limits.first_wait,
               [self = shared_from_this()] { return self->check_master(self); });
  } else if (event.what == subscription_event::kind::message) {
    auto const master = read_announcement(event.payload, options_.address.master_name);
    if (master) on_switch(*master);
  }
}

void client::core::on_switch(node const& master) {
  ++switches_;
  report({state_change::kind::master_changed, to_string(master), {}});
  if (single_->is_up() && single_->peer() == master) return;  // a sentinel was asked before it announced this
  change_to(master);
}

/// Asks for the master when the client begins to listen, since an announcement may have been missed before. Unlike an
/// announcement, the answer may be old, so the client leaves its server only for one that says that it is a master.
asio::awaitable<void> client::core::check_master(std::shared_ptr<core>) {
  auto const switches_before = switches_;
  auto asking = sentinels_->ask_in_turn();
  result<node> const master = co_await std::move(asking);
  if (!master || single_->peer() == *master) co_return;
  auto greeting = dialer_->greet(*master);
  result<dialer::greeted> const found = co_await std::move(greeting);
  if (!found || is_replica(found->said)) co_return;
  // What was announced meanwhile is newer than the answer.
  if (closed_ || switches_ != switches_before || single_->peer() == *master) co_return;
  if (single_->is_up()) report({state_change::kind::master_changed, to_string(*master), {}});
  change_to(*master);
}

void client::core::change_to(node const& master) {
  sentinels_->believe(master);
  single_->look_again("There is another master.");
  update_connected();
}

void client::core::submit(std::unique_ptr<call> one) {
  count(calls);
  if (closed_) return finish(std::move(one), failure{errc::closed, {}});
  auto const way = cluster_ ? cluster_->way_for(one->slot) : single_;
  if (way) return way->send(std::move(one));
  if (cluster_) cluster_->refresh();
  finish(std::move(one), failure{errc::not_connected, last_failure_});
}

void client::core::on_answer(link& from, std::unique_ptr<call> one, result<reply> outcome) {
  if (outcome && outcome->is_error()) return resolve_error(from, std::move(one), std::move(outcome->text));
  if (!outcome && outcome.error().code == errc::not_connected && outcome.error().detail.empty()) {
    outcome = failure{errc::not_connected, last_failure_};
  }
  finish(std::move(one), std::move(outcome));
}

void client::core::resolve_error(link& from, std::unique_ptr<call> one, std::string error) {
  auto const said = read_complaint(error, from.peer());
  switch (said.what) {
    case complaint::kind::executed: return finish(std::move(one), failure{errc::server_error, std::move(error)});
    case complaint::kind::refused: break;
    case complaint::kind::not_in_charge:
      from.look_again(error);
      if (cluster_) cluster_->refresh();
      update_connected();
      break;
    case complaint::kind::cluster_down:
      if (cluster_) cluster_->refresh();
      break;
    case complaint::kind::no_script:
      if (!one->to_run || one->sends_text) break;
      one->sends_text = true;
      count(scripts_sent_whole);
      return from.send(std::move(one));
    case complaint::kind::moved:
      if (cluster_) cluster_->moved(said.slot, said.target);
      one->is_asking = false;
      return follow(said.target, std::move(one), std::move(error));
    case complaint::kind::ask: one->is_asking = true; return follow(said.target, std::move(one), std::move(error));
    case complaint::kind::try_again: return try_later(std::move(one));
  }
  finish(std::move(one), failure{errc::refused, std::move(error)});
}

void client::core::follow(node const& target, std::unique_ptr<call> one, std::string error) {
  count(redirections);
  if (!cluster_ || one->redirections++ >= redirections_max) {
    return finish(std::move(one), failure{errc::refused, std::move(error)});
  }
  cluster_->way_to(target)->send(std::move(one));
}

void client::core::try_later(std::unique_ptr<call> one) {
  count(redirections);
  auto const now = std::chrono::steady_clock::now();
  auto const next = now + options_.limits.try_again_interval;
  if (closed_ || next >= one->deadline) return finish(std::move(one), failure{errc::refused, "TRYAGAIN"});
  auto timer = std::make_unique<asio::steady_timer>(executor(), next);
  auto& waiting = *timer;
  waiting.async_wait([self = shared_from_this(), timer = std::move(timer),
                      one = std::move(one)](boost::system::error_code const&) mutable {
    auto const way = self->closed_ || !self->cluster_ ? nullptr : self->cluster_->way_for(one->slot);
    one->is_asking = false;  // the master of the slot says again which node to ask
    if (way) return way->send(std::move(one));
    self->finish(std::move(one), failure{errc::refused, "TRYAGAIN"});
  });
}

void client::core::finish(std::unique_ptr<call> one, result<reply> outcome) {
  if (outcome) {
    count(replies);
  } else if (outcome.error().code == errc::timed_out) {
    count(timed_out);
  } else {
    count(is_surely_not_executed(outcome.error().code) ? refused : other_failures);
  }
  one->waiting->complete(std::move(outcome));
}

std::string client::core::check(link& asked, greeting_answer const& said) {
  if (said.mode == "sentinel") return "It is a sentinel: that needs redis+sentinel:// and the name of the master.";
  if (said.mode == "cluster" && !cluster_) {
    if (options_.address.kind == address::topology::sentinel) return "It is a node of a cluster.";
    // The new cluster makes a link of its own to this node. No call waits on the old one, which was never up.
    start_cluster({asked.peer()});
    std::exchange(single_, nullptr)->close();
    return "It is a node of a cluster.";
  }
  if (!is_replica(said)) return {};
  std::string const objection = to_string(asked.peer()) + " is a replica, not a master.";
  if (options_.address.kind != address::topology::single) return objection;
  return objection + " Name its master, or its sentinels with redis+sentinel://.";
}

void client::core::on_up(link& one) {
  count(connections);
  update_connected();
  report({state_change::kind::connected, to_string(one.peer()), {}});
}

void client::core::on_down(link& one, std::string const& reason) {
  count(connections_lost);
  last_failure_ = reason;
  if (cluster_) cluster_->refresh();
  update_connected();
  report({state_change::kind::lost, to_string(one.peer()), reason});
}

void client::core::on_failed(link& one, std::string const& reason) {
  last_failure_ = reason;
  if (sentinels_) sentinels_->doubt();
  if (cluster_) cluster_->refresh();
  report({state_change::kind::failed, one.peer().host.empty() ? "the master" : to_string(one.peer()), reason});
}

void client::core::update_connected() {
  bool const is = !closed_ && (cluster_ ? cluster_->is_complete() : single_ && single_->is_up());
  connected_.store(is, std::memory_order_relaxed);
  connected_servers_.store(count_connected(), std::memory_order_relaxed);
  if (!is) return;
  for (auto& timer : waiting_) timer.cancel();
}

std::size_t client::core::count_connected() const {
  if (closed_) return 0;
  if (cluster_) return cluster_->connected_masters();
  return single_ && single_->is_up() ? 1 : 0;
}

void client::core::report(state_change change) const {
  if (!closed_ && options_.on_state) options_.on_state(change);
}

std::vector<std::shared_ptr<link>> client::core::masters() const {
  if (cluster_) return cluster_->masters();
  if (single_) return {single_};
  return {};
}

asio::awaitable<result<void>> client::core::wait_until_connected(std::shared_ptr<core>, time_point deadline) {
  auto const mine = waiting_.emplace(waiting_.end(), executor(), deadline);
  while (!is_connected() && !closed_ && std::chrono::steady_clock::now() < deadline)
    co_await mine->async_wait(as_result);
  waiting_.erase(mine);
  if (is_connected()) co_return result<void>{};
  co_return failure{closed_ ? errc::closed : errc::not_connected, last_failure_};
}

void client::core::close() {
  if (std::exchange(closed_, true)) return;
  update_connected();
  if (announcements_) announcements_->close();
  if (single_) single_->close();
  if (cluster_) cluster_->close();
  dialer_->close();
  for (auto& timer : waiting_) timer.cancel();
}

client_counters client::core::counters() const noexcept {
  auto const read = [this](counter which) { return counters_[which].load(std::memory_order_relaxed); };
  return {read(calls),        read(replies),        read(refused),
          read(timed_out),    read(other_failures), read(scripts_sent_whole),
          read(redirections), read(connections),    read(connections_lost)};
}

}  // namespace petstore::redis
