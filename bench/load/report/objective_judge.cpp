// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>

#include "report/objective.hpp"
#include "report/wording.hpp"

namespace petstore::load {
namespace {

using subject = objective::subject;
using statistic = objective::statistic;
using relation = objective::relation;

bool compared(double left, relation is, double right) noexcept {
  switch (is) {
    case relation::less: return left < right;
    case relation::less_or_equal: return left <= right;
    case relation::more: return left > right;
    case relation::more_or_equal: return left >= right;
    case relation::equal: return left == right;
    case relation::not_equal: return left != right;
  }
  return false;
}

/// A figure and its text; nullopt if there is none.
struct figure {
  std::optional<double> value;
  std::string words;
};

operation_figures const* operation_named(results const& found, std::string const& name) {
  auto const at = std::find_if(found.operations.begin(), found.operations.end(),
                               [&](operation_figures const& operation) { return operation.name == name; });
  return at == found.operations.end() ? nullptr : &*at;
}

figure duration_figure(objective const& asked, histogram const& of) {
  if (of.empty()) return {};
  auto const value = asked.of == statistic::mean  ? of.mean()
                     : asked.of == statistic::min ? of.min()
                     : asked.of == statistic::max ? of.max()
                                                  : of.quantile(asked.quantile);
  return {static_cast<double>(value.count()), duration_words(value)};
}

figure counted_figure(objective const& asked, std::uint64_t count, std::uint64_t of) {
  if (!asked.bound_is_share) return {static_cast<double>(count), count_text(count)};
  if (of == 0) return {};
  auto const share = static_cast<double>(count) / static_cast<double>(of);
  return {share, share_text(share)};
}

/// The rate of one operation: its answers within the run, like rate_of for all.
double rate_of_operation(results const& found, std::size_t index) {
  std::uint64_t answers = 0;
  for (auto const& interval : found.intervals)
    if (interval.begin < found.duration) answers += interval.operations[index].counted.answers;
  return static_cast<double>(answers) / std::chrono::duration<double>(found.duration).count();
}

figure observe(objective const& asked, results const& found) {
  auto const* operation = asked.operation.empty() ? nullptr : operation_named(found, asked.operation);
  if (operation == nullptr && !asked.operation.empty()) return {};
  auto const counted = operation ? operation->counted : totals_of(found);
  switch (asked.about) {
    case subject::latency: return duration_figure(asked, operation ? operation->latency : latency_of(found));
    case subject::service: return duration_figure(asked, operation ? operation->service : service_of(found));
    case subject::lag: return duration_figure(asked, found.lag);
    case subject::rate: {
      if (found.duration.count() <= 0) return {};
      auto const index = operation ? static_cast<std::size_t>(operation - found.operations.data()) : 0;
      auto const rate = operation ? rate_of_operation(found, index) : rate_of(found);
      return {rate, rate_words(rate)};
    }
    case subject::requests: {
      auto const requests = operation ? counted.answers : found.due;
      return {static_cast<double>(requests), count_text(requests)};
    }
    case subject::errors: {
      auto const kind = found.errors.find(asked.error);
      auto const count = asked.error == error_kind::none ? counted.errors
                         : kind == found.errors.end()    ? 0
                                                         : kind->second.count;
      return counted_figure(asked, count, found.due);
    }
    case subject::status: {
      std::uint64_t count = 0, answers = 0;  // to all attempts
      for (auto const& [status, times] : statuses_of(found)) {
        answers += times;
        if (status >= asked.status_first && status <= asked.status_last) count += times;
      }
      return counted_figure(asked, count, answers);
    }
    case subject::audit:
      if (!found.audit) return {};
      return {static_cast<double>(found.audit->findings.size()), count_text(found.audit->findings.size())};
  }
  return {};
}

}  // namespace

judgement judge(objective const& asked, results const& found) {
  auto subject_text = asked.text.substr(0, asked.text.find_first_of("<>=!"));
  while (subject_text.ends_with(' ')) subject_text.pop_back();
  auto const seen = observe(asked, found);
  if (!seen.value) return {std::nullopt, subject_text + ": there is no such figure"};
  return {compared(*seen.value, asked.is, asked.bound), subject_text + " is " + seen.words};
}

judged_condition judged(objective const& asked, results const& found) {
  auto const judgement = judge(asked, found);
  return {asked.text, judgement.observed, judgement.holds.value_or(true)};
}

}  // namespace petstore::load
