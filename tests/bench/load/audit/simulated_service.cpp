// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "bench/load/audit/simulated_service.hpp"

#include <algorithm>
#include <array>
#include <ctime>

namespace petstore::load {
namespace {

using namespace std::chrono_literals;

constexpr nanoseconds boot_at_begin = 5'000s + 300ms;
constexpr nanoseconds wall_at_begin = 1'795'262'400s + 700ms;  // noon

std::string policies(limits::notice const& n) {
  return "\"minute\";q=" + std::to_string(n.short_window.quota) + ";w=60" +
         (n.has_long ? ", \"day\";q=" + std::to_string(n.long_window.quota) + ";w=86400" : "");
}

std::string states(limits::notice const& n) {
  bool const some = n.short_exhausted || n.long_exhausted;
  std::string text;
  auto const add = [&](char const* name, auto const& quota) {
    text += (text.empty() ? "" : ", ") + ("\"" + std::string(name)) + "\";r=" + std::to_string(quota.remaining) +
            ";t=" + std::to_string(quota.more_in_s);
  };
  if (n.decision == limits::decision::banned && !some) return text;
  if (!some || n.short_exhausted) add("minute", n.short_window);
  if (n.has_long && (!some || n.long_exhausted)) add("day", n.long_window);
  return text;
}

}  // namespace

std::string http_date(nanoseconds wall) {
  std::time_t const seconds = std::chrono::duration_cast<std::chrono::seconds>(wall).count();
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 40> text;
  std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return text.data();
}

instant run_begin() noexcept {
  return instant{} + 1h;
}

limits::instant simulated_service::at(nanoseconds since_begin) const {
  return {limits::boot_time{boot_at_begin + since_begin}, limits::wall_time{wall_at_begin + since_begin}};
}

void simulated_service::send_evenly(std::size_t count, nanoseconds from, nanoseconds to) {
  for (std::size_t i = 0; i < count; ++i)
    send(from + (to - from) * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(count));
}

void observe(auditor& by, told_answer const& told, nanoseconds sent, nanoseconds received, std::uint16_t target,
             std::uint16_t key) {
  auto const& n = told.of;
  auto const limit = std::to_string(n.limit()), remaining = std::to_string(n.remaining),
             reset = std::to_string(n.reset_unix_s), retry_after = std::to_string(n.retry_after_s),
             policy = policies(n), state = states(n), date = http_date(wall_at_begin + told.decided);
  answer_view answer;
  answer.status = told.status;
  answer.noted.limit = limit;
  answer.noted.remaining = remaining;
  answer.noted.reset = reset;
  answer.noted.resource = n.shown == limits::resource::short_window ? "minute" : "day";
  answer.noted.date = date;
  if (told.has_draft) {
    answer.noted.rate_limit_policy = policy;
    answer.noted.rate_limit = state;
  }
  if (told.status == 429) answer.noted.retry_after = retry_after;
  if (n.decision == limits::decision::banned) answer.body = R"({"code":"banned"})";
  by.observe({key, target, run_begin() + sent, run_begin() + received, &answer});
}

audit_figures simulated_service::judged(audit_settings const& terms, std::vector<promised_quota> const& promises) {
  struct request {
    nanoseconds sent, decided, received;
    bool fails, is_lost;
  };
  std::vector<request> requests;
  for (auto const sent : sent_) {
    auto const decided = sent + nanoseconds(random_.between(0, latency_max.count()));
    auto const received = decided + nanoseconds(random_.between(1, latency_max.count() + 1));
    requests.push_back({sent, decided, received, random_.fraction() < failing, random_.fraction() < unanswered});
  }
  std::ranges::sort(requests, {}, &request::decided);
  auditor first(2), second(2);  // as two workers would
  for (auto const& r : requests) {
    auto verdict = account_.charge(plan, bans, at(r.decided));
    auto& by = random_.below(2) == 0 ? first : second;
    if (r.is_lost) {
      by.observe({0, 0, run_begin() + r.sent, run_begin() + r.received, nullptr});
      continue;
    }
    told_answer told;
    if (verdict.refused()) {
      told.status = 429;
    } else if (r.fails) {
      told.status = 503;
      verdict = account_.refund(verdict, plan, at(r.decided));
    }
    told.of = limits::tell(verdict);
    told.has_draft = has_draft;
    told.decided = r.decided;
    spoil(told, r.decided);
    ++(told.status == 429 ? refused : admitted);
    observe(by, told, r.sent, r.received);
  }
  std::array<auditor const*, 2> const both{&first, &second};
  std::vector<api_key> const keys{{"the key", "secret", promises}};
  return judge(both, keys, terms, run_begin());
}

std::string rules_of(audit_figures const& figures) {
  std::string rules;
  for (auto const& f : figures.findings)
    if (rules.find(f.rule) == std::string::npos) rules += (rules.empty() ? "" : " ") + f.rule;
  return rules;
}

}  // namespace petstore::load
