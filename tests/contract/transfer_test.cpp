// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

struct two_nodes {
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return lines;
  }

  // Fills the first store with three kinds of records and returns its export.
  std::string export_of_a_full_store() {
    const issued_key key = from.create_key();
    from.open();
    client api(from, key.secret);
    api.post("/v1/categories", R"({"name":"Dogs"})");
    api.make_order(api.make_pet());
    for (int i = 0; i < 5; ++i) api.make_pet(R"({"name":"Zoë","categoryId":1})");
    for (const char* list : lists) bodies.push_back(api.get(list).body);
    BOOST_TEST(from.close() == 0);
    const finished_run run = run_program({"export", "--store", from.uri()});
    BOOST_TEST(run.exit_code == 0, run.errors);
    return run.output;
  }

  void expect_the_same_in(test_node& node) {
    const issued_key key = node.create_key();
    node.open();
    client api(node, key.secret);
    for (std::size_t i = 0; i < lists.size(); ++i) BOOST_TEST(api.get(lists[i]).body == bodies[i]);
  }

  const std::vector<const char*> lists{"/v1/pets", "/v1/store/orders", "/v1/categories"};
  std::vector<std::string> bodies;
  test_node from;
  test_node to;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(transfer, two_nodes)

BOOST_AUTO_TEST_CASE(what_is_exported_can_be_imported) {
  const std::string text = export_of_a_full_store();
  for (const std::string& line : lines_of(text)) BOOST_CHECK_NO_THROW(json::parse(line).members());
  BOOST_TEST(text.find("ps_live_") == std::string::npos);
  const finished_run run = run_program({"import", "--store", to.uri(), to.write_file("shop.jsonl", text)});
  BOOST_TEST(run.exit_code == 0, run.errors);
  expect_the_same_in(to);
}

BOOST_AUTO_TEST_CASE(an_import_given_again_changes_nothing) {
  const std::string file = to.write_file("shop.jsonl", export_of_a_full_store());
  for (int i = 0; i < 2; ++i) {
    const finished_run run = run_program({"import", "--store", to.uri(), file});
    BOOST_TEST(run.exit_code == 0, run.errors);
  }
  expect_the_same_in(to);
}

BOOST_AUTO_TEST_CASE(a_bad_line_is_named_and_nothing_is_half_imported) {
  const auto lines = lines_of(export_of_a_full_store());
  BOOST_REQUIRE(lines.size() >= 4U);
  std::string broken;
  for (std::size_t i = 0; i < lines.size(); ++i) broken += (i == 3 ? lines[i].substr(0, 10) : lines[i]) + "\n";
  const finished_run run = run_program({"import", "--store", to.uri(), to.write_file("broken.jsonl", broken)});
  BOOST_TEST(run.exit_code == 1);
  BOOST_TEST(run.errors.find("4") != std::string::npos, run.errors);
  const issued_key key = to.create_key();
  to.open();
  client api(to, key.secret);
  for (const char* list : lists) BOOST_TEST(api.get(list).value().elements().empty(), list);
}

BOOST_AUTO_TEST_CASE(ids_go_on_after_an_import) {
  const std::string text = export_of_a_full_store();
  BOOST_TEST(run_program({"import", "--store", to.uri(), to.write_file("shop.jsonl", text)}).exit_code == 0);
  const issued_key key = to.create_key();
  to.open();
  BOOST_TEST(client(to, key.secret).make_pet() == 7);
}

BOOST_AUTO_TEST_SUITE_END()
