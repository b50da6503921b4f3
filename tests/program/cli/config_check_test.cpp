// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/config_check.hpp"

#include <boost/test/unit_test.hpp>
#include <iostream>
#include <sstream>

#include "support/temporary_directory.hpp"

BOOST_AUTO_TEST_SUITE(config_check)

using namespace petstore::program;
using petstore::tests::temporary_directory;

namespace {

/// All faults of the addresses, or that there is none.
std::string judge(std::string const& store, std::string const& quota) {
  std::ostringstream out, err;
  setting_sources sources;
  sources.flags = {{"store", store}, {"quota", quota}};
  try {
    config_check_command(load_settings(sources), {std::cin, out, err});
  } catch (config_error const& wrong) {
    BOOST_TEST(out.str().empty());
    return wrong.what();
  }
  BOOST_TEST(out.str() == "the configuration is sound for `petstore serve`\n");
  return "sound";
}

bool says(std::string const& told, std::string_view what) {
  return told.find(what) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_missing_store_is_a_fault_as_it_is_for_serve) {
  std::ostringstream out, err;
  BOOST_CHECK_EXCEPTION(config_check_command(load_settings({}), {std::cin, out, err}), config_error,
                        [](config_error const& e) { return says(e.what(), "store: not set; give --store"); });
}

BOOST_AUTO_TEST_CASE(a_directory_that_serve_would_refuse_is_a_fault) {
  temporary_directory const directory;
  directory.write("letter.txt", "hello");
  auto const uri = "lmdb:" + directory.path().string();
  BOOST_TEST(says(judge(uri, "local"), "it holds other files ('letter.txt') and no store (from --store)"));
}

BOOST_AUTO_TEST_CASE(an_admin_token_that_serve_would_refuse_is_a_fault) {
  temporary_directory const directory;
  std::ostringstream out, err;
  setting_sources sources;
  sources.flags = {{"store", "memory:"}, {"admin-token-file", directory.write("token", "short").string()}};
  BOOST_CHECK_EXCEPTION(config_check_command(load_settings(sources), {std::cin, out, err}), config_error,
                        [](config_error const& e) { return says(e.what(), "admin-token-file: "); });
}

BOOST_AUTO_TEST_CASE(a_secret_of_the_webhook_that_serve_would_refuse_is_a_fault) {
  temporary_directory const directory;
  std::ostringstream out, err;
  setting_sources sources;
  sources.flags = {{"store", "memory:"},
                   {"webhook", "https://hooks.example.com"},
                   {"webhook-secret-file", directory.write("secret", "short").string()}};
  BOOST_CHECK_EXCEPTION(config_check_command(load_settings(sources), {std::cin, out, err}), config_error,
                        [](config_error const& e) { return says(e.what(), "webhook-secret-file: "); });
}

BOOST_AUTO_TEST_CASE(addresses_that_nobody_answers_at_are_sound) {
  for (auto const* store : {"memory:", "lmdb:nowhere", "postgres://u:p@127.0.0.1:1/shop",
                            "postgres://a:5432,b:5433/shop?sslmode=verify-full&target_session_attrs=primary"})
    for (auto const* quota : {"local", "redis://127.0.0.1:1", "redis+sentinel://a,b/shop", "rediss+cluster://a:1,b:2"})
      BOOST_TEST(judge(store, quota) == "sound", store << " " << quota);
}

BOOST_AUTO_TEST_CASE(every_fault_of_an_address_is_told_with_the_setting_and_its_source) {
  auto const told = judge("postgres://host:99999/shop", "redis://host:99999");
  BOOST_TEST(
      says(told, "store: the postgres:// address has a port that is not a number from 1 to 65535 (from --store)"),
      told);
  BOOST_TEST(
      says(told, "quota: The address of Redis cannot be used. A port is not a number from 1 to 65535. (from --quota)"),
      told);
}

BOOST_AUTO_TEST_CASE(what_libpq_would_refuse_when_it_connects_is_refused_before) {
  for (auto const& [uri, fault] : {
           std::pair{"postgres://[::1/shop", "cannot be read"},
           {"postgres://host/shop?colour=red", "cannot be read"},
           {"postgres://host/shop?sslmode=always", "sslmode that is none of disable, allow"},
           {"postgres://host/shop?target_session_attrs=writable", "target_session_attrs that is none of any, "},
           {"postgres://host/shop?port=http", "a port that is not a number"},
           {"postgres://a,b/shop?port=1,2,3", "3 ports for 2 hosts"},
       }) {
    auto const told = judge(uri, "local");
    BOOST_TEST(says(told, fault), uri << ": " << told);
  }
}

BOOST_AUTO_TEST_CASE(a_fault_repeats_no_password) {
  for (auto const* store : {"postgres://u:hunter2@host:x/shop", "postgres://u:hunter2?@host/shop"})
    BOOST_TEST(!says(judge(store, "redis://u:hunter2@host:x"), "hunter2"), store);
}

BOOST_AUTO_TEST_CASE(files_for_tls_must_be_usable) {
  temporary_directory const directory;
  auto const no_certificate = directory.write("ca.pem", "not one\n").string();
  BOOST_TEST(says(judge("memory:", "rediss://host?ca=/nowhere/ca.pem"), "/nowhere/ca.pem cannot be used"));
  BOOST_TEST(says(judge("memory:", "rediss://host?ca=" + no_certificate), "ca.pem cannot be used"));
}

BOOST_AUTO_TEST_SUITE_END()
