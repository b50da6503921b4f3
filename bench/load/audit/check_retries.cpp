// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <string>
#include <vector>

#include "audit/checks.hpp"

namespace petstore::load {
namespace {

struct told_wait {
  note const* refusal = nullptr;
  nanos over_most = 0;   // the latest end of the wait
  nanos over_least = 0;  // the earliest end of the wait
};

/// The two longest waits so far, of two refusals, so that a refusal can be compared with the other refusals.
class longest_waits {
 public:
  void add(told_wait const& w) {
    if (first_.refusal == nullptr || w.over_most > first_.over_most) {
      second_ = first_;
      first_ = w;
    } else if (second_.refusal == nullptr || w.over_most > second_.over_most) {
      second_ = w;
    }
  }
  told_wait const& without(note const& n) const noexcept { return first_.refusal == &n ? second_ : first_; }

 private:
  told_wait first_, second_;
};

/// Whether a request that may have taken a token may have been decided between these times.
bool something_between(std::vector<note const*> const& by_sent, nanos after, nanos before) {
  auto end = std::ranges::lower_bound(by_sent, before, {}, [](note const* n) { return n->sent; });
  return std::any_of(by_sent.begin(), end, [&](note const* n) {
    return (n->status == 0 ? n->received + late_decision : n->received) > after;
  });
}

}  // namespace

void check_retries(history const& of, finding_list& out) {
  if (!of.exclusive) return;
  std::vector<note const*> takers;  // by time of sending
  for (auto const& n : of.notes)
    if (auto const c = charge_of(n, of.has_key); c == charge::surely || c == charge::maybe) takers.push_back(&n);
  longest_waits waits;
  std::size_t heard = 0;
  for (auto const& n : of.notes) {
    if (n.status != 429 || n.retry_after < 0) continue;
    for (; heard < of.notes.size() && of.notes[heard].sent < n.received; ++heard) {
      auto const& other = of.notes[heard];
      if (other.status != 429 || other.retry_after < 0) continue;
      auto const wait = other.retry_after * second_ns;
      waits.add({&other, other.received + wait, other.sent + wait - second_ns});
    }
    if (n.banned && of.shared) continue;  // strikes are reported late, and a node may learn of a ban late
    auto const& told = waits.without(n);
    if (told.refusal == nullptr || n.sent < told.over_most) continue;
    if (something_between(takers, told.over_least, n.received)) continue;
    out.add(of, "retry-after", n.received,
            "a refusal at " + of.time_of(told.refusal->received) + " said to come back in " +
                std::to_string(told.refusal->retry_after) + " s; a request at " + of.time_of(n.sent) +
                " was refused again, with none admitted in between");
    return;
  }
}

}  // namespace petstore::load
