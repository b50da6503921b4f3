// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/quota_watch.hpp"

#include <cstdlib>
#include <string>
#include <utility>

#include "petstore/key_record.hpp"
#include "petstore/limits/notice.hpp"

namespace petstore::server {
namespace {

/// A request of a period may end after the first one of the next period. This is longer than any request takes.
constexpr std::int64_t forgotten_after_s = 3'600;

/// Returns by how much two ends of one period may differ. A period that began with a request ends by the boot clock, so
/// by the wall clock it ends a little earlier or later each time. The next one ends a whole length later.
std::int64_t tolerance_s(limits::period p) noexcept {
  return p.is_aligned() ? 0 : (p.longest().count() - 1) / 2;
}

std::string sentence(quota_threshold const& t) {
  return key_id(t.identity) + " has used " + std::to_string(t.percent) + " % of its quota of the " +
         limits::name_of(t.window) + ": " + std::to_string(t.used) + " of " + std::to_string(t.limit) +
         " tokens, by a request of " + key_id(t.key);
}

}  // namespace

quota_watch::quota_watch(quota_threshold_function tell, log_function log)
    : tell_{std::move(tell)}, log_{std::move(log)} {}

bool quota_watch::span::equals(span const& other) const noexcept {
  return window == other.window && limit == other.limit && std::abs(end - other.end) <= tolerance_s(window);
}

bool quota_watch::span::is_before(span const& other) const noexcept {
  return window == other.window && other.end - end > tolerance_s(window);
}

std::size_t quota_watch::subject::hash() const noexcept {
  return static_cast<std::size_t>(((reinterpret_cast<std::uintptr_t>(account) ^ identity) * 0x9e37'79b9'7f4a'7c15ULL) >>
                                  32);
}

quota_watch::reading quota_watch::read(limits::verdict const& v) noexcept {
  auto const now = limits::tell(v).long_window;
  reading r{.span = {.window = now.period, .limit = now.quota, .end = now.reset_unix_s},
            .used = now.used,
            .at = std::chrono::floor<std::chrono::seconds>(v.at.wall.time_since_epoch()).count()};
  for (std::size_t i = 0; i < quota_marks.size(); ++i)
    if (now.quota != 0 && r.used * 100 >= now.quota * quota_marks[i]) r.reached |= 1U << i;
  return r;
}

void quota_watch::note_past(limits::account const* account, limits::verdict const& v) {
  auto const r = read(v);
  if (r.reached != 0) claim({.account = account, .identity = 0}, r);
}

/// Returns the marks that this thread is to tell.
unsigned quota_watch::claim(subject const& whose, reading const& r) {
  std::lock_guard const lock{mutex_};
  forget_past(r.at);
  auto& known = accounts_[whose];
  if (r.span.is_before(known.span)) return 0;
  if (!r.span.equals(known.span)) known = {.span = r.span};
  unsigned const news = r.reached & ~known.told;
  known.told |= news;
  return news;
}

void quota_watch::forget_past(std::int64_t now) {
  if (std::abs(now - forgot_at_) < forgotten_after_s) return;
  forgot_at_ = now;
  std::erase_if(accounts_, [&](auto const& entry) { return entry.second.span.end < now - forgotten_after_s; });
}

void quota_watch::observer::look_closely(subject const& whose, std::uint64_t key, std::uint64_t identity,
                                         limits::verdict const& v, log_origin const& origin) {
  auto const r = read(v);
  auto& [known, last] = seen_[whose.hash() % seen_.size()];
  bool const is_same = known == whose && last.span.equals(r.span);
  if (is_same && (r.reached & ~last.told) == 0) return;
  unsigned const news = shared_.claim(whose, r);
  known = whose;
  last = {.span = r.span, .told = r.reached};
  for (std::size_t i = 0; i < quota_marks.size(); ++i) {
    if ((news & 1U << i) == 0) continue;
    counters_.count(counted::thresholds, i);
    quota_threshold const event{.key = key,
                                .identity = identity,
                                .window = r.span.window,
                                .percent = quota_marks[i],
                                .limit = r.span.limit,
                                .used = r.used,
                                .resets_at = std::chrono::sys_seconds{std::chrono::seconds{r.span.end}}};
    try {
      if (shared_.log_) shared_.log_(severity::info, "quota_threshold", sentence(event), origin);
      if (shared_.tell_) shared_.tell_(event);
    } catch (...) {  // a host's function; the request has been answered
    }
  }
}

}  // namespace petstore::server
