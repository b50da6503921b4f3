// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/webhook_secret.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "support/resource_limit.hpp"
#include "support/temporary_directory.hpp"

using namespace petstore;
using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(webhook_secrets)

namespace {

std::string const first(32, 'f');
std::string const second(33, 's');

struct secret_fixture {
  void put(std::string const& text) const {
    directory.write("secret.new", text);
    std::filesystem::rename(directory / "secret.new", directory / "secret");
  }
  loaded_settings load() const {
    return load_settings(
        {{{"webhook", "https://hooks.example.com/"}, {"webhook-secret-file", (directory / "secret").string()}},
         {},
         {}});
  }
  event_report report() {
    return [this](auto, std::string_view event, std::string_view detail) {
      events.emplace_back(event);
      details.emplace_back(detail);
    };
  }
  /// The fault of the file; empty if it is accepted.
  std::string fault() {
    try {
      webhook_secret const tested(load(), report());
      return {};
    } catch (config_error const& wrong) {
      return wrong.what();
    }
  }

  tests::temporary_directory directory;
  std::vector<std::string> events;
  std::vector<std::string> details;
};

bool contains(std::string const& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_secret_is_the_content_of_its_file, secret_fixture) {
  put(first + "\n");
  webhook_secret const tested(load(), report());
  BOOST_TEST(tested.value() == first);
}

BOOST_FIXTURE_TEST_CASE(without_a_file_there_is_no_secret, secret_fixture) {
  webhook_secret tested(load_settings({}), report());
  tested.reload();
  tested.follow();
  BOOST_TEST(tested.value().empty());
  BOOST_TEST(events.empty());
}

BOOST_FIXTURE_TEST_CASE(a_short_secret_is_a_fault_that_does_not_show_it, secret_fixture) {
  put(std::string(31, 'q'));
  BOOST_TEST(contains(fault(), "webhook-secret-file: `" + (directory / "secret").string() +
                                   "` has a secret that is shorter than 32 characters"));
  BOOST_TEST(!contains(fault(), "qqq"));
}

BOOST_FIXTURE_TEST_CASE(a_file_that_others_may_read_or_that_is_missing_is_a_fault, secret_fixture) {
  BOOST_TEST(contains(fault(), "is a file that cannot be read"));
  put(first);
  using std::filesystem::perms;
  std::filesystem::permissions(directory / "secret", perms::owner_read | perms::others_read);
  BOOST_TEST(contains(fault(), "may be read by everybody: chmod o-rwx"));
}

BOOST_FIXTURE_TEST_CASE(a_changed_secret_is_read_when_it_is_settled, secret_fixture) {
  put(first);
  webhook_secret tested(load(), report());
  put(second);
  tested.follow();
  BOOST_TEST(tested.value() == first);
  tested.follow();
  BOOST_TEST(tested.value() == second);
  BOOST_TEST((events == std::vector<std::string>{"webhook_secret_reloaded"}));
}

BOOST_FIXTURE_TEST_CASE(a_secret_that_could_not_be_read_is_read_when_it_can_be, secret_fixture) {
  put(first);
  webhook_secret tested(load(), report());
  put(second);
  {
    tests::resource_limit const no_descriptors(RLIMIT_NOFILE, 0);
    for (int i = 0; i < 4; ++i) tested.follow();
  }
  BOOST_TEST((events == std::vector<std::string>{"webhook_secret_not_reloaded"}));
  tested.follow();
  BOOST_TEST(tested.value() == second);
}

BOOST_FIXTURE_TEST_CASE(a_secret_that_cannot_be_used_changes_nothing, secret_fixture) {
  put(first);
  webhook_secret tested(load(), report());
  put("short");
  tested.reload();
  BOOST_TEST(tested.value() == first);
  BOOST_REQUIRE((events == std::vector<std::string>{"webhook_secret_not_reloaded"}));
  BOOST_TEST(contains(details.front(), "the secret that was read last stays in use"));
  BOOST_TEST(!contains(details.front(), "short\n"));
}

BOOST_AUTO_TEST_SUITE_END()
