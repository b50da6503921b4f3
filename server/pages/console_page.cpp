// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "pages/console_page.hpp"

#include <array>

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

struct page_file {
  std::string_view path;
  std::string_view file;
};

/// The pages, and the files that they are made of.
constexpr std::array page_files{
    page_file{"/", "console/console.html"},
    page_file{"/keys", "console/keys.html"},
    page_file{console_page::key_path, "console/key.html"},
    page_file{"/pets", "console/pets.html"},
    page_file{"/orders", "console/orders.html"},
    page_file{"/audit", "console/audit.html"},
};

/// What several pages have.
constexpr auto parts = std::to_array<std::string_view>({"head", "closed", "secret"});

/// The addresses of the scripts; their files have the same names.
constexpr auto scripts = std::to_array<std::string_view>({"/audit.js", "/console.js", "/key.js", "/keys.js", "/list.js",
                                                          "/orders.js", "/pets.js", "/secret.js", "/shared.js"});

std::string compose(std::string_view file) {
  std::string text{own_file(file).bytes};
  for (auto const part : parts)
    text = fill_in(text, "{{" + std::string{part} + "}}", own_file("console/" + std::string{part} + ".html").bytes);
  return fill_in(text, "{{charts}}", console_page::has_charts() ? charts : "");
}

std::vector<std::string> compose_all() {
  std::vector<std::string> texts;
  for (auto const& [path, file] : page_files) texts.push_back(compose(file));
  return texts;
}

std::vector<server::static_page> console_pages(std::vector<std::string> const& texts, std::string const& licenses,
                                               documentation const& api) {
  std::vector<server::static_page> pages = api.pages();
  for (std::size_t i = 0; i < texts.size(); ++i)
    pages.push_back({.path = page_files[i].path, .type = html, .body = texts[i], .policy = console_policy});
  pages.push_back(make_static_page("/console.css", css, own_file("console/console.css")));
  for (auto const path : scripts)
    pages.push_back(make_static_page(path, javascript, own_file("console" + std::string{path})));
  if (!console_page::has_charts()) return pages;
  pages.push_back(make_static_page("/uplot.css", css, own_file("console/uplot.css")));
  pages.push_back(make_static_page("/uplot.js", javascript, own_file(chart_library)));
  pages.push_back({.path = "/licenses.txt", .type = plain_text, .body = licenses});
  return pages;
}

}  // namespace

console_page::console_page(std::string_view api_path)
    : texts_{compose_all()},
      licenses_{collect_texts({"console/uplot.license"})},
      documentation_{api_path, "admin token"},
      site_{console_pages(texts_, licenses_, documentation_)} {}

bool console_page::has_charts() noexcept {
  return find_embedded_file(chart_library) != nullptr;
}

}  // namespace petstore::pages
