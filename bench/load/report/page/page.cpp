// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/page/page.hpp"

#include <algorithm>

#include "page_parts.hpp"
#include "report/page/markup.hpp"
#include "report/wording.hpp"

namespace petstore::load {
namespace {

/// Patterns that differ without colour. A page has them once, because their names apply to the whole page.
constexpr std::string_view patterns =
    R"svg(<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>
<pattern id="rising" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="var(--orange-soft)"/>
<path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5" stroke="var(--orange)" stroke-width="1.6"/></pattern>
<pattern id="crossed" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="var(--red-soft)"/>
<path d="M0 0L6 6M6 0L0 6" stroke="var(--red)" stroke-width="1.3"/></pattern>
<pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="var(--panel)"/>
<circle cx="3" cy="3" r="1.6" fill="var(--orange)"/></pattern>
<pattern id="vertical" width="5" height="5" patternUnits="userSpaceOnUse"><rect width="5" height="5" fill="var(--violet-soft)"/>
<path d="M2.5 0V5" stroke="var(--violet)" stroke-width="1.2"/></pattern>
</defs></svg>)svg";

}  // namespace

std::string element(std::string_view tag, std::string_view content, std::string_view style) {
  std::string html = "<" + std::string(tag);
  if (!style.empty()) html.append(" class=\"").append(style).append("\"");
  return html.append(">").append(content).append("</").append(tag).append(">\n");
}

std::string page_of(std::string_view title, std::string_view content) {
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  // An empty icon, so that browsers do not request one from the page's host.
  html += "<link rel=\"icon\" href=\"data:,\">\n";
  html += element("title", escaped(title));
  html.append("<style>\n").append(page_style).append("</style>\n</head>\n<body>\n").append(patterns);
  html.append("\n<main>\n").append(content).append("</main>\n<script>\n").append(page_script);
  return html + "</script>\n</body>\n</html>\n";
}

std::string warning_box(std::string_view text) {
  return "<p class=\"warning\" role=\"alert\"><b>Warning.</b> " + escaped(text) + "</p>\n";
}

std::string verdict_box(std::string_view verdict, std::string_view lines, bool failed) {
  return "<section class=\"verdict " + std::string(failed ? "bad" : "good") + "\">" + element("h2", verdict) +
         element("ul", lines) + "</section>\n";
}

std::string tiles_of(std::span<tile const> tiles) {
  std::string html;
  for (auto const& t : tiles) {
    html += "<li><span class=\"what\">" + escaped(t.what) + "</span><span class=\"figure" + (t.bad ? " bad" : "") +
            "\">" + escaped(t.figure) + "</span><span class=\"more\">" + escaped(t.more) + "</span></li>\n";
  }
  return element("ul", html, "tiles");
}

std::string html_table(std::vector<std::string> const& head, std::vector<std::vector<std::string>> const& rows,
                       std::span<std::size_t const> texts, table_width width) {
  auto const cell = [&](std::string_view tag, std::size_t column, std::string const& text) {
    bool const is_text = std::find(texts.begin(), texts.end(), column) != texts.end();
    return "<" + std::string(tag) + (is_text ? " class=\"text\">" : ">") + escaped(text) + "</" + std::string(tag) +
           ">";
  };
  std::string html = "<thead><tr>";
  for (std::size_t i = 0; i < head.size(); ++i) html += cell("th", i, head[i]);
  html += "</tr></thead>\n<tbody>\n";
  for (auto const& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) html += cell("td", i, row[i]);
    html += "</tr>\n";
  }
  return "<div class=\"scroll\"><table" + std::string(width == table_width::slim ? " class=\"slim\">" : ">") + html +
         "</tbody></table></div>\n";
}

std::string legend_of(std::span<outcome_class const> classes) {
  double total = 0;
  for (auto const& c : classes) total += static_cast<double>(c.count);
  std::string html;
  for (auto const& c : classes) {
    if (c.count == 0) continue;
    html +=
        "<li><svg aria-hidden=\"true\"><rect class=\"" + c.style + "\" width=\"18\" height=\"12\"/></svg>" +
        escaped(c.name + " " + share_text(static_cast<double>(c.count) / total) + " (" + count_text(c.count) + ")") +
        "</li>\n";
  }
  return element("ul", html, "legend");
}

std::string facts_of(std::span<std::pair<std::string, std::string> const> facts) {
  std::string html;
  for (auto const& [name, value] : facts)
    if (!value.empty()) html += "<dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd>\n";
  return element("dl", html);
}

}  // namespace petstore::load
