// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/maintenance.hpp"

#include <stdlib.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

#include "cli/command_line.hpp"
#include "petstore/quota/local.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::program {
namespace {

/// A store with one key, and a line that is typed beside it.
struct terminal {
  terminal() { BOOST_REQUIRE(run({"keys", "create", "--store", uri("store"), "--plan", "free"}) == 0); }

  std::string uri(std::string const& name) const { return "lmdb:" + (directory / name).string(); }

  int run(std::vector<std::string> arguments) {
    std::istringstream in;
    std::ostringstream o;
    std::ostringstream e;
    int const code = run_command_line(std::move(arguments), environment, {in, o, e});
    out = o.str();
    err = e.str();
    return code;
  }
  bool said(std::string_view text) const { return (out + err).find(text) != std::string::npos; }

  void damage(std::string const& name) const {
    std::fstream file(directory / name / "data.mdb", std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(0);
    file.put('?');
  }

  /// Changes a byte of every record with this text.
  void damage_records(std::string const& name, std::string const& text) const {
    auto const path = directory / name / "data.mdb";
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    for (auto at = bytes.find(text); at != bytes.npos; at = bytes.find(text, at + 1)) {
      file.seekp(static_cast<std::streamoff>(at + 1));
      file.put('?');
    }
  }

  petstore::tests::temporary_directory directory;
  variables environment;
  std::string out;
  std::string err;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(maintenance, terminal)

BOOST_AUTO_TEST_CASE(help_is_fine_and_names_the_flags) {
  BOOST_TEST(run({"backup", "--help"}) == 0);
  BOOST_TEST(said("--output"));
  BOOST_TEST(run({"restore", "--help"}) == 0);
  BOOST_TEST(said("--from"));
  BOOST_TEST(run({"check", "--help"}) == 0);
  BOOST_TEST(said("--store"));
}

BOOST_AUTO_TEST_CASE(sound_store_is_fine_and_summed_up_in_a_line) {
  BOOST_TEST(run({"check", "--store", uri("store")}) == 0);
  BOOST_TEST(out.starts_with("the store is sound: "), out);
  BOOST_TEST(out.ends_with(" 3 records, 1 index entries\n"), out);  // key, identity, audit log; its digest
  BOOST_TEST(err.empty());
}

BOOST_AUTO_TEST_CASE(damaged_store_is_a_failure_that_names_the_fault) {
  damage("store");
  BOOST_TEST(run({"check", "--store", uri("store")}) == 1);
  BOOST_TEST(out.starts_with("page 0, a head of the file, is none\nthe store is damaged: 1 faults"), out);
  BOOST_TEST(run({"backup", "--store", uri("store"), "--output", (directory / "copy").string()}) == 1);
  BOOST_TEST(!std::filesystem::exists(directory / "copy"));
}

BOOST_AUTO_TEST_CASE(store_whose_last_audit_entry_is_damaged_is_not_copied) {
  damage_records("store", "\"create\"");
  BOOST_TEST(run({"copy", "--from", uri("store"), "--to", uri("copy")}) == 1);
  BOOST_TEST(said("nothing is copied: the source is damaged"), err);
  BOOST_TEST(run({"keys", "list", "--store", uri("copy")}) == 0);
  BOOST_TEST(out.find("k1") == std::string::npos, out);
}

BOOST_AUTO_TEST_CASE(store_that_is_copied_and_restored_has_its_keys) {
  auto const copy = (directory / "copy").string();
  BOOST_TEST(run({"backup", "--store", uri("store"), "--output", copy}) == 0);
  BOOST_TEST(out == "'" + copy + "' holds a copy of the store, checked: 3 records\n");
  BOOST_TEST(run({"restore", "--from", copy, "--store", uri("restored")}) == 0);
  BOOST_TEST(run({"keys", "list", "--store", uri("restored")}) == 0);
  BOOST_TEST(out.starts_with("k1"));
}

BOOST_AUTO_TEST_CASE(quotas_go_along_while_a_server_counts_them) {
  auto const open_quota_of = [&](char const* store) {
    quota::local_options options;
    options.directory = directory / store / "quota";
    return quota::open_local_quota(std::move(options));
  };
  auto const counting = open_quota_of("store");
  BOOST_TEST(run({"backup", "--store", uri("store"), "--output", (directory / "copy").string()}) == 0);
  BOOST_TEST(std::filesystem::exists(directory / "copy" / "quota" / "data.mdb"));
  BOOST_TEST(run({"restore", "--from", (directory / "copy").string(), "--store", uri("restored")}) == 0);
  BOOST_TEST(open_quota_of("restored")->close());
}

BOOST_AUTO_TEST_CASE(flags_may_come_from_variables) {
  environment = {{"PETSTORE_STORE", uri("store")}};
  BOOST_TEST(run({"check"}) == 0);
  // These are no settings, so that the process's own variables count.
  ::setenv("PETSTORE_OUTPUT", (directory / "copy").c_str(), 1);
  ::setenv("PETSTORE_FROM", (directory / "copy").c_str(), 1);
  BOOST_TEST(run({"backup"}) == 0);
  environment = {{"PETSTORE_STORE", uri("restored")}};
  BOOST_TEST(run({"restore"}) == 0);
  ::unsetenv("PETSTORE_OUTPUT");
  ::unsetenv("PETSTORE_FROM");
}

BOOST_AUTO_TEST_CASE(what_another_line_would_mend_is_wrong_usage) {
  auto const copy = (directory / "copy").string();
  BOOST_TEST(run({"check", "--store", uri("nowhere")}) == 2);
  BOOST_TEST(said("there is no such directory"), err);
  BOOST_TEST(run({"check", "--store", "memory:"}) == 2);
  BOOST_TEST(run({"backup", "--store", uri("store")}) == 2);
  BOOST_TEST(said("--output"), err);
  BOOST_TEST(run({"backup", "--store", uri("nowhere"), "--output", copy}) == 2);
  BOOST_REQUIRE(run({"backup", "--store", uri("store"), "--output", copy}) == 0);
  BOOST_TEST(run({"backup", "--store", uri("store"), "--output", copy}) == 2);
  BOOST_TEST(said("exists already"), err);
  BOOST_TEST(run({"restore", "--from", copy, "--store", uri("store")}) == 2);
  BOOST_TEST(said("there is a store"), err);
  BOOST_TEST(run({"restore", "--from", (directory / "nothing").string(), "--store", uri("restored")}) == 2);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::program
