// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/live_line.hpp"

#include <algorithm>
#include <vector>

#include "report/columns.hpp"
#include "report/wording.hpp"

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;

/// Whole seconds, because the line is drawn once a second.
std::string clock_words(nanoseconds t) {
  auto const seconds = std::chrono::round<std::chrono::seconds>(t).count();
  if (seconds < 120) return std::to_string(seconds) + " s";
  auto const rest = std::to_string(seconds % 60);
  return std::to_string(seconds / 60) + ":" + (rest.size() == 1 ? "0" : "") + rest;
}

struct part {
  std::string text;
  int weight;  // the part with the smallest weight is left out first
  ink with = ink::plain;
};

std::vector<part> parts_of(live_status const& now) {
  auto const& latency = now.last.latency;
  auto const width = std::max(1e-9, std::chrono::duration<double>(now.last.width).count());
  std::vector<part> parts;
  parts.push_back({now.warming_up ? "warm-up" : clock_words(now.elapsed), 3});
  parts.push_back({rate_words(static_cast<double>(now.last.counted.answers) / width), 5, ink::strong});
  parts.push_back({"p50 " + (latency.empty() ? "-" : duration_words(latency.quantile(0.5))), 2});
  parts.push_back({"p99 " + (latency.empty() ? "-" : duration_words(latency.quantile(0.99))), 4});
  parts.push_back({"errors " + count_text(now.errors), 6, now.errors > 0 ? ink::loud : ink::plain});
  if (now.withheld > 0) parts.push_back({"withheld " + count_text(now.withheld), 3, ink::strong});
  if (now.left) parts.push_back({clock_words(*now.left) + " left", 1});
  return parts;
}

}  // namespace

std::string live_text(live_status const& now, std::size_t width, bool colour) {
  auto parts = parts_of(now);
  auto const length = [&] {
    std::size_t columns = 0;
    for (auto const& p : parts) columns += width_of(p.text) + (columns > 0 ? 2 : 0);
    return columns;
  };
  while (parts.size() > 1 && length() > width)
    parts.erase(std::min_element(parts.begin(), parts.end(), [](auto& a, auto& b) { return a.weight < b.weight; }));
  if (parts.size() == 1) parts.front().text = fitted(parts.front().text, width);
  std::string line;
  for (auto const& p : parts) line += (line.empty() ? "" : "  ") + painted(p.text, p.with, colour);
  return line;
}

std::string live_line::update(live_status const& now) {
  if (style_.terminal) {
    drawn_ = true;
    // If the terminal wrapped a full line, a carriage return would not return to its beginning.
    return "\r" + live_text(now, style_.width > 0 ? style_.width - 1 : 0, style_.colour) + "\x1b[K";
  }
  auto const every = style_.planned > sparse_lines_from ? nanoseconds(sparse_lines_every) : std::chrono::seconds(1);
  // Calls once a second are never exactly on time.
  if (last_line_ && now.elapsed - *last_line_ < every - std::chrono::milliseconds(100)) return {};
  last_line_ = now.elapsed;
  return live_text(now, std::string::npos, false) + "\n";
}

std::string live_line::clear() {
  if (!drawn_) return {};
  drawn_ = false;
  return "\r\x1b[K";
}

}  // namespace petstore::load
