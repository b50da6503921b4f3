// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/render.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "support/temporary_directory.hpp"

BOOST_AUTO_TEST_SUITE(render)

using namespace petstore::program;

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

BOOST_AUTO_TEST_CASE(the_page_of_settings_has_that_table) {
  // When this fails: `petstore config table` prints what belongs there.
  auto const page = petstore::tests::read_file(PETSTORE_SETTINGS_PAGE);
  BOOST_TEST(page.find(settings_as_markdown()) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_example_file_is_what_the_table_says) {
  // When this fails: `petstore config example` prints what belongs there.
  BOOST_TEST(petstore::tests::read_file(PETSTORE_EXAMPLE) == settings_as_toml());
}

BOOST_AUTO_TEST_CASE(the_example_with_every_setting_in_force_changes_nothing) {
  std::string all;
  std::istringstream lines(settings_as_toml());
  for (std::string line; std::getline(lines, line);)
    all += (line.starts_with('#') && !line.starts_with("##") && !line.starts_with("# ") ? line.substr(1) : line) + "\n";
  petstore::tests::temporary_directory const directory;
  auto const loaded = load_settings({{}, {}, directory.write("petstore.toml", all)});
  auto const otherwise = load_settings({});
  BOOST_REQUIRE_EQUAL(loaded.shown.size(), otherwise.shown.size());
  for (std::size_t i = 0; i < loaded.shown.size(); ++i) {
    BOOST_TEST(loaded.shown[i].value == otherwise.shown[i].value, loaded.shown[i].name);
    BOOST_TEST(loaded.shown[i].source.starts_with("petstore.toml:"), loaded.shown[i].name);
  }
}

BOOST_AUTO_TEST_CASE(programs_get_tabs) {
  BOOST_TEST(tab_separated({{"a", "b c"}, {"d", "e"}}) == "a\tb c\nd\te\n");
}

BOOST_AUTO_TEST_CASE(a_table_that_fits_is_left_alone_and_another_goes_on_in_further_lines) {
  std::vector<std::vector<std::string>> const lines{{"k1", "A rather long name", "x"}, {"k2", "Kürzer", "y"}};
  BOOST_TEST(table_of({"ID", "NAME", "Z"}, lines, 80) ==
             "ID  NAME                Z\nk1  A rather long name  x\nk2  Kürzer              y\n");
  BOOST_TEST(table_of({"ID", "NAME", "Z"}, lines, 20) ==
             "ID  NAME           Z\nk1  A rather long  x\n    name\nk2  Kürzer         y\n");
  BOOST_TEST(table_of({"ID", "NAME", "Z"}, lines, 1) ==
             "ID  NAME      Z\nk1  A rather  x\n    long\n    name\nk2  Kürzer    y\n");
}

BOOST_AUTO_TEST_CASE(a_word_that_is_too_long_goes_on_in_the_next_line_without_a_loss) {
  BOOST_TEST(table_of({"ID", "N"}, {{"k1", "üüüüüüüüüü"}}, 12) == "ID  N\nk1  üüüüüüüü\n    üü\n");
  std::string const very_long(30, 'a');
  BOOST_TEST(table_of({"A", "B"}, {{very_long, "bbbbbbbbbbbb"}}, 26) ==
             "A             B\naaaaaaaaaaaa  bbbbbbbbbbbb\naaaaaaaaaaaa\naaaaaa\n");
}

BOOST_AUTO_TEST_SUITE_END()
