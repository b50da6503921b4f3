// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/render.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "petstore/json.hpp"

namespace petstore::program {
namespace {

/// The number of columns a text takes on a terminal, as far as it can be told without tables: its code points.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

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
  for (auto const& s : shown) {
    out += out.empty() ? "{" : ",";
    append_json_string(out, s.name);
    out += ":{\"value\":";
    append_json_string(out, s.value);
    out += ",\"source\":";
    append_json_string(out, s.source);
    out += "}";
  }
  return out + "}\n";
}

std::string settings_as_markdown() {
  std::string out = "| Flag | Variable | File | Default | Meaning |\n|---|---|---|---|---|\n";
  for (auto const& row : all_settings()) {
    auto const flag = row.is_flag() ? fmt::format("--{}", row.name) : fmt::format("--{} {}", row.name, row.kind);
    auto const otherwise = row.otherwise.empty() ? std::string("–") : fmt::format("`{}`", row.otherwise);
    out += fmt::format("| `{}` | `{}` | `{}` | {} | {} |\n", flag, row.variable(), row.file_key, otherwise, row.help);
  }
  return out;
}

}  // namespace petstore::program
