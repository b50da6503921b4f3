// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "pages/documentation.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "pages/embedded_files.hpp"

namespace petstore::pages {

BOOST_AUTO_TEST_SUITE(documentation_page)

namespace {

BOOST_AUTO_TEST_CASE(the_page_names_the_document_of_its_base_path) {
  documentation const made{"/shop/v2"};
  auto const* const page = made.site().find("/docs");
  BOOST_REQUIRE(page);
  std::string const text{page->page().body};
  BOOST_TEST(text.find("/shop/v2/openapi.json") != std::string::npos);
  BOOST_TEST(text.find("{{") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_page_calls_the_token_what_its_operations_call_it) {
  auto const text_of = [](documentation const& made) { return std::string{made.site().find("/docs")->page().body}; };
  if (!documentation::is_whole()) return;  // the page without npm asks for no token
  BOOST_TEST(text_of(documentation{"/v1"}).find("data-credential=\"API key\"") != std::string::npos);
  BOOST_TEST(text_of(documentation{"/v1", "admin token"}).find("data-credential=\"admin token\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_file_the_page_asks_for_is_there) {
  documentation const made{"/v1"};
  std::string const text{made.site().find("/docs")->page().body};
  std::size_t files = 0;
  for (auto at = text.find("\"/docs/"); at != std::string::npos; at = text.find("\"/docs/", at + 1), ++files) {
    auto const path = text.substr(at + 1, text.find('"', at + 1) - at - 1);
    BOOST_TEST(made.site().find(path), path);
  }
  BOOST_TEST(files >= 1u);
}

BOOST_AUTO_TEST_CASE(a_build_without_npm_links_the_document) {
  documentation const made{"/v1"};
  BOOST_TEST((made.site().find("/docs/swagger-ui.js") != nullptr) == documentation::is_whole());
  std::string const text{made.site().find("/docs")->page().body};
  BOOST_TEST((text.find("<script") != std::string::npos) == documentation::is_whole());
  BOOST_TEST(own_file("docs/link.html").bytes.find("{{base-path}}/openapi.json") != std::string_view::npos);
}

BOOST_AUTO_TEST_CASE(what_comes_from_others_comes_with_its_license) {
  documentation const made{"/v1"};
  auto const* const licenses = made.site().find("/docs/licenses.txt");
  BOOST_TEST((licenses != nullptr) == documentation::is_whole());
  if (!licenses) return;
  auto const text = licenses->page().body;
  // The notice, the license of Swagger UI, and the licenses of what its file contains.
  for (std::string_view const part : {"SmartBear Software", "Apache License", "Licensed under the MIT License"})
    BOOST_TEST(text.find(part) != std::string_view::npos, part);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::pages
