// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/render.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include "program/temporary_directory.hpp"

using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(render)

BOOST_AUTO_TEST_CASE(columns_are_as_wide_as_their_widest_cell) {
  BOOST_TEST(aligned({{"a", "bbb", "c"}, {"aaaa", "b", "cc"}}) == "a     bbb  c\naaaa  b    cc\n");
}

BOOST_AUTO_TEST_CASE(a_code_point_takes_one_column) {
  BOOST_TEST(aligned({{"é…", "x"}, {"abc", "x"}}) == "é…   x\nabc  x\n");
}

BOOST_AUTO_TEST_CASE(show_says_where_a_value_comes_from) {
  auto const loaded = load_settings({{{"threads", "2"}}, {{"PETSTORE_LOG_LEVEL", "debug"}}, {}});
  auto const text = settings_as_text(loaded.shown);
  auto const line = text.substr(text.find("\nthreads ") + 1, text.find('\n', text.find("\nthreads ") + 1));
  BOOST_TEST(line.find(" 2 ") != std::string::npos);
  BOOST_TEST(line.find(" --threads\n") != std::string::npos);

  auto const json = boost::json::parse(settings_as_json(loaded.shown)).as_object();
  BOOST_TEST(json.at("threads").at("value").as_string() == "2");
  BOOST_TEST(json.at("threads").at("source").as_string() == "--threads");
  BOOST_TEST(json.at("log-level").at("source").as_string() == "PETSTORE_LOG_LEVEL");
  BOOST_TEST(json.at("plans.free").at("value").as_string() == "60 a minute, 1000 a day, periodic");
}

BOOST_AUTO_TEST_CASE(the_manuals_table_has_a_row_for_every_setting) {
  auto const table = settings_as_markdown();
  for (auto const& row : all_settings()) {
    BOOST_TEST(table.find("`" + row.variable() + "` | `" + std::string(row.file_key) + "`") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(the_readme_has_that_table) {
  // When this fails: `petstore config table` prints what belongs there.
  auto const readme = petstore::test::read_file(PETSTORE_README);
  BOOST_TEST(readme.find(settings_as_markdown()) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
