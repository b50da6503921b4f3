// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A chart as SVG for a wide page and for a narrow one. The program draws both, and the page's style shows the one that
// fits. So text has the same size on a phone and on a desktop, and no script is needed. Lines differ by dashes and by
// the names at their ends, areas by patterns, so colour is not needed.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "report/page/axis.hpp"

namespace petstore::load {

/// Marks a gap in a line.
inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

struct plot_point {
  double x = 0;
  double y = 0;  ///< or no_value
};

struct plot_line {
  std::string name;   ///< shown at its right end; may be empty
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
  double from = 0;  ///< a value of the x axis
  double to = 0;
  double bottom = 0;
  double top = 0;
};

/// The values shown under the pointer: a row for each x.
struct plot_values {
  std::vector<std::string> names;
  std::vector<double> x;
  std::vector<std::string> x_words;
  std::vector<std::vector<std::string>> rows;  ///< for each x, a value for each name
};

struct plot {
  std::string description;  ///< the text alternative
  axis x;
  axis x_narrow;  ///< the same ends, fewer lines
  axis y;
  std::string y_title;  ///< the quantity, with its unit
  double height = 220;  ///< in pixels of the page, without the x axis
  std::vector<plot_area> areas;
  std::vector<plot_bar> bars;
  std::vector<plot_line> lines;
  plot_values values;
};

inline constexpr double wide_plot = 960;
inline constexpr double narrow_plot = 380;

/// One SVG element of that width.
std::string draw(plot const&, double width);
/// The HTML of a chart: both widths and the values.
std::string figure_of(plot const&);

}  // namespace petstore::load
