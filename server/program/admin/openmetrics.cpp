// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/openmetrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>

namespace petstore::program {
namespace {

using server::exemplar;
using server::operation_exemplars;

/// A family of counters has a name without the suffix of its samples.
void append_comment(std::string& out, std::string_view line) {
  constexpr std::string_view suffix = "_total";
  bool const names_family = line.starts_with("# HELP ") || line.starts_with("# TYPE ");
  auto const name_end = names_family ? std::min(line.find(' ', 7), line.size()) : 0;
  bool const has_suffix = line.substr(0, name_end).ends_with(suffix);
  out.append(line.substr(0, name_end - (has_suffix ? suffix.size() : 0))).append(line.substr(name_end));
}

/// The value of a label of a sample; empty if there is none. Values of the labels asked for need no escapes.
std::string_view label(std::string_view line, std::string_view name) {
  for (auto at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    bool const begins = at != 0 && (line[at - 1] == '{' || line[at - 1] == ',');
    auto const rest = line.substr(at + name.size());
    if (begins && rest.starts_with("=\"")) return rest.substr(2, rest.find('"', 2) - 2);
  }
  return {};
}

/// A whole number has a fraction as the bound of a bucket.
void append_sample(std::string& out, std::string_view line) {
  auto const bound = label(line, "le");
  bool const is_whole =
      !bound.empty() && std::ranges::all_of(bound, [](char digit) { return digit >= '0' && digit <= '9'; });
  auto const bound_end = is_whole ? static_cast<std::size_t>(bound.data() + bound.size() - line.data()) : line.size();
  out.append(line.substr(0, bound_end)).append(is_whole ? ".0" : "").append(line.substr(bound_end));
}

/// The bucket of `latency_bounds_us` whose bound is written there, in seconds.
std::size_t bucket_with(std::string_view bound) {
  double seconds = 0;
  auto const read = std::from_chars(bound.data(), bound.data() + bound.size(), seconds);
  if (read.ec != std::errc{} || std::isinf(seconds)) return server::latency_bounds_us.size();
  auto const us = static_cast<std::uint64_t>(std::llround(seconds * 1e6));
  return static_cast<std::size_t>(std::ranges::lower_bound(server::latency_bounds_us, us) -
                                  server::latency_bounds_us.begin());
}

std::optional<exemplar> find_exemplar(std::string_view line, std::span<operation_exemplars const> all) {
  bool const is_bucket = line.starts_with("petstore_http_request_duration_seconds_bucket{");
  bool const is_failure = line.starts_with("petstore_http_requests_total{") && label(line, "status") == "5xx";
  if (!is_bucket && !is_failure) return std::nullopt;
  auto const of = std::ranges::find(all, label(line, "operation"), &operation_exemplars::name);
  if (of == all.end()) return std::nullopt;
  return is_failure ? of->failure : of->latency[bucket_with(label(line, "le"))];
}

void append_exemplar(std::string& out, exemplar const& e) {
  using seconds = std::chrono::duration<double>;
  out += " # {request_id=\"";
  for (char const c : e.request_id) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  fmt::format_to(std::back_inserter(out), "\"}} {} {:.3f}", seconds{e.duration}.count(),
                 seconds{e.time.time_since_epoch()}.count());
}

}  // namespace

std::string as_openmetrics(std::string_view page, std::span<operation_exemplars const> exemplars) {
  std::string out;
  while (!page.empty()) {
    auto const end = std::min(page.find('\n'), page.size());
    auto const line = page.substr(0, end);
    page.remove_prefix(std::min(end + 1, page.size()));
    if (line.starts_with('#')) {
      append_comment(out, line);
    } else {
      append_sample(out, line);
      if (auto const e = find_exemplar(line, exemplars)) append_exemplar(out, *e);
    }
    out += '\n';
  }
  return out + "# EOF\n";
}

}  // namespace petstore::program
