// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "pages/console_page.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace petstore::pages {

BOOST_AUTO_TEST_SUITE(console_pages)

namespace {

constexpr auto pages_shown = {"/", "/keys", "/keys/{id}", "/pets", "/orders", "/audit"};

BOOST_AUTO_TEST_CASE(every_page_of_the_console_has_the_head_and_allows_nothing_inline) {
  console_page const made{"/admin/v1"};
  for (auto const* path : pages_shown) {
    auto const* const found = made.site().find(path);
    BOOST_REQUIRE(found);
    std::string const text{found->page().body};
    BOOST_TEST(text.find("id=\"sign-in\"") != std::string::npos);
    BOOST_TEST(text.find("{{") == std::string::npos);
    BOOST_TEST(found->page().policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"));
    BOOST_TEST(found->page().policy.find("unsafe") == std::string_view::npos);
  }
}

BOOST_AUTO_TEST_CASE(every_file_the_pages_ask_for_is_there) {
  console_page const made{"/admin/v1"};
  for (auto const* path : pages_shown) {
    std::string const text{made.site().find(path)->page().body};
    for (std::string const attribute : {"src=\"", "rel=\"stylesheet\" href=\""})
      for (auto at = text.find(attribute); at != std::string::npos; at = text.find(attribute, at + 1)) {
        auto const begin = at + attribute.size();
        auto const file = text.substr(begin, text.find('"', begin) - begin);
        BOOST_TEST(made.site().find(file), file);
      }
  }
  for (auto const* imported : {"/list.js", "/secret.js", "/shared.js"})
    BOOST_TEST(made.site().find(imported), imported);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::pages
