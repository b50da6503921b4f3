// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <string_view>
#include <utility>

#include "config/plan_windows.hpp"
#include "petstore/json_object.hpp"

namespace petstore::program {
namespace {

constexpr std::size_t gap = 2;           ///< between two columns
constexpr std::size_t column_least = 8;  ///< of a table that is too wide

/// Returns the number of columns that a text takes on a terminal. It counts code points, which is close enough without
/// tables of their widths.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Takes the first `width` columns of a text off its front: as far as the last space among them, if there is one.
std::string take_line(std::string_view& rest, std::size_t width) {
  std::size_t end = 0;
  std::size_t space = std::string_view::npos;
  for (std::size_t n = 0; end < rest.size(); ++end) {
    bool const begins_column = (static_cast<unsigned char>(rest[end]) & 0xc0) != 0x80;
    if (begins_column && rest[end] == ' ') space = end;
    if (begins_column && ++n > width) break;
  }
  if (end < rest.size() && space != std::string_view::npos && space != 0) end = space;
  std::string line(rest.substr(0, end));
  rest.remove_prefix(end);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  return line;
}

/// Makes as many lines of one as its cells need within these widths.
void append_wrapped(std::vector<std::vector<std::string>>& out, std::vector<std::string> const& line,
                    std::vector<std::size_t> const& widths) {
  std::vector<std::string_view> rest(line.begin(), line.end());
  do {
    auto& made = out.emplace_back();
    for (std::size_t i = 0; i < rest.size(); ++i) made.push_back(take_line(rest[i], widths[i]));
  } while (!std::ranges::all_of(rest, &std::string_view::empty));
}

std::vector<std::size_t> widths_of(std::vector<std::vector<std::string>> const& lines) {
  std::vector<std::size_t> widths;
  for (auto const& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], columns(line[i]));
  }
  return widths;
}

/// Returns for each column the width below which a word would be broken. A very long word counts for nothing: it is the
/// first to be broken.
std::vector<std::size_t> longest_words_of(std::vector<std::vector<std::string>> const& lines) {
  constexpr std::size_t very_long = 20;
  std::vector<std::size_t> longest(lines.front().size(), column_least);
  for (auto const& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      for (auto const word : std::views::split(std::string_view(line[i]), ' ')) {
        auto const width = columns({word.begin(), word.end()});
        if (width < very_long) longest[i] = std::max(longest[i], width);
      }
    }
  }
  return longest;
}

/// Makes the widest columns narrower, but none than its floor, until a line has at most `line_width` columns.
void shrink(std::vector<std::size_t>& widths, std::vector<std::size_t> const& floors, std::size_t line_width) {
  auto line = std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
  for (; line > line_width; --line) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (widths[i] > floors[i] && (!widest || widths[i] > *widest)) widest = &widths[i];
    if (!widest) return;
    --*widest;
  }
}

/// Returns the default in TOML: numbers and booleans without quotes, everything else as a string or an empty list.
std::string toml_value(setting const& row) {
  auto const text = row.otherwise;
  bool const is_number = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (is_number || row.is_flag()) return std::string(text);
  return row.is_list ? "[]" : fmt::format("\"{}\"", text);
}

}  // namespace

std::string tab_separated(std::vector<std::vector<std::string>> const& lines) {
  std::string out;
  for (auto const& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) out += line[i] + (i + 1 < line.size() ? '\t' : '\n');
  return out;
}

std::string table_of(std::vector<std::string> headline, std::vector<std::vector<std::string>> lines,
                     std::size_t width) {
  lines.insert(lines.begin(), std::move(headline));
  auto widths = widths_of(lines);
  shrink(widths, longest_words_of(lines), width);
  shrink(widths, std::vector(widths.size(), column_least), width);
  std::vector<std::vector<std::string>> wrapped;
  for (auto const& line : lines) append_wrapped(wrapped, line, widths);
  return aligned(wrapped);
}

std::string aligned(std::vector<std::vector<std::string>> const& lines) {
  auto const widths = widths_of(lines);
  std::string out;
  for (auto const& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      out += line[i];
      if (i + 1 < line.size()) out.append(widths[i] - columns(line[i]) + gap, ' ');
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

std::string in_capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string settings_as_text(std::vector<shown_setting> const& shown) {
  std::vector<std::vector<std::string>> lines;
  for (auto const& s : shown) lines.push_back({s.name, s.value.empty() ? "-" : s.value, s.source});
  return aligned(lines);
}

std::string settings_as_json(std::vector<shown_setting> const& shown) {
  std::string out;
  json_object all{out};
  for (auto const& s : shown) all.add_object(s.name).add("value", s.value).add("source", s.source).close();
  all.close();
  return out + "\n";
}

std::string settings_as_toml() {
  std::string out =
      "# Every setting of petstore serve, as it is when nobody sets it. Take away a # to change one.\n"
      "# `petstore config check --config FILE` names each fault, `petstore config show --config FILE` prints each "
      "value.\n";
  std::string_view group;
  for (auto const& row : all_settings()) {
    if (row.group != group) out += fmt::format("\n## {}\n", row.group);
    group = row.group;
    out += fmt::format("\n## {}\n#{} = {}\n", row.help, row.file_key, toml_value(row));
  }
  out +=
      "\n## Plans: as many as you like. The short window is per_second, per_minute or per_hour; its refill is periodic "
      "or "
      "continuous. The long one is per_hour, per_day or per_month; 0 is none\n";
  for (auto const& [name, plan] : standard_plans()) {
    out += fmt::format("\n#[plans.{}]\n#{} = {}\n#{} = {}\n#refill = \"periodic\"\n", name,
                       key_of(plan.short_window.period()), plan.short_window.tokens(),
                       key_of(plan.long_window.period()), plan.long_window.tokens());
  }
  out += fmt::format(
      "\n## Costs: the tokens that a request of an operation takes of each quota, 1 to {}; they apply on a reload\n"
      "\n#[costs]\n",
      cost_max);
  for (auto const& name : server::charged_operation_names()) out += fmt::format("#{} = 1\n", name);
  return out;
}

std::string settings_as_markdown() {
  std::string out;
  std::string_view group;
  for (auto const& row : all_settings()) {
    if (row.group != group) {
      out +=
          fmt::format("{}## {}\n\n| Flag | Variable | File | Default | Change | Meaning |\n|---|---|---|---|---|---|\n",
                      out.empty() ? "" : "\n", row.group);
    }
    group = row.group;
    auto const flag = row.is_flag() ? fmt::format("--{}", row.name) : fmt::format("--{} {}", row.name, row.kind);
    auto const otherwise = row.otherwise.empty() ? std::string("–") : fmt::format("`{}`", row.otherwise);
    out += fmt::format("| `{}` | `{}` | `{}` | {} | {} | {} |\n", flag, row.variable(), row.file_key, otherwise,
                       row.reloads ? "reload" : "restart", row.help);
  }
  return out;
}

}  // namespace petstore::program
