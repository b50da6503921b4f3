// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "audit/history.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace petstore::load {

charge charge_of(note const& n, bool has_key) noexcept {
  switch (n.status) {
    case 429: return charge::no;
    case 401: return has_key ? charge::foreign : charge::surely;
    case 0:    // it is unknown whether the request was decided
    case 400:  // a fault of the protocol or of the operation
    case 408:
    case 413:
    case 414:
    case 417:
    case 431: return charge::maybe;
    default: return n.status >= 500 ? charge::maybe : charge::surely;
  }
}

promised_quota const* history::promised(std::uint8_t resource) const noexcept {
  auto const& wanted = resources[resource];
  if (wanted.empty()) return promises.size() == 1 ? promises.data() : nullptr;
  auto const found = std::ranges::find(promises, wanted, &promised_quota::resource);
  return found == promises.end() ? nullptr : &*found;
}

std::string history::name_of(std::uint8_t resource) const {
  return resources[resource].empty() ? "quota" : resources[resource];
}

std::string history::time_of(nanos t) const {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.3f s", static_cast<double>(t - run_begin) / 1e9);
  return text.data();
}

void finding_list::add(history const& of, std::string_view rule, nanos when, std::string text) {
  if (findings_.size() == findings_max) {
    ++left_out_;
    return;
  }
  findings_.push_back({of.name, std::string(rule), std::move(text), std::chrono::nanoseconds(when - of.run_begin)});
}

std::vector<audit_finding> finding_list::take() {
  if (left_out_ > 0)
    findings_.push_back({"", "more", std::to_string(left_out_) + " more findings are not listed", std::nullopt});
  return std::move(findings_);
}

std::int64_t count_before(std::vector<nanos> const& sorted, nanos t) noexcept {
  return std::ranges::lower_bound(sorted, t) - sorted.begin();
}

std::int64_t count_until(std::vector<nanos> const& sorted, nanos t) noexcept {
  return std::ranges::upper_bound(sorted, t) - sorted.begin();
}

}  // namespace petstore::load
