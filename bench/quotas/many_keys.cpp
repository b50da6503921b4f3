// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What do shared quotas cost with many keys? Each node has a thread and a connection. The nodes charge keys that are
// drawn uniformly or by Zipf's law, at random times (a Poisson process). An auditor checks only the answers. Prints one
// JSON object; bench/quota_redis adds the figures of Redis.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "petstore/limits/notice.hpp"
#include "petstore/quota/redis.hpp"

namespace petstore::bench {
namespace {

namespace asio = boost::asio;
using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

struct settings {
  std::string redis;
  std::uint32_t keys = 1'000;
  double zipf = 0;
  double rate = 3'000;  ///< requests a second of all nodes
  double seconds = 60;
  std::uint32_t nodes = 3;
  std::uint32_t per_minute = 300;
  std::int64_t per_day = 10'000;
  bool addresses = false;  ///< charges addresses of callers without a key instead of identities
  bool by_key = false;     ///< the load balancer sends all requests of a key to one node
  double moves_every = 0;  ///< seconds after which all traffic moves to the next node; 0: all nodes have traffic
};

/// An answer, as the client receives it.
struct answer {
  std::uint32_t key = 0;
  std::uint32_t node = 0;
  clock::time_point at;
  std::int64_t reset_unix_s = 0;  ///< the end of the minute
  bool admitted = false;
};

/// Draws keys; the share of a key is proportional to 1/rank^s.
class key_chooser {
 public:
  key_chooser(std::uint32_t keys, double s) : sums_(keys) {
    double sum = 0;
    for (std::uint32_t i = 0; i < keys; ++i) sums_[i] = sum += std::pow(i + 1, -s);
  }
  std::uint32_t operator()(std::mt19937_64& random) const {
    double const u = std::uniform_real_distribution<>(0, sums_.back())(random);
    auto const rank = std::ranges::upper_bound(sums_, u) - sums_.begin();
    return static_cast<std::uint32_t>(std::min<std::size_t>(static_cast<std::size_t>(rank), sums_.size() - 1));
  }

 private:
  std::vector<double> sums_;
};

class node {
 public:
  node(settings const& s, key_chooser const& choose, std::uint32_t number) : settings_(s), choose_(choose) {
    number_ = number;
    random_.seed(number + 1);
    quota::redis_options options;
    options.address = s.redis;
    options.environment = "bench";
    options.executor = context_.get_executor();
    options.bans.strikes = 0;
    options.on_failure = quota::failure_policy::closed;
    source_ = quota::open_redis_quota(std::move(options));
    thread_ = std::jthread([this] { context_.run(); });
  }
  ~node() { end(); }

  void begin(clock::time_point from) { asio::co_spawn(context_, arrive(from), asio::detached); }
  bool is_done() const { return done_ && waiting_ == 0; }
  void end() {
    if (source_) source_->close();
    source_.reset();
    guard_.reset();
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }
  ports::shared_quota_figures counters() const { return source_->counters(); }
  std::vector<answer> const& answers() const { return answers_; }
  std::uint64_t unanswered() const { return unanswered_; }
  std::uint64_t waited() const { return waited_; }

 private:
  asio::awaitable<void> arrive(clock::time_point from) {
    asio::steady_timer timer(context_);
    auto const end =
        from + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(settings_.seconds));
    bool const moves = settings_.moves_every > 0;
    bool const draws_all = moves || settings_.by_key;  // but sends only its own requests
    std::exponential_distribution<> pause(draws_all ? settings_.rate : settings_.rate / settings_.nodes);
    for (auto due = from; due < end;) {
      timer.expires_at(due);
      boost::system::error_code ignored;
      co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      double const since = std::chrono::duration<double>(due - from).count();
      auto const turn = moves ? static_cast<std::uint64_t>(since / settings_.moves_every) % settings_.nodes : number_;
      auto const key = choose_(random_);
      if (settings_.by_key ? key % settings_.nodes == number_ : turn == number_) request(key);
      due += std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(pause(random_)));
    }
    done_ = true;
  }
  void request(std::uint32_t key) {
    ports::payer who;
    std::optional<limits::window> longer;
    if (!settings_.addresses && settings_.per_day != 0) longer = limits::per_day(settings_.per_day);
    who.plan = limits::plan::of(limits::per_minute(settings_.per_minute), longer).value();
    if (settings_.addresses) {
      who.kind = ports::payer::kind::address;
      for (std::size_t i = 0; i < 4; ++i) who.address.bytes[15 - i] = static_cast<unsigned char>(key >> 8 * i);
    } else {
      who.kind = ports::payer::kind::identity;
      who.account = &source_->account_of(key + 1, who.plan);
    }
    auto coming = source_->charge(who, limits::now());
    if (coming.is_ready()) return note(key, coming.take());
    ++waited_;
    ++waiting_;
    asio::co_spawn(context_, wait_for(key, std::make_unique<ports::payer>(who), coming.work()), asio::detached);
  }
  /// The payer exists until the charge is complete.
  asio::awaitable<void> wait_for(std::uint32_t key, std::unique_ptr<ports::payer>,
                                 asio::awaitable<limits::verdict> work) {
    try {
      limits::verdict const v = co_await std::move(work);
      note(key, v);
    } catch (boost::system::system_error const&) {
      ++unanswered_;
    }
    --waiting_;
  }
  void note(std::uint32_t key, limits::verdict const& v) {
    limits::notice const told = limits::tell(v);
    answers_.push_back({.key = key,
                        .node = number_,
                        .at = clock::now(),
                        .reset_unix_s = told.short_window.reset_unix_s,
                        .admitted = told.admitted()});
  }

  settings const& settings_;
  key_chooser const& choose_;
  std::uint32_t number_ = 0;
  std::mt19937_64 random_;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard_{context_.get_executor()};
  std::unique_ptr<quota::redis_quota> source_;
  std::atomic<bool> done_{false};
  std::atomic<std::uint64_t> waiting_{0};
  // Only for the thread.
  std::vector<answer> answers_;
  std::uint64_t unanswered_ = 0;
  std::uint64_t waited_ = 0;
  std::jthread thread_;
};

/// Checks what clients were told. Ends of periods that differ by at most two seconds are one end, since they are
/// rounded.
struct audit {
  struct period {
    std::int64_t end = 0;
    std::uint64_t admitted = 0, refused = 0;
    std::uint64_t nodes = 0;  ///< the nodes that answered, a bit each
    clock::time_point first_refusal = clock::time_point::max(), last_admission{};
  };

  explicit audit(settings const& s) : settings_(s), periods_(s.keys) {}

  void hear(answer const& a) {
    auto& of_key = periods_[a.key];
    auto place = std::ranges::find_if(of_key, [&](period const& p) { return std::abs(p.end - a.reset_unix_s) <= 2; });
    if (place == of_key.end()) place = of_key.insert(of_key.end(), {.end = a.reset_unix_s});
    place->nodes |= std::uint64_t{1} << a.node;
    if (a.admitted)
      ++place->admitted, place->last_admission = std::max(place->last_admission, a.at);
    else
      ++place->refused, place->first_refusal = std::min(place->first_refusal, a.at);
  }
  void print() const {
    std::uint64_t triples = 0, over = 0, exhausted = 0, granted = 0;
    double longest = 0;
    for (auto const& of_key : periods_) {
      for (period const& p : of_key) {
        triples += static_cast<std::uint64_t>(__builtin_popcountll(p.nodes));
        over += p.admitted - std::min<std::uint64_t>(p.admitted, settings_.per_minute);
        if (p.refused == 0) continue;
        ++exhausted, granted += p.admitted;
        longest = std::max(longest, std::chrono::duration<double>(p.last_admission - p.first_refusal).count());
      }
    }
    std::cout << "\"least_calls\": " << triples << ", \"over_admissions\": " << over
              << ", \"exhausted_periods\": " << exhausted << ", \"granted_of_exhausted\": "
              << (exhausted == 0 ? 1.0
                                 : static_cast<double>(granted) / static_cast<double>(exhausted * settings_.per_minute))
              << ", \"longest_early_refusal_s\": " << longest;
  }

 private:
  settings const& settings_;
  std::vector<std::vector<period>> periods_;
};

void run(settings const& s) {
  key_chooser const choose(s.keys, s.zipf);
  std::vector<std::unique_ptr<node>> nodes;
  for (std::uint32_t i = 0; i < s.nodes; ++i) nodes.push_back(std::make_unique<node>(s, choose, i));
  auto const all = [&](auto&& is_so) { return std::ranges::all_of(nodes, is_so); };
  while (!all([&](auto const& n) { return n->counters().nodes >= s.nodes; })) std::this_thread::sleep_for(10ms);
  std::cout << "ready" << std::endl;  // bench/quota_redis begins to measure Redis now
  std::string go;
  std::getline(std::cin, go);
  auto const from = clock::now();
  for (auto const& n : nodes) n->begin(from);
  while (!all([](auto const& n) { return n->is_done(); })) std::this_thread::sleep_for(20ms);

  ports::shared_quota_figures sum;
  std::uint64_t waited = 0, unanswered = 0;
  for (auto const& n : nodes) {
    auto const c = n->counters();
    sum.calls += c.calls, sum.settlements += c.settlements;
    waited += n->waited(), unanswered += n->unanswered();
  }
  std::cout << "done" << std::endl;
  std::getline(std::cin, go);
  for (auto const& n : nodes) n->end();
  std::vector<answer> answers;
  for (auto const& n : nodes) answers.insert(answers.end(), n->answers().begin(), n->answers().end());
  std::ranges::sort(answers, {}, &answer::at);
  audit judged(s);
  for (answer const& a : answers) judged.hear(a);
  auto const admitted = std::ranges::count_if(answers, &answer::admitted);
  std::cout << "{\"requests\": " << answers.size() + unanswered << ", \"admitted\": " << admitted
            << ", \"unanswered\": " << unanswered << ", \"waited\": " << waited << ", \"calls\": " << sum.calls
            << ", \"settlements\": " << sum.settlements << ", ";
  judged.print();
  std::cout << "}" << std::endl;
}

}  // namespace
}  // namespace petstore::bench

int main(int argc, char** argv) {
  petstore::bench::settings s;
  CLI::App app{"Charges many shared quotas on several nodes. Waits for a line on its input before it begins and ends."};
  app.add_option("--redis", s.redis, "redis://…")->required();
  app.add_option("--keys", s.keys)->check(CLI::Range(1u, 10'000'000u));
  app.add_option("--zipf", s.zipf, "exponent; 0: uniform")->check(CLI::Range(0.0, 4.0));
  app.add_option("--rate", s.rate, "requests a second, of all nodes")->check(CLI::Range(1.0, 200'000.0));
  app.add_option("--seconds", s.seconds)->check(CLI::Range(0.1, 3'600.0));
  app.add_option("--nodes", s.nodes)->check(CLI::Range(1u, 64u));
  app.add_option("--per-minute", s.per_minute)->check(CLI::Range(1u, 16'777'215u));
  app.add_option("--per-day", s.per_day, "0: none")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{petstore::limits::long_tokens_max}));
  app.add_flag("--addresses", s.addresses, "of callers without a key, instead of identities");
  app.add_flag("--by-key", s.by_key, "each key has its node");
  app.add_option("--moves-every", s.moves_every, "seconds, then all traffic goes to the next node; 0: to all");
  CLI11_PARSE(app, argc, argv);
  try {
    petstore::bench::run(s);
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
