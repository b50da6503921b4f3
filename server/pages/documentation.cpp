// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "pages/documentation.hpp"

#include <vector>

#include "pages/embedded_files.hpp"
#include "site_parts.hpp"

namespace petstore::pages {
namespace {

constexpr std::string_view documentation_library = "docs/swagger-ui.js";

/// Allows everything from this host, and nothing inline. The pictures are those in the style sheet of Swagger UI.
constexpr std::string_view documentation_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::vector<server::static_page> documentation_pages(std::string const& page, std::string const& licenses) {
  std::vector<server::static_page> pages{{.path = "/docs", .type = html, .body = page, .policy = documentation_policy},
                                         make_static_page("/docs/docs.css", css, own_file("docs/docs.css"))};
  if (!documentation::is_whole()) return pages;
  pages.push_back(make_static_page("/docs/docs.js", javascript, own_file("docs/docs.js")));
  pages.push_back(make_static_page("/docs/swagger-ui.js", javascript, own_file(documentation_library)));
  pages.push_back(make_static_page("/docs/swagger-ui.css", css, own_file("docs/swagger-ui.css")));
  pages.push_back({.path = "/docs/licenses.txt", .type = plain_text, .body = licenses});
  return pages;
}

}  // namespace

documentation::documentation(std::string_view base_path, std::string_view credential)
    : page_{fill_in(
          fill_in(own_file(is_whole() ? "docs/docs.html" : "docs/link.html").bytes, "{{base-path}}", base_path),
          "{{credential}}", credential)},
      licenses_{collect_texts({"docs/swagger-ui.notice", "docs/swagger-ui.license", "docs/swagger-ui.parts.license"})},
      pages_{documentation_pages(page_, licenses_)},
      site_{pages_} {}

bool documentation::is_whole() noexcept {
  return find_embedded_file(documentation_library) != nullptr;
}

}  // namespace petstore::pages
