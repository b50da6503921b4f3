// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The audit against nodes that hold tokens ahead of need, as server/quota/redis does: a model of it in virtual time.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <utility>
#include <vector>

#include "bench/load/audit/simulated_service.hpp"

BOOST_AUTO_TEST_SUITE(audit_shared_test)

namespace {

using namespace petstore::load;
using namespace petstore::load;
using namespace std::chrono_literals;
namespace limits = petstore::limits;

constexpr std::int64_t quota = 300;
constexpr nanoseconds refusal_kept = 1100ms;

struct node {
  std::int64_t held = 0;
  std::int64_t told_left = 0;  // by the server at the last call, less what was used since
  nanoseconds refuses_until{};
};

struct model {
  explicit model(std::uint64_t seed, std::size_t count = 3) : random(seed), nodes(count) {}

  chance random;
  std::vector<node> nodes;
  std::int64_t used = 0;  // and held, as the server counts
  nanoseconds period_ends{};
  // Mistakes that can be made on purpose
  std::int64_t really = quota;  // tokens of a period, whatever is told
  double forgets_to_count = 0;  // share of the grants that are not debited
  bool tells_nothing_is_used = false;

  void drop_what_is_over(node& n, nanoseconds now) const {
    if (now >= period_ends) n.held = 0;
  }
  void recall() {
    for (auto& each : nodes) used -= std::exchange(each.held, 0);
  }

  bool admits(node& n, nanoseconds now) {
    for (auto& each : nodes) drop_what_is_over(each, now);
    if (n.held == 0 && now >= n.refuses_until) acquire(n, now);
    if (n.held == 0) return false;
    --n.held;
    --n.told_left;
    return true;
  }

  void acquire(node& n, nanoseconds now) {
    if (now >= period_ends) {
      used = 0;
      period_ends = now + 60s;
    }
    if (really <= used) recall();
    auto const left = really - used;
    if (left <= 0) {
      n.refuses_until = std::min(now + refusal_kept, period_ends);
      n.told_left = 0;
      return;
    }
    auto const part = left / (2 * static_cast<std::int64_t>(nodes.size()));
    n.held = std::clamp<std::int64_t>(part, 1, random.between(1, 40));
    n.told_left = quota - used;
    if (random.fraction() >= forgets_to_count) used += n.held;
  }

  /// `rate` requests a second for four minutes; `which` chooses the node.
  audit_figures run(double rate, std::function<std::size_t(std::size_t)> which, nanoseconds latency = 30ms) {
    struct request {
      nanoseconds sent, decided, received;
      std::size_t node;
    };
    std::vector<request> requests;
    auto const count = static_cast<std::size_t>(240 * rate);
    for (std::size_t i = 0; i < count; ++i) {
      nanoseconds const sent(static_cast<std::int64_t>(static_cast<double>(i) / rate * 1e9));
      auto const decided = sent + nanoseconds(random.between(0, latency.count()));
      requests.push_back({sent, decided, decided + nanoseconds(random.between(1, latency.count())), which(i)});
    }
    std::ranges::sort(requests, {}, &request::decided);
    auditor by(1);
    for (auto const& r : requests) {
      auto& n = nodes[r.node];
      bool const admitted = admits(n, r.decided);
      observe(by, answer(n, admitted, r.decided), r.sent, r.received, static_cast<std::uint16_t>(r.node));
    }
    std::array<auditor const*, 1> const one{&by};
    std::vector<api_key> const keys{{"the key", "secret", {{"minute", quota, 60s, false}}}};
    return judge(one, keys, {true, true, true}, run_begin());
  }

  told_answer answer(node const& n, bool admitted, nanoseconds now) const {
    told_answer told;
    told.status = admitted ? 200 : 429;
    told.decided = now;
    auto& of = told.of;
    of.decision = admitted ? limits::decision::admitted : limits::decision::rate_limited;
    of.short_exhausted = !admitted;
    auto const left = !admitted ? 0 : tells_nothing_is_used ? quota - 1 : std::max<std::int64_t>(0, n.told_left);
    auto const wait = std::chrono::ceil<std::chrono::seconds>(std::max<nanoseconds>(1ns, period_ends - now)).count();
    auto const end = std::chrono::ceil<std::chrono::seconds>(1'795'262'400s + 700ms + period_ends).count();
    of.short_window = {static_cast<std::uint64_t>(quota), static_cast<std::uint64_t>(left), end, wait};
    of.remaining = static_cast<std::uint64_t>(left);
    of.reset_unix_s = end;
    of.retry_after_s = wait;
    return told;
  }
};

std::size_t hopping(std::size_t request) {
  return request % 3;
}
std::size_t mostly_first(std::size_t request) {
  return request % 10 == 0 ? request / 10 % 3 : 0;
}

BOOST_AUTO_TEST_CASE(nodes_with_leases_are_never_accused) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (auto const rate : {4.0, 20.0, 100.0})
      for (auto const which : {hopping, mostly_first}) {
        auto const figures = model(seed).run(rate, which, seed % 2 == 0 ? 30ms : 1'000ms);
        for (auto const& f : figures.findings) BOOST_ERROR(rate << "/s: " << f.rule << ": " << f.text);
        BOOST_TEST(figures.admissions >= 3U * quota);
      }
}

BOOST_AUTO_TEST_CASE(grant_that_was_not_counted_is_found) {
  model m(1);
  m.forgets_to_count = 0.2;
  BOOST_TEST(rules_of(m.run(20, hopping)).find("over-admission") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(fifth_of_a_quota_that_is_never_granted_is_found) {
  model m(1);
  m.really = quota * 4 / 5;
  BOOST_TEST(rules_of(m.run(20, hopping)) == "refused-early");
}

BOOST_AUTO_TEST_CASE(remaining_that_never_falls_is_found) {
  model m(1);
  m.tells_nothing_is_used = true;
  BOOST_TEST(rules_of(m.run(20, hopping)) == "remaining");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
