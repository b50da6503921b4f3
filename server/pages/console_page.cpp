// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "pages/console_page.hpp"

#include <vector>

#include "pages/embedded_files.hpp"
#include "site_parts.hpp"

namespace petstore::pages {
namespace {

constexpr std::string_view chart_library = "console/uplot.js";

/// Allows everything from this host, and nothing inline.
constexpr std::string_view console_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'";

constexpr std::string_view charts =
    "<link rel=\"stylesheet\" href=\"/uplot.css\">\n<script src=\"/uplot.js\" defer></script>";

/// The head is the same on every page.
std::string with_head(std::string_view file) {
  return fill_in(own_file(file).bytes, "{{head}}", own_file("console/head.html").bytes);
}

std::vector<server::static_page> console_pages(std::string const& live, std::string const& keys,
                                               std::string const& licenses) {
  std::vector<server::static_page> pages{{.path = "/", .type = html, .body = live, .policy = console_policy},
                                         {.path = "/keys", .type = html, .body = keys, .policy = console_policy},
                                         make_static_page("/console.css", css, own_file("console/console.css")),
                                         make_static_page("/console.js", javascript, own_file("console/console.js")),
                                         make_static_page("/keys.js", javascript, own_file("console/keys.js")),
                                         make_static_page("/shared.js", javascript, own_file("console/shared.js"))};
  if (!console_page::has_charts()) return pages;
  pages.push_back(make_static_page("/uplot.css", css, own_file("console/uplot.css")));
  pages.push_back(make_static_page("/uplot.js", javascript, own_file(chart_library)));
  pages.push_back({.path = "/licenses.txt", .type = plain_text, .body = licenses});
  return pages;
}

}  // namespace

console_page::console_page()
    : live_{fill_in(with_head("console/console.html"), "{{charts}}", has_charts() ? charts : "")},
      keys_{with_head("console/keys.html")},
      licenses_{collect_texts({"console/uplot.license"})},
      site_{console_pages(live_, keys_, licenses_)} {}

bool console_page::has_charts() noexcept {
  return find_embedded_file(chart_library) != nullptr;
}

}  // namespace petstore::pages
