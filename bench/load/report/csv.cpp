// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/csv.hpp"

#include <concepts>
#include <string_view>
#include <vector>

#include "report/json_members.hpp"

namespace petstore::load {
namespace {

constexpr std::string_view line_end = "\r\n";

/// Collects the names and the values of an interval, and of what it consists of.
struct cells {
  std::vector<std::string> names;
  std::vector<std::string> values;

  void operator()(std::string_view name, std::chrono::nanoseconds const& time) { add(name, time.count()); }
  template <std::integral Whole>
  void operator()(std::string_view name, Whole const& count) {
    add(name, count);
  }
  void operator()(std::string_view, tally const& counted) { file_members(*this, counted); }
  void operator()(std::string_view, interval_latency const& latency) { file_members(*this, latency); }
  // How many kinds of errors and operations there are is not the same in each run.
  void operator()(std::string_view, std::map<error_kind, std::uint64_t> const&) {}
  void operator()(std::string_view, std::vector<interval_figures::of_operation> const&) {}

  template <class Whole>
  void add(std::string_view name, Whole value) {
    names.emplace_back(name);
    values.push_back(std::to_string(value));
  }
};

cells cells_of(interval_figures const& interval) {
  cells all;
  file_members(all, interval);
  return all;
}

void append_line(std::string& to, std::vector<std::string> const& fields) {
  for (auto const& field : fields) to.append(&field == fields.data() ? "" : ",").append(field);
  to.append(line_end);
}

}  // namespace

std::string to_csv(results const& found) {
  std::string text;
  append_line(text, cells_of({}).names);
  for (auto const& interval : found.intervals) append_line(text, cells_of(interval).values);
  return text;
}

}  // namespace petstore::load
