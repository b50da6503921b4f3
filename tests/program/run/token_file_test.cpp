// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/token_file.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "support/resource_limit.hpp"
#include "support/temporary_directory.hpp"

using namespace petstore;
using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(token_file_suite)

namespace {

std::string const first(32, 'f');
std::string const second(32, 's');

struct file_fixture {
  void put(std::string const& text) const {
    directory.write("tokens.new", text);
    std::filesystem::rename(directory / "tokens.new", directory / "tokens");
  }
  loaded_settings load() const {
    return load_settings({{{"admin-token-file", (directory / "tokens").string()}}, {}, {}});
  }
  event_report report() {
    return [this](auto, std::string_view event, std::string_view detail) {
      events.emplace_back(event);
      details.emplace_back(detail);
    };
  }
  static bool opens(token_file& tested, std::string const& token) {
    server::request request;
    auto const authorization = "Bearer " + token;
    std::vector<server::header_field> const fields{{"Authorization", authorization}};
    request.fields = fields;
    server::response out;
    return tested.access().identify_or_answer(request, admin_role::operating, out).has_value();
  }

  tests::temporary_directory directory;
  std::vector<std::string> events;
  std::vector<std::string> details;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(without_a_file_nobody_has_access, file_fixture) {
  token_file tested(load_settings({}), report());
  BOOST_TEST(!tested.access().has_tokens());
  tested.reload();
  tested.follow();
  BOOST_TEST(events.empty());
}

BOOST_FIXTURE_TEST_CASE(a_file_that_cannot_be_used_is_a_fault_of_the_setting, file_fixture) {
  put("short");
  try {
    token_file tested(load(), report());
    BOOST_FAIL("the file was accepted");
  } catch (config_error const& wrong) {
    BOOST_REQUIRE(wrong.faults.size() == 1u);
    BOOST_TEST(wrong.faults[0].starts_with("admin-token-file: `" + (directory / "tokens").string() + "` has a token"));
    BOOST_TEST(wrong.faults[0].find("(from ") != std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(a_changed_file_is_read_when_it_is_settled, file_fixture) {
  put(first);
  token_file tested(load(), report());
  put("rosa operator " + second + "\n");
  tested.follow();
  BOOST_TEST(opens(tested, first));
  tested.follow();
  BOOST_TEST(!opens(tested, first));
  BOOST_TEST(opens(tested, second));
  BOOST_TEST((events == std::vector<std::string>{"admin_tokens_reloaded"}));
  tested.follow();
  BOOST_TEST(events.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_broken_file_keeps_the_tokens_and_is_reported_once, file_fixture) {
  put(first);
  token_file tested(load(), report());
  put("rosa operator short\n");
  for (int i = 0; i < 4; ++i) tested.follow();
  BOOST_TEST((events == std::vector<std::string>{"admin_tokens_not_reloaded"}));
  BOOST_TEST(details[0].find("line 1") != std::string::npos);
  BOOST_TEST(opens(tested, first));
  tested.reload();  // as SIGHUP asks for
  BOOST_TEST(events.size() == 2u);
  BOOST_TEST(opens(tested, first));
}

BOOST_FIXTURE_TEST_CASE(a_file_that_could_not_be_read_is_read_when_it_can_be, file_fixture) {
  put(first);
  token_file tested(load(), report());
  put(second);
  {
    tests::resource_limit const no_descriptors(RLIMIT_NOFILE, 0);
    for (int i = 0; i < 4; ++i) tested.follow();
  }
  BOOST_TEST((events == std::vector<std::string>{"admin_tokens_not_reloaded"}));
  tested.follow();
  BOOST_TEST((events == std::vector<std::string>{"admin_tokens_not_reloaded", "admin_tokens_reloaded"}));
  BOOST_TEST(opens(tested, second));
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_not_private_any_more_keeps_the_tokens_and_is_reported_once, file_fixture) {
  using std::filesystem::perms;
  auto const file = directory / "tokens";
  put(first);
  token_file tested(load(), report());
  std::filesystem::permissions(file, perms::others_read, std::filesystem::perm_options::add);
  for (int i = 0; i < 4; ++i) tested.follow();
  BOOST_TEST((events == std::vector<std::string>{"admin_tokens_not_reloaded"}));
  BOOST_TEST(details[0].find("may be read by everybody: chmod o-rwx") != std::string::npos, details[0]);
  BOOST_TEST(details[0].find("the tokens that were read last stay in use") != std::string::npos);
  BOOST_TEST(opens(tested, first));
  std::filesystem::permissions(file, perms::others_read, std::filesystem::perm_options::remove);
  for (int i = 0; i < 4; ++i) tested.follow();
  BOOST_TEST((events == std::vector<std::string>{"admin_tokens_not_reloaded", "admin_tokens_reloaded"}));
}

BOOST_AUTO_TEST_SUITE_END()
