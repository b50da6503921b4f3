// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A chart as SVG, for a wide page and for a narrow one: the program draws both, and the page's style shows the one that
// fits, so that type is as large on a phone as on a desk and nothing depends on a script. Lines are told apart by their
// dashes and by names at their ends, areas by their patterns, so that colour is never needed.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "report/page/axis.hpp"

namespace petstore::load {

/// Of a line: nothing is drawn here.
inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

struct plot_point {
  double x = 0;
  double y = 0;  ///< or no_value
};

struct plot_line {
  std::string name;   ///< at its right end; empty: none
  std::string style;  ///< a class of page.css
  std::vector<plot_point> points;
};

struct plot_area {
  std::string style;
  std::vector<plot_point> top;
  std::vector<double> bottom;  ///< for each point of `top`
};

struct plot_bar {
  std::string style;
  double from = 0;  ///< on the x axis
  double to = 0;
  double bottom = 0;
  double top = 0;
};

/// What is shown under the pointer: a row of values for each x.
struct plot_values {
  std::vector<std::string> names;
  std::vector<double> x;
  std::vector<std::string> x_words;
  std::vector<std::vector<std::string>> rows;  ///< of each x, a value for each name
};

struct plot {
  std::string description;  ///< for those who do not see it
  axis x;
  axis x_narrow;  ///< the same ends, fewer lines
  axis y;
  std::string y_title;  ///< what is counted, with its unit
  double height = 220;  ///< of the page's pixels, without the x axis
  std::vector<plot_area> areas;
  std::vector<plot_bar> bars;
  std::vector<plot_line> lines;
  plot_values values;
};

inline constexpr double wide_plot = 960;
inline constexpr double narrow_plot = 380;

/// One SVG element of that width.
std::string draw(plot const&, double width);
/// Both widths and the values, as a page holds them.
std::string figure_of(plot const&);

}  // namespace petstore::load
