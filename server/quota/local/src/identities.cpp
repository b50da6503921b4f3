// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "identities.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace petstore::quota {
namespace {

/// How many buckets of stored states are looked at under one lock.
constexpr std::size_t at_a_time = 64;
/// How many others a new account looks at, where there is no writer. So in the long run, at most a quarter of the
/// accounts are there without need.
constexpr std::size_t looked_at_by_a_new_one = 4;

/// How long an account is not used before it is forgotten: getQuota's bucket, of a minute, is full again by then, also
/// as the time of use is rounded down to a second.
constexpr std::chrono::seconds unused_for{61};
/// How long an aligned period has been over: the wall clock may be set back by as much without granting anything.
constexpr std::chrono::hours aligned_over_for{1};

}  // namespace

identities::identities(ports::current_bans const& bans, std::function<limits::instant()> clock, forgetting how,
                       std::size_t most)
    : bans_(bans), clock_(std::move(clock)), how_(how), most_(most) {}

void identities::restore_later(std::uint64_t identity, kept_quota const& kept) {
  shard_of(identity).saved.insert_or_assign(identity, kept);
}

limits::account& identities::account_of(std::uint64_t identity, limits::plan const& plan, std::uint64_t resets) {
  shard& s = shard_of(identity);
  std::lock_guard const lock(s.mutex);
  owner& first = find_or_make(s, identity, plan, resets);
  keep(first);
  if (first.now().resets < resets) {
    first.newest = &s.renewed.emplace_back(identity);
    first.newest->resets = resets;
    first.newest->second = second_of(clock_());
  }
  first.now().plan = plan;
  return first.now().account;
}

limits::account& identities::account_of(std::uint64_t identity) {
  shard& s = shard_of(identity);
  std::lock_guard const lock(s.mutex);
  owner& first = find_or_make(s, identity, limits::plan{limits::per_minute(1)}, std::nullopt);
  keep(first);
  return first.now().account;
}

identities::owner& identities::find_or_make(shard& s, std::uint64_t identity, limits::plan const& plan,
                                            std::optional<std::uint64_t> resets) {
  owner*& known = s.first_of[identity];
  if (known) return *known;
  limits::instant const now = clock_();  // may throw, so it comes before an account is made
  if (how_ == forgetting::by_new_ones) forget_some(s, now);
  owner& first = make(s, identity);
  known = &first;
  first.plan = plan;
  auto const saved = s.saved.extract(identity);
  first.resets = resets.value_or(saved ? saved.mapped().resets : 0);
  if (!saved || saved.mapped().resets < first.resets) return first;  // nothing was used since the last reset
  first.account.restore(saved.mapped().account, plan, bans_.get(), now);
  first.written = saved.mapped().account;
  return first;
}

/// An identity that is stored is known, however many there are.
identities::owner& identities::find_or_admit(shard& s, std::uint64_t identity, limits::plan const& plan) {
  auto const known = s.first_of.find(identity);
  if (known != s.first_of.end() && known->second) return *known->second;
  if (is_full() && how_ == forgetting::by_new_ones) forget_some(s, clock_());
  if (!is_full() || s.saved.contains(identity)) return find_or_make(s, identity, plan, std::nullopt);
  throw boost::system::system_error(make_error_code(boost::system::errc::no_buffer_space),
                                    "no identity can be forgotten for another one; local_options::identities_max");
}

void identities::keep(owner& first) noexcept {
  if (!std::exchange(first.is_kept, true)) not_kept_.fetch_sub(1, std::memory_order_relaxed);
}

identities::owner& identities::make(shard& s, std::uint64_t identity) {
  if (s.open.empty()) {
    s.blocks.push_back(std::make_unique<block<owner>>());
    s.open.push_back(*s.blocks.back());
  }
  auto& first_open = s.open.front();
  owner& made = first_open.emplace(identity);
  not_kept_.fetch_add(1, std::memory_order_relaxed);
  if (first_open.is_full()) s.open.pop_front();
  return made;
}

void identities::for_each(std::function<bool(visited const&)> const& visit) {
  struct noted {
    std::size_t place;
    visited what;
  };
  std::vector<noted> some;
  some.reserve(block<owner>::size);
  for (shard& s : shards_) {
    // The loop goes from the last block to the first: a block that takes the place of an empty one is new or was
    // visited.
    for (std::size_t next = std::numeric_limits<std::size_t>::max(); next != 0;) {
      some.clear();
      {
        std::lock_guard const lock(s.mutex);
        next = std::min(next, s.blocks.size());
        if (next == 0) break;
        --next;
        for (std::size_t place = 0; place < block<owner>::size; ++place)
          if (owner* const first = s.blocks[next]->find(place))
            some.push_back({place, {&first->now(), first->now().plan, first->is_kept}});
      }
      std::erase_if(some, [&](noted const& one) { return !visit(one.what); });
      if (some.empty()) continue;
      limits::instant const now = clock_();
      std::lock_guard const lock(s.mutex);
      for (noted const& one : some) forget_if_unused(s, next, one.place, now);
    }
  }
}

void identities::forget_stored(std::function<bool(std::uint64_t, limits::saved_account const&)> const& is_useless) {
  std::vector<std::uint64_t> useless;
  for (shard& s : shards_) {
    useless.clear();
    std::lock_guard const lock(s.mutex);
    for (std::size_t i = 0; i < at_a_time && !s.saved.empty(); ++i) {
      s.bucket = (s.bucket + 1) % s.saved.bucket_count();
      for (auto one = s.saved.cbegin(s.bucket); one != s.saved.cend(s.bucket); ++one)
        if (is_useless(one->first, one->second.account)) useless.push_back(one->first);
    }
    for (std::uint64_t const identity : useless) s.saved.erase(identity);
  }
}

bool identities::counts_nothing(limits::saved_account const& saved, limits::instant now) noexcept {
  std::int64_t const edge =
      std::chrono::floor<std::chrono::milliseconds>((now.wall - aligned_over_for).time_since_epoch()).count();
  return saved.short_end_unix_ms == 0 && saved.full_at_unix_ms == 0 && saved.long_end_unix_ms < edge &&
         saved.announced_until_unix_ms == 0 && saved.strikes_gone_at_unix_ms == 0 && saved.ban_until_unix_ms == 0 &&
         saved.bans_begun_unix_ms.front() == 0;
}

void identities::forget_if_unused(shard& s, std::size_t number, std::size_t place, limits::instant now) {
  constexpr limits::plan any_plan{limits::per_minute(1)};  // when a period is over is the same under every plan
  auto& in = *s.blocks[number];
  owner* const one = in.find(place);
  limits::instant const then = now + -unused_for;
  bool const is_unused =
      one && !one->is_kept && one->resets == 0 && std::chrono::seconds{one->second} <= then.boot.time_since_epoch();
  if (!is_unused || !counts_nothing(one->account.save(any_plan, then), then)) return;
  s.first_of.erase(one->identity);
  if (in.is_full()) s.open.push_back(in);
  in.erase(place);
  not_kept_.fetch_sub(1, std::memory_order_relaxed);
  if (!in.is_empty()) return;
  s.open.erase(s.open.iterator_to(in));
  std::swap(s.blocks[number], s.blocks.back());
  s.blocks.pop_back();
}

void identities::forget_some(shard& s, limits::instant now) {
  for (std::size_t i = 0; i < looked_at_by_a_new_one && !s.blocks.empty(); ++i) {
    std::size_t const places = s.blocks.size() * block<owner>::size;
    if (s.hand == 0 || s.hand > places) s.hand = places;
    --s.hand;
    forget_if_unused(s, s.hand / block<owner>::size, s.hand % block<owner>::size, now);
  }
}

}  // namespace petstore::quota
