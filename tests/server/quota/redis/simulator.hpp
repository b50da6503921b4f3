// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "debit_ledger.hpp"
#include "model_server.hpp"
#include "petstore/limits/lease.hpp"
#include "petstore/limits/notice.hpp"
#include "petstore/quota/redis.hpp"
#include "share.hpp"

namespace petstore::quota {

using sim_time = std::chrono::nanoseconds;

/// What goes wrong in a simulated world.
struct sim_conditions {
  std::size_t nodes = 3;
  std::chrono::microseconds latency_min{150};  ///< of one way
  std::chrono::microseconds latency_max{2'000};
  double lost_answers = 0;       ///< calls that run and are never answered
  double late_calls = 0;         ///< calls that run long after their deadline
  double late_answers = 0;       ///< calls that run in time, and are answered long after their deadline
  double doubled_calls = 0;      ///< calls that run once more, later
  double lost_recalls = 0;       ///< recalls that a node does not hear
  double refunds = 0;            ///< requests that give back what they took of a lease, up to three seconds later
  int rate_error_ppm_max = 200;  ///< of nodes' clocks
  failure_policy on_failure = failure_policy::closed;
  std::uint32_t cost_max = 1;                                            ///< each request costs 1 to this many tokens
  std::chrono::sys_seconds begins{std::chrono::seconds{1'780'315'200}};  ///< on the wall clock; a Monday at noon
  /// Memory for what is going on alone: keys that say nothing any more leave the server, quotas that were idle for two
  /// minutes leave nodes, and of periods that are over only the worst is known.
  bool forgets = false;

  // Mistakes on purpose.
  bool server_ignores_sequences = false;
  bool nodes_hear_late_answers = false;
};

/// Nodes, a server and a network on virtual time. What decides is the code of the product: leases, ledgers, shares; the
/// server is the model that acquire.lua is held against; what this adds is who waits for what, as the lease client does
/// it. An auditor notes every admission by the server's time.
class simulator {
 public:
  static constexpr sim_time deadline = std::chrono::milliseconds{250};
  static constexpr sim_time patience = std::chrono::milliseconds{500};  ///< for an answer that nobody waits for
  static constexpr sim_time recall_patience = std::chrono::milliseconds{200};
  static constexpr sim_time round = std::chrono::milliseconds{250};
  static constexpr sim_time refunded_within = std::chrono::seconds{3};
  static constexpr sim_time epoch = sim_conditions{}.begins.time_since_epoch();

  simulator(sim_conditions const& conditions, std::uint64_t seed) : conditions_(conditions), random_(seed) {
    nodes_.resize(conditions.nodes);
    for (std::size_t i = 0; i < nodes_.size(); ++i) start_node(i);
    if (conditions_.forgets) forget_regularly();
  }

  using key_number = std::uint32_t;

  struct window_tally {
    std::map<std::int64_t, std::uint64_t> by_end;  ///< admitted tokens of each period, by its end on the server's clock
    std::vector<std::int64_t> opened;              ///< the ends of the periods that the server opened for a request
    std::int64_t worst = 0;                        ///< over the quota, of periods that were forgotten
  };
  struct tally {
    std::uint64_t asked = 0, refused = 0, calls = 0;
    std::uint64_t admitted = 0, granted = 0;      ///< tokens; admitted are those that no refund gave back
    std::uint64_t alone = 0, admitted_alone = 0;  ///< decided by the failure policy
    window_tally of_short, of_long;
    std::vector<sim_time> times;   ///< of admissions, when they are kept
    std::uint64_t short_used = 0;  ///< by the server's count
    std::optional<sim_time> refused_early_since;
  };

  limits::plan plan_of(key_number k) const { return plans.empty() ? plan : plans[k % plans.size()]; }
  limits::plan plan{limits::per_minute(60), limits::per_day(1'000)};
  std::vector<limits::plan> plans;
  bool keeps_times = false;
  bool watches_refusals = false;

  sim_time now() const { return now_; }
  std::size_t node_count() const { return nodes_.size(); }
  tally const& of(key_number k) { return tallies_[k]; }
  std::unordered_map<key_number, tally> const& tallies() const { return tallies_; }

  void at(sim_time when, std::function<void()> what) { events_.push({when, ++event_, std::move(what)}); }
  void after(sim_time wait, std::function<void()> what) { at(now_ + wait, std::move(what)); }
  void run_until(sim_time end) {
    while (!events_.empty() && events_.top().when <= end) {
      now_ = events_.top().when;
      auto const what = std::move(events_.top().what);
      events_.pop();
      what();
    }
    now_ = end;
  }

  /// Requests at random moments, so many a second on average, of a key at a node that `choose` names.
  void traffic(double per_second, sim_time until, std::function<std::pair<std::size_t, key_number>()> choose) {
    if (now_ >= until) return;
    auto const [node, key] = choose();
    request(node, key);
    sim_time const wait{static_cast<std::int64_t>(std::exponential_distribution<>(per_second)(random_) * 1e9)};
    after(wait, [this, per_second, until, choose = std::move(choose)] { traffic(per_second, until, choose); });
  }
  std::size_t up_to(std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(random_); }
  bool happens(double probability) { return std::bernoulli_distribution(probability)(random_); }

  void request(std::size_t node, key_number key) {
    customer& c = customer_of(node, key);
    ++tallies_[key].asked;
    limits::cost const cost = any_cost();
    decide(c, cost, c.lease.charge(plan_of(key), cost, clock_of(node)));
  }

  /// As kill -9 does: everything is forgotten, another run begins.
  void kill_node(std::size_t i) {
    graveyard_.push_back(std::move(nodes_[i]));
    start_node(i);
  }
  void cut_off(std::size_t i, bool is_cut) { nodes_[i]->is_cut_off = is_cut; }

  /// The server is replaced by a replica that lags behind, and whose clock is another.
  void fail_over(sim_time lag, std::chrono::microseconds skew = {}) {
    for (auto& [key, state] : server_) {
      auto& history = state.history;
      while (!history.empty() && history.back().first > now_ - lag) history.pop_back();
      state.current = history.empty() ? model_key{} : history.back().second;
    }
    server_skew_ += skew;
  }
  bool keeps_history = false;
  /// The server is replaced by an empty one. Each node notices it with its next heartbeat, and claims what it took.
  void lose_all() {
    server_.clear();
    for (auto const& node : nodes_) {
      if (node->is_cut_off) continue;
      after(random_time(heartbeat), [this, node] {
        for (auto const& [key, c] : node->customers) {
          bool const must_claim = c->debit_ledger.must_claim_again(limits::boot_time::min(), clock_of(*node));
          if (nodes_[node->place] == node && must_claim && !c->is_asking) begin_call(*c);
        }
      });
    }
  }
  static constexpr sim_time heartbeat = std::chrono::milliseconds{500};

  std::uint64_t calls() const { return calls_; }
  std::uint64_t waits() const { return waits_; }
  /// For how long a key was refused at most while a node that can be reached held tokens of it.
  sim_time longest_early_refusal() const { return longest_early_refusal_; }
  /// How many distinct keys, nodes and short periods of the server there were: without a call each, nobody can count.
  std::size_t least_calls() const { return triples_.size(); }
  bool counts_triples = false;
  /// Tokens of the key's open short period that a node holds.
  std::uint32_t held_by(std::size_t i, key_number key) {
    customer const& c = customer_of(i, key);
    return c.lease.lies_idle(clock_of(i)) ? 0 : c.lease.tokens();
  }

  /// Of what is used of the key's short period, what a node has not been told of.
  std::uint64_t unknown_to(std::size_t i, key_number key) {
    std::uint64_t const known = customer_of(i, key).knows_short_used, is = tallies_[key].short_used;
    return is - std::min(is, known);
  }

 private:
  struct node_state;
  struct customer {
    node_state* node = nullptr;
    key_number key = 0;
    limits::lease lease;
    quota::debit_ledger debit_ledger;
    quota::share share;
    bool is_asking = false;
    bool is_attended = false;
    std::uint64_t call = 0;  ///< of the one that is under way
    struct request {
      std::uint64_t number = 0;
      limits::cost cost{1};
      sim_time leaves_at{0};
    };
    std::vector<request> waiting;
    bool is_recalled = false;
    sim_time recall_pause{0};
    bool wants_tokens = false;  ///< ahead of need
    sim_time used_at{0};
    std::uint64_t knows_short_used = 0;  ///< by the last answer
  };
  struct node_state {
    std::size_t place = 0;
    int name = 0;
    sim_time boot{0};
    std::int64_t rate_ppm = 0;
    bool is_cut_off = false;
    bool is_alive = true;
    std::unordered_map<key_number, std::unique_ptr<customer>> customers;
    std::vector<customer*> attended;
  };
  struct event {
    sim_time when;
    std::uint64_t number = 0;
    mutable std::function<void()> what;

    friend bool operator<(event const& a, event const& b) {
      return a.when != b.when ? a.when > b.when : a.number > b.number;
    }
  };
  struct server_state {
    model_key current;
    std::list<std::pair<sim_time, model_key>> history;
  };

  static constexpr sim_time forgets_every = std::chrono::minutes{5};

  void forget_regularly() {
    after(forgets_every, [this] {
      for (auto& [key, t] : tallies_) fold(key, t);
      std::erase_if(server_, [now = server_now()](auto const& s) { return s.second.current.says_nothing(now); });
      for (auto& node : nodes_)
        std::erase_if(node->customers, [this](auto const& c) { return is_forgotten(*c.second); });
      forget_regularly();
    });
  }
  void fold(key_number key, tally& t) const {
    limits::plan const p = plan_of(key);
    std::int64_t const settled = server_now() - 120'000'000;
    auto const fold_window = [settled](window_tally& w, std::uint64_t quota) {
      while (!w.by_end.empty() && w.by_end.begin()->first < settled) {
        if (quota != 0) w.worst = std::max(w.worst, static_cast<std::int64_t>(w.by_end.begin()->second - quota));
        w.by_end.erase(w.by_end.begin());
      }
      std::erase_if(w.opened, [settled](std::int64_t end) { return end < settled; });
    };
    fold_window(t.of_short, p.short_window.tokens());
    fold_window(t.of_long, p.long_window.tokens());
  }
  static void open_period(window_tally& w, std::int64_t end) {
    auto const place = std::ranges::lower_bound(w.opened, end);
    if (end != 0 && (place == w.opened.end() || *place != end)) w.opened.insert(place, end);
  }
  /// The end of the period that a token counts in which is used at that time; 0 if the server has opened none.
  static std::int64_t period_at(window_tally const& w, limits::period p, std::int64_t at) {
    using std::chrono::microseconds;
    if (p.is_aligned()) return p.end_after(limits::wall_time{microseconds{at}}).time_since_epoch() / microseconds{1};
    auto const period = std::ranges::upper_bound(w.opened, at);
    constexpr std::int64_t rounding = 1'000'000;  // a long period ends at a full second
    bool const is_open = period != w.opened.end() && *period - p.longest() / microseconds{1} - rounding <= at;
    return is_open ? *period : 0;
  }
  /// Longer than a generation lives: the next call begins another one in any case. No event knows of it any more.
  bool is_forgotten(customer const& c) const {
    bool const holds_nothing = c.lease.tokens() == 0 || c.lease.lies_idle(clock_of(*c.node));
    bool const is_idle = !c.is_asking && !c.is_attended && c.waiting.empty() && holds_nothing;
    return is_idle && now_ - c.used_at > debit_ledger::generation_life + std::chrono::seconds{1};
  }

  void start_node(std::size_t i) {
    auto made = std::make_shared<node_state>();
    made->place = i;
    made->name = ++names_;
    made->boot = now_ - std::chrono::seconds{1'000};
    int const most = conditions_.rate_error_ppm_max;
    made->rate_ppm = std::uniform_int_distribution<int>(-most, most)(random_);
    nodes_[i] = made;
    go_round(made, random_time(round));
  }
  void go_round(std::shared_ptr<node_state> const& node, sim_time wait) {
    after(wait, [this, node] {
      if (nodes_[node->place] != node) return;  // killed since
      std::erase_if(node->attended, [&](customer* c) {
        if (c->is_asking) return false;
        if (c->debit_ledger.has_idle(c->lease, clock_of(*node)) || c->debit_ledger.is_unsettled()) {
          begin_call(*c);
          return false;
        }
        if (c->debit_ledger.needs_watching(c->lease)) return false;
        c->is_attended = false;
        return true;
      });
      go_round(node, round);
    });
  }

  limits::instant clock_of(node_state const& n) const {
    sim_time const up = now_ - n.boot;
    return {.boot = limits::boot_time{up + up / 1'000'000 * n.rate_ppm},
            .wall = limits::wall_time{conditions_.begins} + now_};
  }
  limits::instant clock_of(std::size_t i) const { return clock_of(*nodes_[i]); }
  std::int64_t server_now() const {
    sim_time const wall = conditions_.begins.time_since_epoch() + now_;
    return wall.count() / 1'000 + server_skew_.count();
  }

  customer& customer_of(std::size_t i, key_number key) {
    auto& c = nodes_[i]->customers[key];
    if (!c) {
      c = std::make_unique<customer>();
      c->node = nodes_[i].get();
      c->key = key;
    }
    c->used_at = now_;
    return *c;
  }

  void decide(customer& c, limits::cost cost, limits::lease::decision const& d) {
    if (d.outcome == limits::lease::outcome::must_ask) return wait(c, cost);
    settle(c, cost, d);
    if (d.ask_ahead && !c.is_asking) {
      c.wants_tokens = true;
      begin_call(c);
    }
  }
  void settle(customer& c, limits::cost cost, limits::lease::decision const& d) {
    if (d.outcome == limits::lease::outcome::admitted)
      admit(c, cost, &d.verdict);
    else
      refuse(c, cost);
  }
  void refuse(customer& c, limits::cost cost) {
    tally& t = tallies_[c.key];
    ++t.refused;
    if (!watches_refusals) return;
    std::uint64_t others_hold = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].get() != c.node && !nodes_[i]->is_cut_off) others_hold += held_by(i, c.key);
    std::uint64_t const left = std::uint64_t{c.lease.tokens()} + (plan_of(c.key).short_window.tokens() - t.short_used);
    bool const would_do = others_hold != 0 && (conditions_.cost_max == 1 || others_hold + left >= cost.tokens());
    if (!would_do) return t.refused_early_since.reset();
    if (!t.refused_early_since) t.refused_early_since = now_;
    longest_early_refusal_ = std::max(longest_early_refusal_, now_ - *t.refused_early_since);
  }

  sim_time random_time(sim_time most) {
    return sim_time{static_cast<std::int64_t>(up_to(static_cast<std::size_t>(most.count())))};
  }
  limits::cost any_cost() {
    return conditions_.cost_max == 1 ? 1 : limits::cost::of(1 + up_to(conditions_.cost_max - 1)).value();
  }

  void wait(customer& c, limits::cost cost) {
    std::uint64_t const number = ++waits_;
    sim_time const wait = c.is_asking ? 2 * deadline : deadline;
    c.waiting.push_back({number, cost, now_ + wait});
    auto const node = nodes_[c.node->place];
    after(wait, [this, node, &c, number, cost] {
      bool const is_here = nodes_[node->place] == node;
      if (is_here && std::erase_if(c.waiting, [number](auto const& r) { return r.number == number; }) != 0)
        decide_alone(c, cost);
    });
    if (!c.is_asking) begin_call(c);
  }

  /// `charged`: what may be given back later.
  void admit(customer& c, limits::cost cost, limits::verdict const* charged = nullptr) {
    tally& t = tallies_[c.key];
    t.admitted += cost.tokens();
    t.refused_early_since.reset();
    limits::plan const p = plan_of(c.key);
    std::int64_t const at = server_now();
    std::int64_t const short_end = period_at(t.of_short, p.short_window.period(), at);
    std::int64_t const long_end = p.long_window ? period_at(t.of_long, p.long_window.period(), at) : 0;
    if (short_end != 0) t.of_short.by_end[short_end] += cost.tokens();
    if (short_end != 0 && counts_triples) triples_.emplace(c.key, c.node->name, short_end);
    if (long_end != 0) t.of_long.by_end[long_end] += cost.tokens();
    if (keeps_times) t.times.push_back(now_);

    if (!charged || conditions_.refunds == 0 || !happens(conditions_.refunds)) return;
    auto const node = nodes_[c.node->place];
    after(random_time(refunded_within), [=, this, &c, receipt = *charged, admitted_at = now_] {
      if (nodes_[node->place] != node) return;  // killed since
      std::uint32_t const before = c.lease.tokens();
      c.lease.refund(receipt, clock_of(*node));
      std::uint64_t const back = c.lease.tokens() - before;
      attend(c);
      tally& of_key = tallies_[c.key];
      of_key.admitted -= back;
      if (short_end != 0) of_key.of_short.by_end[short_end] -= back;
      if (long_end != 0) of_key.of_long.by_end[long_end] -= back;
      if (keeps_times && back != 0) of_key.times.erase(std::ranges::lower_bound(of_key.times, admitted_at));
    });
  }

  sim_time latency() {
    auto const us = std::uniform_int_distribution<std::int64_t>(conditions_.latency_min.count(),
                                                                conditions_.latency_max.count())(random_);
    return std::chrono::microseconds{us};
  }

  void begin_call(customer& c) {
    c.is_asking = true;
    limits::instant const sent = clock_of(*c.node);
    bool const wants_tokens = std::exchange(c.wants_tokens, false) || !c.waiting.empty();
    bool const is_recalled = std::exchange(c.is_recalled, false);
    sim_time leaves_at = now_;
    std::uint32_t waiting = 0, cheapest = conditions_.cost_max, dearest = 1;
    for (auto const& r : c.waiting) {
      leaves_at = &r == c.waiting.data() ? r.leaves_at : std::min(leaves_at, r.leaves_at);
      waiting += r.cost.tokens();
      cheapest = std::min(cheapest, r.cost.tokens());
      dearest = std::max(dearest, r.cost.tokens());
    }
    debit_ledger::question q{.plan = plan_of(c.key),
                             .nodes = static_cast<std::uint32_t>(nodes_.size()),
                             .waiting = waiting,
                             .cheapest = waiting == 0 ? 1 : cheapest,
                             .dearest = dearest,
                             .wants_tokens = wants_tokens,
                             .gives_back = is_recalled || (!wants_tokens && c.debit_ledger.has_idle(c.lease, sent)),
                             .patience = leaves_at - now_ > deadline / 4 ? recall_patience : sim_time{0},
                             .spent_alone = c.share.take_spent()};
    acquisition const ask = c.debit_ledger.ask(c.lease, q, ++sequence_, sent);
    std::uint64_t const call = c.call = ++calls_;
    ++tallies_[c.key].calls;

    auto const node = nodes_[c.node->place];  // kept: an answer may come after it was killed
    bool const gets_there = !node->is_cut_off;
    sim_time const there = happens(conditions_.late_calls) ? 5 * deadline : latency();
    bool const is_lost = happens(conditions_.lost_answers);
    if (gets_there) {
      after(there, [this, node, &c, ask, call, sent, is_lost] {
        auto const answer = execute(*node, c.key, ask);
        if (is_lost || node->is_cut_off) return;
        sim_time const back = happens(conditions_.late_answers) ? 3 * deadline : latency();
        after(back, [this, node, &c, ask, call, sent, answer] {
          bool const is_heard = c.call == call || conditions_.nodes_hear_late_answers;
          if (nodes_[node->place] == node && is_heard && answer) hear(c, ask, *answer, sent);
        });
      });
      if (happens(conditions_.doubled_calls))
        after(there + 3 * deadline, [this, node, &c, ask] { execute(*node, c.key, ask); });
    }
    after(patience, [this, node, &c, call] {
      if (nodes_[node->place] == node && c.call == call) give_up(c);
    });
  }

  std::optional<acquired> execute(node_state const& n, key_number key, acquisition const& ask) {
    server_state& s = server_[key];
    s.current.ignores_sequences = conditions_.server_ignores_sequences;
    auto const answer = s.current.acquire(n.name, ask, limits::ban_policy{.strikes = 0}, server_now());
    if (!answer) return answer;
    tally& t = tallies_[key];
    open_period(t.of_short, answer->short_end);
    open_period(t.of_long, answer->long_end);
    if (s.current.is_recall()) publish(n.name, key);
    t.granted += answer->granted;
    t.short_used = answer->short_used;
    if (keeps_history) {
      s.history.emplace_back(now_, s.current);
      while (s.history.size() > 2'000) s.history.pop_front();
    }
    return answer;
  }

  void hear(customer& c, acquisition const& ask, acquired const& answer, limits::instant sent) {
    c.debit_ledger.answered(c.lease, ask, answer, false, sent, clock_of(*c.node));
    c.knows_short_used = answer.short_used;
    c.share.end();
    std::erase_if(c.waiting, [&](auto const& r) {
      auto const d = c.lease.charge_after_asking(plan_of(c.key), r.cost, clock_of(*c.node));
      if (d.outcome == limits::lease::outcome::must_ask) return false;
      settle(c, r.cost, d);
      return true;
    });
    if (answer.holders != holders::recalled || c.waiting.empty()) {
      c.recall_pause = sim_time{0};
      return end_call(c);
    }
    c.call = 0;  // answered, and still nobody else's
    c.recall_pause =
        std::clamp<sim_time>(2 * c.recall_pause, std::chrono::milliseconds{2}, std::chrono::milliseconds{32});
    auto const node = nodes_[c.node->place];
    after(c.recall_pause, [this, node, &c] {
      if (nodes_[node->place] == node) end_call(c);
    });
  }
  void publish(int asker, key_number key) {
    for (auto const& node : nodes_) {
      if (node->name == asker || node->is_cut_off || happens(conditions_.lost_recalls)) continue;
      after(latency(), [this, node, key] {
        auto const place = node->customers.find(key);
        if (nodes_[node->place] != node || place == node->customers.end()) return;
        customer& c = *place->second;
        c.is_recalled =
            c.is_asking || c.debit_ledger.may_hold(c.lease) || c.debit_ledger.keeps_refusal(clock_of(*c.node));
        if (c.is_recalled && !c.is_asking) begin_call(c);
      });
    }
  }
  void give_up(customer& c) {
    c.debit_ledger.lost();
    end_call(c);
  }
  void decide_alone(customer& c, limits::cost cost) {
    limits::instant const now = clock_of(*c.node);
    if (c.lease.charge_held(cost, now).outcome == limits::lease::outcome::admitted) return admit(c, cost);
    ++tallies_[c.key].alone;
    if (conditions_.on_failure == failure_policy::degraded) {
      auto const known = c.lease.observe_debited(plan_of(c.key), now).verdict;
      auto const nodes = static_cast<std::uint32_t>(nodes_.size());
      if (c.share.charge(known, plan_of(c.key), nodes, cost).admitted()) {
        tallies_[c.key].admitted_alone += cost.tokens();
        return admit(c, cost);
      }
    }
  }
  void end_call(customer& c) {
    c.is_asking = false;
    c.call = 0;
    c.is_recalled = c.is_recalled && c.debit_ledger.may_hold(c.lease) && !c.debit_ledger.is_unsettled();
    if (!c.waiting.empty() || c.is_recalled) return begin_call(c);
    attend(c);
  }
  void attend(customer& c) {
    if (c.is_attended || !c.debit_ledger.needs_watching(c.lease)) return;
    c.is_attended = true;
    c.node->attended.push_back(&c);
  }

  sim_conditions const conditions_;
  std::mt19937_64 random_;
  sim_time now_{0};
  std::chrono::microseconds server_skew_{0};
  std::priority_queue<event> events_;
  std::uint64_t event_ = 0, sequence_ = 0, calls_ = 0, waits_ = 0;
  int names_ = 0;
  sim_time longest_early_refusal_{0};
  std::set<std::tuple<key_number, int, std::int64_t>> triples_;
  std::vector<std::shared_ptr<node_state>> nodes_;
  std::vector<std::shared_ptr<node_state>> graveyard_;  // whose calls may still be under way
  std::unordered_map<key_number, server_state> server_;
  std::unordered_map<key_number, tally> tallies_;
};

}  // namespace petstore::quota
