// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/objective.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "schedule/load_shape.hpp"

namespace petstore::load {
namespace {

using subject = objective::subject;
using statistic = objective::statistic;
using relation = objective::relation;

constexpr std::string_view known_subjects =
    "p50, p99.9, mean, min, max, service_p99, lag_p99, rate, requests, errors, status(500), audit";

/// Reads a text from left to right and counts the columns.
class reader {
 public:
  explicit reader(std::string_view text) : text_(text) { skip_spaces(); }

  std::size_t column() const noexcept { return at_ + 1; }
  bool at_end() const noexcept { return at_ == text_.size(); }
  std::string_view rest() const noexcept { return text_.substr(at_); }

  bool take(std::string_view expected) noexcept {
    if (!rest().starts_with(expected)) return false;
    advance(expected.size());
    return true;
  }
  template <class Predicate>
  std::string_view take_while(Predicate belongs) noexcept {
    auto const left = rest();
    auto const end = static_cast<std::size_t>(std::find_if_not(left.begin(), left.end(), belongs) - left.begin());
    advance(end);
    return left.substr(0, end);
  }

 private:
  void advance(std::size_t by) noexcept {
    at_ += by;
    skip_spaces();
  }
  void skip_spaces() noexcept {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

parsed<objective> mistake(std::size_t column, std::string const& what) {
  return {{}, "column " + std::to_string(column) + ": " + what};
}

/// Reads a number without a sign, since no figure is negative.
std::optional<double> number(std::string_view text) noexcept {
  double value = 0;
  if (text.starts_with('-')) return std::nullopt;
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "p99.9", "mean", "min", "max"
bool parse_statistic(std::string_view name, objective& to) noexcept {
  constexpr std::array names{std::pair{std::string_view("mean"), statistic::mean},
                             std::pair{std::string_view("min"), statistic::min},
                             std::pair{std::string_view("max"), statistic::max}};
  for (auto const& [known, value] : names) {
    if (known != name) continue;
    to.of = value;
    return true;
  }
  if (!name.starts_with('p')) return false;
  auto const percent = number(name.substr(1));
  if (!percent || *percent <= 0 || *percent > 100) return false;
  to.of = statistic::quantile;
  to.quantile = *percent / 100;
  return true;
}

bool parse_subject(std::string_view name, objective& to) noexcept {
  constexpr std::array names{
      std::pair{std::string_view("rate"), subject::rate}, std::pair{std::string_view("requests"), subject::requests},
      std::pair{std::string_view("errors"), subject::errors}, std::pair{std::string_view("status"), subject::status},
      std::pair{std::string_view("audit"), subject::audit}};
  for (auto const& [known, value] : names) {
    if (known != name) continue;
    to.about = value;
    return true;
  }
  to.about = subject::latency;
  for (auto const& [prefix, value] :
       {std::pair{std::string_view("service_"), subject::service}, std::pair{std::string_view("lag_"), subject::lag}}) {
    if (!name.starts_with(prefix)) continue;
    to.about = value;
    name.remove_prefix(prefix.size());
  }
  return parse_statistic(name, to);
}

/// "404" or "4xx"
bool parse_statuses(std::string_view text, objective& to) noexcept {
  if (text.size() != 3 || text[0] < '1' || text[0] > '9') return false;
  auto const first = static_cast<unsigned>(text[0] - '0') * 100;
  if (text.substr(1) == "xx") {
    to.status_first = static_cast<std::uint16_t>(first);
    to.status_last = static_cast<std::uint16_t>(first + 99);
    return true;
  }
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), to.status_first);
  to.status_last = to.status_first;
  return fault == std::errc{} && end == text.data() + text.size();
}

/// Reads the argument in parentheses; returns the mistake, if any.
std::string parse_argument(std::string_view argument, objective& to) {
  switch (to.about) {
    case subject::status:
      if (parse_statuses(argument, to)) return {};
      return "a status is three digits, as 404, or a class, as 5xx; not '" + std::string(argument) + "'";
    case subject::errors:
      if (auto const kind = error_kind_named(argument)) {
        to.error = *kind;
        return {};
      } else {
        std::string known;
        for (std::size_t i = 1; i < error_kinds; ++i)
          known.append(i == 1 ? "" : ", ").append(name_of(static_cast<error_kind>(i)));
        return "a kind of error is one of " + known + "; not '" + std::string(argument) + "'";
      }
    case subject::lag:
    case subject::audit: return "this figure is of the whole run and takes nothing in parentheses";
    case subject::latency:
    case subject::service:
    case subject::rate:
    case subject::requests: break;
  }
  if (argument.empty()) return "the name of an operation is missing";
  to.operation = argument;
  return {};
}

std::optional<relation> take_relation(reader& from) noexcept {
  // Longer operators first.
  for (auto const& [sign, value] :
       {std::pair{std::string_view("<="), relation::less_or_equal},
        std::pair{std::string_view(">="), relation::more_or_equal}, std::pair{std::string_view("=="), relation::equal},
        std::pair{std::string_view("!="), relation::not_equal}, std::pair{std::string_view("<"), relation::less},
        std::pair{std::string_view(">"), relation::more}, std::pair{std::string_view("="), relation::equal}})
    if (from.take(sign)) return value;
  return std::nullopt;
}

bool is_duration(subject about) noexcept {
  return about == subject::latency || about == subject::service || about == subject::lag;
}

/// Returns what is wrong with it, if anything.
std::string parse_bound(std::string_view text, objective& to) {
  if (is_duration(to.about)) {
    if (number(text) != 0) {
      if (!text.empty() && number(text))
        return "a duration needs a unit (us, ms, s), as 5ms; not '" + std::string(text) + "'";
      auto const duration = parse_duration(text);
      if (!duration.value) return duration.mistake;
      to.bound = static_cast<double>(duration.value->count());
    }
    return {};
  }
  to.bound_is_share = text.ends_with('%') && (to.about == subject::errors || to.about == subject::status);
  auto const bound = number(to.bound_is_share ? text.substr(0, text.size() - 1) : text);
  if (!bound) {
    return (to.about == subject::errors || to.about == subject::status
                ? "here a number is compared, as 0, or a share, as 0.1%; not '"
                : "here a number is compared, as 450; not '") +
           std::string(text) + "'";
  }
  to.bound = to.bound_is_share ? *bound / 100 : *bound;
  return {};
}

}  // namespace

parsed<objective> parse_objective(std::string_view text) {
  objective wanted;
  wanted.text = text;
  reader from(text);
  auto const subject_column = from.column();
  auto const name =
      from.take_while([](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.'; });
  if (!parse_subject(name, wanted)) {
    return mistake(subject_column, "what is compared is one of " + std::string(known_subjects) + "; not '" +
                                       std::string(name.empty() ? from.rest() : name) + "'");
  }
  if (auto const open = from.column(); from.take("(")) {
    auto const argument_column = from.column();
    auto argument = from.take_while([](char c) { return c != ')'; });
    if (!from.take(")")) return mistake(open, "this parenthesis is never closed");
    while (argument.ends_with(' ')) argument.remove_suffix(1);
    if (auto const wrong = parse_argument(argument, wanted); !wrong.empty()) return mistake(argument_column, wrong);
  } else if (wanted.about == subject::status) {
    return mistake(open, "which status is missing, as in status(404) or status(5xx)");
  }
  auto const relation_column = from.column();
  auto const is = take_relation(from);
  if (!is) {
    return mistake(relation_column,
                   from.at_end() ? "a comparison is missing: one of < <= > >= == != and a bound"
                                 : "a comparison is one of < <= > >= == !=; not '" + std::string(from.rest()) + "'");
  }
  wanted.is = *is;
  if (from.at_end()) return mistake(from.column(), "what it is compared with is missing");
  auto bound = from.rest();
  while (bound.ends_with(' ')) bound.remove_suffix(1);
  if (auto const wrong = parse_bound(bound, wanted); !wrong.empty()) return mistake(from.column(), wrong);
  return {std::move(wanted), {}};
}

std::string misfit_of(objective const& asked, std::span<std::string const> operations) {
  if (asked.operation.empty() || std::find(operations.begin(), operations.end(), asked.operation) != operations.end())
    return {};
  std::string known;
  for (auto const& name : operations) known.append(known.empty() ? "" : ", ").append(name);
  return "'" + asked.text + "': there is no operation '" + asked.operation + "'; there are: " + known;
}

}  // namespace petstore::load
