// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "petstore/json_object.hpp"

namespace petstore::program {
namespace {

/// Returns the number of columns that a text takes on a terminal. It counts code points, which is close enough without
/// tables of their widths.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

/// Returns the first `width` columns of a text. If the text has more, the last of them is `…`.
std::string cut(std::string const& text, std::size_t width) {
  if (columns(text) <= width) return text;
  std::string out;
  for (std::size_t i = 0, n = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80 && ++n == width) break;
    out += text[i];
  }
  return out + "…";
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

std::string table_of(std::vector<std::string> headline, std::vector<std::vector<std::string>> lines, std::size_t width,
                     std::size_t column_to_cut) {
  constexpr std::size_t least = 8;
  lines.insert(lines.begin(), std::move(headline));
  auto const all = aligned(lines);
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    auto const end = all.find('\n', begin);
    longest = std::max(longest, columns(std::string_view(all).substr(begin, end - begin)));
    begin = end + 1;
  }
  if (longest <= width) return all;
  std::size_t widest = 0;
  for (auto const& line : lines) widest = std::max(widest, columns(line[column_to_cut]));
  auto const left = std::max(least, widest > longest - width ? widest - (longest - width) : 0);
  for (auto& line : lines) line[column_to_cut] = cut(line[column_to_cut], left);
  return aligned(lines);
}

std::string aligned(std::vector<std::vector<std::string>> const& lines) {
  std::vector<std::size_t> widths;
  for (auto const& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], columns(line[i]));
  }
  std::string out;
  for (auto const& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      out += line[i];
      if (i + 1 < line.size()) out.append(widths[i] - columns(line[i]) + 2, ' ');
    }
    out += '\n';
  }
  return out;
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
  out += "\n## Plans: as many as you like; per_day = 0 is no limit a day, refill is periodic or continuous\n";
  for (auto const& [name, plan] : standard_plans()) {
    out += fmt::format("\n#[plans.{}]\n#per_minute = {}\n#per_day = {}\n#refill = \"periodic\"\n", name,
                       std::uint32_t{plan.per_minute}, std::uint64_t{plan.per_day});
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
