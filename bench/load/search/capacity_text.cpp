// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/columns.hpp"
#include "report/wording.hpp"
#include "search/capacity.hpp"

namespace petstore::load {

std::string outcome_words(capacity_try const& tried) {
  if (tried.held) return "holds";
  return tried.tool_was_limit ? "the tool was the limit" : "broken";
}

std::string capacity_verdict(capacity_figures const& found) {
  auto const objective = shown(found.objective);
  if (found.knees.empty()) return "The search ended before its first round did.";
  if (found.median == 0) return objective + " does not hold at any rate that was tried.";
  bool const is_bound = found.tool_was_limit || found.end_of_range;
  auto text = objective + " holds up to " + (is_bound ? "at least " : "") + rate_words(found.median);
  if (found.knees.size() > 1) {
    text += ", the median of " + std::to_string(found.knees.size()) + " rounds (" + rate_words(found.least) + " to " +
            rate_words(found.most) + ")";
  }
  text += ".";
  if (found.end_of_range) text += " It held at the highest rate that was allowed.";
  return text;
}

std::string capacity_warning(capacity_figures const& found) {
  return found.tool_was_limit ? "The tool was the limit, not the server, in at least one of the rounds." : "";
}

std::string capacity_text(capacity_figures const& found, text_style style) {
  columns rows({right, right, left, left});
  rows.head({"round", "rate", "", ""});
  for (auto const& tried : found.tries) {
    rows.add({std::to_string(tried.round), rate_words(tried.rate), outcome_words(tried), shown(tried.observed)});
  }
  auto text = rows.text(style) + "\n" + capacity_verdict(found) + "\n";
  if (auto const warning = capacity_warning(found); !warning.empty())
    text += painted("WARNING  ", ink::loud, style.colour) + warning + "\n";
  return text;
}

}  // namespace petstore::load
