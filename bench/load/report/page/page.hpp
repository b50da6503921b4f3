// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The frame of a report and the common parts of reports. A page is one file and loads nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/page/run_charts.hpp"

namespace petstore::load {

/// HTML between an opening and a closing tag; foreign text must be `escaped`.
std::string element(std::string_view tag, std::string_view content, std::string_view style = {});

/// The whole document around the content of `main`.
std::string page_of(std::string_view title, std::string_view content);

std::string warning_box(std::string_view text);
/// The verdict on a run; `lines` are HTML.
std::string verdict_box(std::string_view verdict, std::string_view lines, bool failed);

struct tile {
  std::string what;
  std::string figure;
  std::string more;
  bool bad = false;
};
std::string tiles_of(std::span<tile const>);

/// Cells are text, not HTML. The columns named by `texts` are left-aligned and may be broken into lines.
enum class table_width { full, slim };
std::string html_table(std::vector<std::string> const& head, std::vector<std::vector<std::string>> const& rows,
                       std::span<std::size_t const> texts = {}, table_width = table_width::full);

/// The legend of the bands of outcomes, with the count of each.
std::string legend_of(std::span<outcome_class const>);

/// A list of names and values; names without a value are left out.
std::string facts_of(std::span<std::pair<std::string, std::string> const>);

}  // namespace petstore::load
