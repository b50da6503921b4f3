// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/quota_watch.hpp"

#include <string>
#include <utility>

#include "petstore/limits/notice.hpp"

namespace petstore::server {
namespace {

constexpr std::int64_t day_length_s = 86'400;

std::size_t hash_of(limits::account const& a) noexcept {
  return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(&a) * 0x9e37'79b9'7f4a'7c15ULL) >> 56);
}

std::string sentence(quota_threshold const& t) {
  return "k" + std::to_string(t.identity) + " has used " + std::to_string(t.percent) +
         " % of its quota of the day: " + std::to_string(t.used) + " of " + std::to_string(t.limit) +
         " tokens, by a request of k" + std::to_string(t.key);
}

}  // namespace

quota_watch::quota_watch(quota_threshold_function tell, log_function log)
    : tell_{std::move(tell)}, log_{std::move(log)} {}

quota_watch::reading quota_watch::read(limits::verdict const& v) noexcept {
  auto const day = limits::tell(v).day;
  reading r{.day_end = day.reset_unix_s, .limit = day.quota, .used = day.used()};
  for (std::size_t i = 0; i < quota_marks.size(); ++i)
    if (day.quota != 0 && r.used * 100 >= day.quota * quota_marks[i]) r.reached |= 1U << i;
  return r;
}

void quota_watch::note_past(limits::account const* account, limits::verdict const& v) {
  auto const r = read(v);
  if (r.reached != 0) claim(account, r);
}

/// Returns the marks that this thread is to tell.
unsigned quota_watch::claim(limits::account const* account, reading const& r) {
  std::lock_guard const lock{mutex_};
  if (r.day_end > day_end_) {
    day_end_ = r.day_end;
    // A request of the day before may end later than the first one of this day.
    std::erase_if(accounts_, [&](auto const& entry) { return entry.second.day_end < r.day_end - day_length_s; });
  }
  auto& known = accounts_[account];
  if (r.day_end < known.day_end) return 0;
  if (r.day_end != known.day_end || r.limit != known.limit) known = {.day_end = r.day_end, .limit = r.limit};
  unsigned const news = r.reached & ~known.told;
  known.told |= news;
  return news;
}

void quota_watch::lane::look_closely(limits::account const& account, std::uint64_t key, std::uint64_t identity,
                                     limits::verdict const& v, log_origin const& origin) {
  auto const r = read(v);
  auto& [whose, last] = seen_[hash_of(account)];
  bool const is_same = whose == &account && last.day_end == r.day_end && last.limit == r.limit;
  if (is_same && (r.reached & ~last.told) == 0) return;
  unsigned const news = shared_.claim(&account, r);
  whose = &account;
  last = {.day_end = r.day_end, .limit = r.limit, .told = r.reached};
  for (std::size_t i = 0; i < quota_marks.size(); ++i) {
    if ((news & 1U << i) == 0) continue;
    counters_.count_threshold(i);
    quota_threshold const event{.key = key,
                                .identity = identity,
                                .percent = quota_marks[i],
                                .limit = r.limit,
                                .used = r.used,
                                .resets_at = std::chrono::sys_seconds{std::chrono::seconds{r.day_end}}};
    if (shared_.log_) shared_.log_(severity::info, "quota_threshold", sentence(event), origin);
    if (shared_.tell_) shared_.tell_(event);
  }
}

}  // namespace petstore::server
