// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_tokens.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "config/values.hpp"
#include "support/temporary_directory.hpp"

using namespace petstore::program;

BOOST_AUTO_TEST_SUITE(admin_tokens_suite)

namespace {

std::string const one(32, 'a');
std::string const other(32, 'b');

std::string fault_of(std::string const& text) {
  try {
    admin_tokens::parse(text);
  } catch (value_error const& fault) {
    return fault.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_line_has_a_name_a_role_and_a_token) {
  auto const tokens = admin_tokens::parse("# who may do what\n\nrosa operator " + one + "\r\n\tvera  viewer " + other);
  auto const* const rosa = tokens.find(one);
  BOOST_REQUIRE(rosa);
  BOOST_TEST(rosa->name == "rosa");
  BOOST_TEST(rosa->may(admin_role::operating));
  auto const* const vera = tokens.find(other);
  BOOST_REQUIRE(vera);
  BOOST_TEST(vera->name == "vera");
  BOOST_TEST(vera->may(admin_role::viewing));
  BOOST_TEST(!vera->may(admin_role::operating));
  for (auto const& wrong : {std::string{}, one + "a", one.substr(1), std::string{"rosa"}})
    BOOST_TEST(!tokens.find(wrong));
}

BOOST_AUTO_TEST_CASE(a_lone_token_is_that_of_the_operator_admin) {
  auto const tokens = admin_tokens::parse("# only one\n" + one + "\n");
  BOOST_REQUIRE(tokens.find(one));
  BOOST_TEST(tokens.find(one)->name == "admin");
  BOOST_TEST(tokens.find(one)->may(admin_role::operating));
}

BOOST_AUTO_TEST_CASE(a_name_may_have_two_tokens_while_one_replaces_the_other) {
  auto const tokens = admin_tokens::parse("rosa operator " + one + "\nrosa operator " + other);
  BOOST_TEST(tokens.find(one)->name == "rosa");
  BOOST_TEST(tokens.find(other)->name == "rosa");
}

BOOST_AUTO_TEST_CASE(a_faulty_line_is_named_and_not_repeated) {
  BOOST_TEST(fault_of("") == "has no token");
  BOOST_TEST(fault_of("# nothing\n") == "has no token");
  std::string const good = "rosa operator " + one + "\n";
  std::string const faulty[] = {good + other,                                      // a lone token beside another line
                                good + "vera viewer",                              // no token
                                good + "vera viewer " + other + " x",              // a fourth word
                                good + "vera root " + other,                       // an unknown role
                                good + "vera viewer " + other.substr(1),           // a short token
                                good + std::string(65, 'v') + " viewer " + other,  // a long name
                                good + "v\x1b[2J viewer " + other,                 // a name with a control character
                                good + "vera viewer " + other + "\xc3\xa4",  // a token that no header field carries
                                good + "vera viewer " + one};                // the token of another line
  for (auto const& text : faulty) {
    auto const fault = fault_of(text);
    BOOST_TEST(fault.find("line 2") != std::string::npos, fault);
    for (auto const& secret : {one, other, other.substr(1)}) BOOST_TEST(fault.find(secret) == std::string::npos);
  }
  BOOST_TEST(fault_of("short") ==
             "has a token that is shorter than 32 characters in line 1: make one with openssl rand -base64 33");
}

BOOST_AUTO_TEST_CASE(a_file_that_others_may_read_or_write_is_refused) {
  using std::filesystem::perms;
  petstore::tests::temporary_directory const directory;
  auto const path = directory / "tokens";
  BOOST_CHECK_THROW(admin_tokens::read(path), value_error);
  directory.write("tokens", one + "\n");
  for (auto const too_much : {perms::others_read, perms::others_write, perms::group_write}) {
    std::filesystem::permissions(path, perms::owner_read | too_much);
    BOOST_CHECK_THROW(admin_tokens::read(path), value_error);
  }
  std::filesystem::permissions(path, perms::owner_read | perms::group_read);
  BOOST_TEST(admin_tokens::read(path).find(one));
}

BOOST_AUTO_TEST_SUITE_END()
