// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// What the command line says to people who do not know what to do next.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

#include "cli/command_line.hpp"
#include "petstore/storage/lmdb.hpp"
#include "support/temporary_directory.hpp"

using namespace petstore;
using namespace petstore::program;

namespace {

struct newcomer {
  petstore::tests::temporary_directory directory;
  std::string const store = "lmdb:" + (directory / "store").string();
  std::string out;
  std::string err;

  int run(std::vector<std::string> arguments) {
    variables const none;
    std::istringstream i;
    std::ostringstream o;
    std::ostringstream e;
    int const code = run_command_line(std::move(arguments), none, {i, o, e});
    out = o.str();
    err = e.str();
    return code;
  }
  bool says(std::string_view text) const { return err.find(text) != std::string::npos; }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(command_line_help, newcomer)

BOOST_AUTO_TEST_CASE(a_slip_in_a_word_is_told_what_was_meant_and_where_help_is) {
  BOOST_TEST(run({"serve", "--lisen", "127.0.0.1:1"}) == 2);
  BOOST_TEST(err ==
             "petstore: `--lisen` is not an option of `petstore serve`; did you mean `--listen`?\n"
             "Try `petstore serve --help`.\n");
  BOOST_TEST(run({"serve", "--lisen=127.0.0.1:1"}) == 2);
  BOOST_TEST(says("`--lisen` is not an option"), err);
  BOOST_TEST(run({"keys", "lits"}) == 2);
  BOOST_TEST(
      err ==
      "petstore: `lits` is not a command of `petstore keys`; did you mean `list`?\nTry `petstore keys --help`.\n");
  BOOST_TEST(run({"sevre"}) == 2);
  BOOST_TEST(says("`sevre` is not a command of `petstore`; did you mean `serve`?"), err);
  BOOST_TEST(run({"serve", "extra"}) == 2);
  BOOST_TEST(says("`extra` is not an argument of `petstore serve`"), err);
}

BOOST_AUTO_TEST_CASE(a_line_without_a_command_is_told_which_there_are) {
  BOOST_TEST(run({}) == 2);
  BOOST_TEST(says("`petstore` needs a command: one of serve, "), err);
  BOOST_TEST(run({"config"}) == 2);
  BOOST_TEST(says("`petstore config` needs a command: one of check, show"), err);
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_named_with_where_help_is) {
  BOOST_TEST(run({"keys", "create"}) == 2);
  BOOST_TEST(err == "petstore: --plan is required\nTry `petstore keys create --help`.\n");
}

BOOST_AUTO_TEST_CASE(a_slip_is_told_also_where_another_flag_is_missing) {
  BOOST_TEST(run({"keys", "create", "--store", store, "--plna", "free"}) == 2);
  BOOST_TEST(err ==
             "petstore: `--plna` is not an option of `petstore keys create`; did you mean `--plan`?\n"
             "Try `petstore keys create --help`.\n");
  BOOST_TEST(run({"copy", "--form", store, "--to", store}) == 2);
  BOOST_TEST(says("`--form` is not an option of `petstore copy`; did you mean `--from`?"), err);
}

BOOST_AUTO_TEST_CASE(help_of_a_command_is_what_its_flag_prints) {
  for (auto const& command : std::vector<std::vector<std::string>>{{}, {"serve"}, {"keys"}, {"keys", "create"}}) {
    auto by_flag = command;
    by_flag.emplace_back("--help");
    BOOST_TEST(run(by_flag) == 0);
    auto const told = out;
    auto by_word = command;
    by_word.insert(by_word.begin(), "help");
    BOOST_TEST(run(by_word) == 0, err);
    BOOST_TEST(out == told);
  }
}

BOOST_AUTO_TEST_CASE(help_of_what_is_no_command_is_wrong_usage) {
  BOOST_TEST(run({"help", "keys", "lits"}) == 2);
  BOOST_TEST(
      err ==
      "petstore: `lits` is not a command of `petstore keys`; did you mean `list`?\nTry `petstore keys --help`.\n");
  BOOST_TEST(run({"help", "sevre"}) == 2);
  BOOST_TEST(says("`sevre` is not a command of `petstore`; did you mean `serve`?"), err);
}

BOOST_AUTO_TEST_CASE(every_failure_says_what_to_do) {
  BOOST_TEST(run({"keys", "list"}) == 2);
  BOOST_TEST(says("give --store with lmdb:DIRECTORY"), err);
  BOOST_TEST(run({"keys", "list", "--store", store}) == 2);
  BOOST_TEST(says("`petstore keys create` and `petstore serve` make a store"), err);
  BOOST_TEST(run({"keys", "list", "--store", "lmbd:x"}) == 2);
  BOOST_TEST(says("is none of lmdb:DIRECTORY, postgres://… and memory:"), err);

  BOOST_TEST(run({"keys", "create", "--store", store, "--plan", "free"}) == 0);
  BOOST_TEST(run({"keys", "show", "--store", store, "k9"}) == 1);
  BOOST_TEST(says("`petstore keys list` shows the ids"), err);
  BOOST_TEST(run({"keys", "show", "--store", store, "9"}) == 2);
  BOOST_TEST(says("`petstore keys list` shows the ids"), err);
  BOOST_TEST(run({"keys", "create", "--store", store, "--plan", "free", "--environment", "staging"}) == 2);
  BOOST_TEST(says("change --environment or --store"), err);
  BOOST_TEST(run({"export", "--store", store, "--output", (directory / "no" / "x").string()}) == 2);
  BOOST_TEST(says("Check the path"), err);
  BOOST_TEST(run({"serve", "--config", (directory / "none.toml").string()}) == 2);
  BOOST_TEST(says("Name a file that is there"), err);
}

BOOST_AUTO_TEST_CASE(a_store_that_a_server_has_open_is_told_how_to_go_on) {
  storage::lmdb_options options;
  options.directory = directory / "store";
  options.environment = environment::production;
  options.serve = true;
  auto const held = storage::open_lmdb_store(std::move(options));
  BOOST_TEST(run({"serve", "--store", store, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}) == 1);
  BOOST_TEST(says("Stop the server that has it open"), err);
}

BOOST_AUTO_TEST_CASE(the_manual_page_and_completions_know_every_command_and_flag) {
  BOOST_TEST(run({"man"}) == 0);
  auto const manual = out;
  for (auto const& row : all_settings()) {
    auto flag = std::string(row.name);
    for (std::size_t at = 0; (at = flag.find('-', at)) != flag.npos; at += 2) flag.insert(at, "\\");
    BOOST_TEST(manual.find("\\-\\-" + flag) != manual.npos, row.name);
  }
  for (auto const* shell : {"bash", "zsh", "fish"}) {
    BOOST_TEST(run({"completion", shell}) == 0);
    for (auto const& row : all_settings()) BOOST_TEST(out.find(std::string(row.name)) != out.npos, row.name);
  }
  BOOST_TEST(run({"completion", "csh"}) == 2);
  BOOST_TEST(says("`csh` is none of bash, zsh and fish"), err);
}

BOOST_AUTO_TEST_SUITE_END()
