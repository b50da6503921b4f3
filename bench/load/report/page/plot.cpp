// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/page/plot.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "report/columns.hpp"
#include "report/page/markup.hpp"

namespace petstore::load {
namespace {

// All sizes are in pixels. Text is 12 px high, and a digit is about 7 px wide.
constexpr double digit = 6.9;
constexpr double title_height = 22;
constexpr double x_axis_height = 24;
constexpr double label_gap = 6;
constexpr double line_height = 14;
// Bars overlap a little; otherwise the background would show between two bars that meet within a pixel.
constexpr double bar_overlap = 0.4;
// Charts below each other begin and end at the same position, unless their labels need more space.
constexpr double usual_left = 58;
constexpr double usual_right = 72;

struct box {
  double left, right, top, bottom;
  double x(axis const& a, double value) const { return left + a.place(value) * (right - left); }
  double y(axis const& a, double value) const { return bottom - a.place(value) * (bottom - top); }
};

double widest(std::vector<std::string> const& labels) {
  std::size_t columns = 0;
  for (auto const& label : labels) columns = std::max(columns, width_of(label));
  return static_cast<double>(columns) * digit;
}

box box_of(plot const& p, double width) {
  std::vector<std::string> left;
  for (auto const& t : p.y.ticks()) left.push_back(t.label);
  std::vector<std::string> right;
  for (auto const& line : p.lines) right.push_back(line.name);
  return {std::max(usual_left, widest(left) + label_gap), width - std::max(usual_right, widest(right) + label_gap),
          title_height, title_height + p.height};
}

std::string text_at(double x, double y, std::string_view style, std::string_view anchor, std::string_view text) {
  return "<text class=\"" + std::string(style) + "\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
         "\" text-anchor=\"" + std::string(anchor) + "\">" + escaped(text) + "</text>";
}

std::string grid(plot const& p, axis const& x_axis, box const& b) {
  std::string svg;
  for (auto const& t : p.y.ticks()) {
    auto const y = b.y(p.y, t.value);
    svg += "<path class=\"grid\" d=\"M" + coordinate(b.left) + " " + coordinate(y) + "H" + coordinate(b.right) + "\"/>";
    svg += text_at(b.left - label_gap, y + 4, "scale", "end", t.label);
  }
  auto last_end = -1e9;
  for (auto const& t : x_axis.ticks()) {
    auto const x = b.x(x_axis, t.value);
    svg += "<path class=\"grid\" d=\"M" + coordinate(x) + " " + coordinate(b.bottom) + "v4\"/>";
    // Labels that would overlap, or exceed the picture, are left out.
    auto const half = static_cast<double>(width_of(t.label)) * digit / 2;
    if (x - half < last_end + label_gap) continue;
    last_end = x + half;
    svg += text_at(x, b.bottom + 17, "scale", "middle", t.label);
  }
  return svg;
}

/// Splits the points of a line into runs without a gap.
std::string line_path(std::vector<plot_point> const& points, axis const& x_axis, axis const& y_axis, box const& b) {
  std::string path;
  bool pen_down = false;
  for (auto const& point : points) {
    if (std::isnan(point.y)) {
      pen_down = false;
      continue;
    }
    path += (pen_down ? "L" : "M") + coordinate(b.x(x_axis, point.x)) + " " + coordinate(b.y(y_axis, point.y));
    pen_down = true;
  }
  return path;
}

std::string area_path(plot_area const& area, axis const& x_axis, axis const& y_axis, box const& b) {
  std::string path;
  for (std::size_t i = 0; i < area.top.size(); ++i) {
    path += (i == 0 ? "M" : "L") + coordinate(b.x(x_axis, area.top[i].x)) + " " +
            coordinate(b.y(y_axis, std::isnan(area.top[i].y) ? y_axis.low() : area.top[i].y));
  }
  for (std::size_t i = area.top.size(); i-- > 0;)
    path += "L" + coordinate(b.x(x_axis, area.top[i].x)) + " " + coordinate(b.y(y_axis, area.bottom[i]));
  return path + "Z";
}

struct label {
  double y;
  std::string name;
  std::string style;
};

/// Draws names at the ends of their lines, moved apart if they would overlap.
std::vector<label> end_labels(plot const& p, box const& b) {
  std::vector<label> labels;
  for (auto const& line : p.lines) {
    if (line.name.empty()) continue;
    auto const last = std::find_if(line.points.rbegin(), line.points.rend(),
                                   [](plot_point const& point) { return !std::isnan(point.y); });
    if (last != line.points.rend()) labels.push_back({b.y(p.y, last->y), line.name, line.style});
  }
  std::stable_sort(labels.begin(), labels.end(), [](label const& a, label const& z) { return a.y < z.y; });
  auto lowest = b.top;
  for (auto& l : labels) {
    l.y = std::max(l.y, lowest);
    lowest = l.y + line_height;
  }
  // Names below the bottom move up again, and push the others.
  auto highest = b.bottom;
  for (auto l = labels.rbegin(); l != labels.rend(); ++l) {
    l->y = std::min(l->y, highest);
    highest = l->y - line_height;
  }
  return labels;
}

std::string values_json(plot_values const& values) {
  auto const list = [](auto const& all, auto&& one) {
    std::string text = "[";
    for (auto const& value : all) text.append(text.size() > 1 ? "," : "").append(one(value));
    return text + "]";
  };
  auto const strings = [&](std::vector<std::string> const& all) { return list(all, script_string); };
  return "{\"names\":" + strings(values.names) + ",\"x\":" + strings(values.x_words) +
         ",\"rows\":" + list(values.rows, strings) + "}";
}

/// The position of each row of values on the x axis, as a share of its length, so that one list serves both widths.
std::string places_json(plot const& p) {
  std::string text = "[";
  for (auto const x : p.values.x) {
    auto const place = std::lround(p.x.place(x) * 10'000);
    text.append(text.size() > 1 ? "," : "").append(std::to_string(place));
  }
  return text + "]";
}

}  // namespace

std::string draw(plot const& p, double width) {
  auto const b = box_of(p, width);
  auto const height = b.bottom + x_axis_height;
  auto const& x_axis = width < wide_plot ? p.x_narrow : p.x;
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" +
                    std::string(width < wide_plot ? "narrow" : "wide") + "\" viewBox=\"0 0 " + coordinate(width) + " " +
                    coordinate(height) + "\" role=\"img\" aria-label=\"" + escaped(p.description) + "\" data-left=\"" +
                    coordinate(b.left) + "\" data-right=\"" + coordinate(b.right) + "\" data-top=\"" +
                    coordinate(b.top) + "\" data-bottom=\"" + coordinate(b.bottom) + "\">";
  svg += text_at(0, 11, "scale", "start", p.y_title);
  svg += grid(p, x_axis, b);
  for (auto const& area : p.areas)
    svg += "<path class=\"area " + area.style + "\" d=\"" + area_path(area, x_axis, p.y, b) + "\"/>";
  for (auto const& bar : p.bars) {
    auto const top = b.y(p.y, bar.top);
    auto const left = b.x(x_axis, bar.from);
    svg += "<rect class=\"area " + bar.style + "\" x=\"" + coordinate(left) + "\" y=\"" + coordinate(top) +
           "\" width=\"" + coordinate(b.x(x_axis, bar.to) - left + bar_overlap) + "\" height=\"" +
           coordinate(b.y(p.y, bar.bottom) - top) + "\"/>";
  }
  for (auto const& line : p.lines)
    svg += "<path class=\"line " + line.style + "\" d=\"" + line_path(line.points, x_axis, p.y, b) + "\"/>";
  for (auto const& l : end_labels(p, b))
    svg += text_at(b.right + label_gap, l.y + 4, "name " + l.style, "start", l.name);
  return svg + "</svg>";
}

std::string figure_of(plot const& p) {
  return "<div class=\"plot\">" + draw(p, wide_plot) + draw(p, narrow_plot) +
         "<script type=\"application/json\">{\"places\":" + places_json(p) + ",\"values\":" + values_json(p.values) +
         "}</script></div>";
}

}  // namespace petstore::load
