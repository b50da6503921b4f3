// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/command_line.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "petstore/api_key.hpp"
#include "petstore/storage/lmdb.hpp"
#include "support/temporary_directory.hpp"

BOOST_AUTO_TEST_SUITE(command_line)

using namespace petstore;
using namespace petstore::program;

namespace {

struct terminal {
  petstore::tests::temporary_directory directory;
  variables environment;
  std::string in;
  std::string out;
  std::string err;
  bool err_is_terminal = false;

  int run(std::vector<std::string> arguments) {
    std::istringstream i(in);
    std::ostringstream o;
    std::ostringstream e;
    int const code = run_command_line(std::move(arguments), environment, {i, o, e, err_is_terminal});
    out = o.str();
    err = e.str();
    return code;
  }

  bool says(std::string_view text) const { return err.find(text) != std::string::npos; }
};

/// A terminal beside a store on disk.
struct terminal_and_store : terminal {
  std::string uri = "lmdb:" + (directory / "store").string();

  terminal_and_store() {
    storage::lmdb_options options;
    options.directory = directory / "store";
    options.environment = petstore::environment::production;
    (void)storage::open_lmdb_store(std::move(options));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(version_and_help_are_fine, terminal) {
  BOOST_TEST(run({"version"}) == 0);
  BOOST_TEST(out.starts_with("petstore "));
  BOOST_TEST(run({"--version"}) == 0);
  BOOST_TEST(run({"--help"}) == 0);
  BOOST_TEST(out.find("serve") != std::string::npos);
  for (auto const* command : {"serve", "plans", "version", "config", "keys"}) {
    BOOST_TEST(run({command, "--help"}) == 0, command);
    BOOST_TEST(!out.empty());
    BOOST_TEST(err.empty());
  }
  for (auto const* command :
       {"create", "rotate", "revoke", "ban", "unban", "reset-quota", "set-plan", "list", "show", "audit"}) {
    BOOST_TEST(run({"keys", command, "--help"}) == 0, command);
    BOOST_TEST(out.find("--store") != std::string::npos);
  }
}

BOOST_FIXTURE_TEST_CASE(serves_help_names_every_setting, terminal) {
  run({"serve", "--help"});
  for (auto const& row : all_settings()) {
    BOOST_TEST(out.find("--" + std::string(row.name)) != std::string::npos, row.name);
  }
}

BOOST_FIXTURE_TEST_CASE(what_is_not_known_is_wrong_usage, terminal) {
  for (auto const& line : std::vector<std::vector<std::string>>{{},
                                                                {"fly"},
                                                                {"serve", "--fly"},
                                                                {"serve", "extra"},
                                                                {"keys"},
                                                                {"keys", "steal"},
                                                                {"keys", "create"},
                                                                {"keys", "show"},
                                                                {"config"},
                                                                {"serve", "--threads"},
                                                                {"serve", "--threads", "1", "--threads", "2"}}) {
    BOOST_TEST(run(line) == 2);
    BOOST_TEST(err.starts_with("petstore: "), err);
    BOOST_TEST(out.empty());
  }
}

BOOST_FIXTURE_TEST_CASE(an_argument_that_is_not_expected_is_not_echoed_with_its_password, terminal) {
  BOOST_TEST(run({"serve", "redis://user:hunter2@host"}) == 2);
  BOOST_TEST(!says("hunter2"), err);
}

BOOST_FIXTURE_TEST_CASE(config_check_tells_every_fault_and_exits_2, terminal) {
  auto const file = directory.write("petstore.toml", "threads = 0\nnonsense = 1\n").string();
  BOOST_TEST(run({"config", "check", "--config", file}) == 2);
  BOOST_TEST(says("threads: `0` is outside 1 to 256 (from petstore.toml:1)"), err);
  BOOST_TEST(says("unknown key `nonsense` (from petstore.toml:2)"), err);
}

BOOST_FIXTURE_TEST_CASE(the_advice_of_a_fault_is_not_redacted, terminal) {
  BOOST_TEST(run({"config", "check", "--store", "postgres://h/x?nonsense=1"}) == 2);
  BOOST_TEST(says("petstore: store: the postgres:// address cannot be read: it is not what libpq takes as a URI "
                  "(in a password, write %40 for an at sign, %2F for /, %3F for ?, and so on) (from --store)\n"),
             err);
  BOOST_TEST(run({"config", "check", "--store", "memory:", "--contact", "http:x"}) == 2);
  BOOST_TEST(says("petstore: contact: `http:x` is neither an address such as https://example.com/support nor an e-mail "
                  "address (from --contact)\n"),
             err);
}

BOOST_FIXTURE_TEST_CASE(config_check_of_a_sound_file_is_fine, terminal) {
  auto const file = directory.write("petstore.toml", "threads = 1\nstore = \"memory:\"\n").string();
  BOOST_TEST(run({"config", "check", "--config", file}) == 0);
  environment = {{"PETSTORE_CONFIG", file}, {"PETSTORE_FLY", "1"}};
  BOOST_TEST(run({"config", "check"}) == 0);
  BOOST_TEST(says("warning: unknown variable PETSTORE_FLY is ignored"));
}

BOOST_FIXTURE_TEST_CASE(a_variable_of_any_commands_flag_is_known, terminal) {
  environment = {
      {"PETSTORE_FROM", "copy"}, {"PETSTORE_GRACE", "1h"}, {"PETSTORE_READY", "true"}, {"PETSTORE_STORE", "memory:"}};
  BOOST_TEST(run({"config", "check"}) == 0);
  BOOST_TEST(!says("unknown variable"), err);
  environment = {{"PETSTORE_GRASE", "1h"}, {"PETSTORE_STORE", "memory:"}};
  BOOST_TEST(run({"config", "check"}) == 0);
  BOOST_TEST(says("unknown variable PETSTORE_GRASE is ignored; did you mean `PETSTORE_GRACE`?"), err);
}

BOOST_FIXTURE_TEST_CASE(config_show_tells_values_and_sources, terminal) {
  environment = {{"PETSTORE_CONFIG", directory.write("petstore.toml", "demo = true\n").string()}};
  BOOST_TEST(run({"config", "show", "--json", "--store", "memory:"}) == 0);
  auto const shown = boost::json::parse(out).as_object();
  BOOST_TEST(shown.at("store").at("source").as_string() == "--store");
  BOOST_TEST(shown.at("demo").at("value").as_string() == "true");
  BOOST_TEST(shown.at("demo").at("source").as_string() == "petstore.toml:1");
  BOOST_TEST(run({"config", "show", "--demo"}) == 0);
  BOOST_TEST(out.find("--demo\n") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(plans_shows_the_configured_ones, terminal) {
  auto const file = directory.write("petstore.toml", "[plans.gold]\nper_minute = 5\n").string();
  BOOST_TEST(run({"plans", "--config", file}) == 0);
  BOOST_TEST(out.find("gold") != std::string::npos);
  BOOST_TEST(out.find("petstore.toml:1") != std::string::npos);
  BOOST_TEST(out.find("OPERATION") == std::string::npos);
  auto const costly = directory.write("costs.toml", "[costs]\ncreatePet = 5\n").string();
  BOOST_TEST(run({"plans", "--config", costly}) == 0);
  BOOST_TEST(out.ends_with("\nOPERATION  COST  SOURCE\ncreatePet  5     costs.toml:2\n"), out);
  BOOST_TEST(run({"plans", "--json"}) == 0);
  BOOST_TEST(boost::json::parse(out).as_array().size() == 3u);
}

BOOST_FIXTURE_TEST_CASE(plans_name_their_windows, terminal) {
  BOOST_TEST(run({"plans"}) == 0);
  BOOST_TEST(out ==
             "PLAN        PER MINUTE  PER DAY  REFILL    SOURCE\n"
             "business    1000        100000   periodic  default\n"
             "free        60          1000     periodic  default\n"
             "pro         300         10000    periodic  default\n"
             "enterprise  custom      custom   periodic  key\n");
  auto const file = directory
                        .write("petstore.toml",
                               "[plans.free]\nper_month = 5000\n[plans.pro]\nper_second = 9\nper_hour = 300\n"
                               "[plans.business]\nper_hour = 70\nper_day = 0\n")
                        .string();
  BOOST_TEST(run({"plans", "--config", file}) == 0);
  BOOST_TEST(out ==
             "PLAN        PER SECOND  PER MINUTE  PER HOUR  PER DAY    PER MONTH  REFILL    SOURCE\n"
             "business    -           -           70        unlimited  unlimited  periodic  petstore.toml:6\n"
             "free        -           60          -         -          5000       periodic  petstore.toml:1\n"
             "pro         9           -           300       -          -          periodic  petstore.toml:3\n"
             "enterprise  -           custom      -         custom     -          periodic  key\n");
  BOOST_TEST(run({"plans", "--json", "--config", file}) == 0);
  BOOST_TEST(out ==
             R"([{"name":"business","per_hour":70,"refill":"periodic","source":"petstore.toml:6"},)"
             R"({"name":"free","per_minute":60,"per_month":5000,"refill":"periodic","source":"petstore.toml:1"},)"
             R"({"name":"pro","per_second":9,"per_hour":300,"refill":"periodic","source":"petstore.toml:3"}])"
             "\n");
}

BOOST_FIXTURE_TEST_CASE(keys_need_a_store_that_exists, terminal) {
  BOOST_TEST(run({"keys", "list"}) == 2);
  BOOST_TEST(says("store: not set"), err);
  BOOST_TEST(run({"keys", "list", "--store", "memory:"}) == 2);
  BOOST_TEST(run({"keys", "list", "--store", "lmdb:" + (directory / "nothing").string()}) == 2);
  BOOST_TEST(says("(from --store)"), err);
  BOOST_TEST(!std::filesystem::exists(directory / "nothing"));
}

BOOST_FIXTURE_TEST_CASE(keys_are_in_a_store_or_on_a_server, terminal_and_store) {
  BOOST_TEST(run({"keys", "create", "--store", uri, "--plan", "free"}) == 0);
  BOOST_TEST(run({"keys", "list", "--store", uri, "--admin-url", "http://127.0.0.1:1"}) == 2);
  BOOST_TEST(err == "petstore: --store and --admin-url both say where the keys are: give one of them\n");
  environment = {{"PETSTORE_STORE", uri}};
  BOOST_TEST(run({"keys", "list", "--admin-url", "http://127.0.0.1:1"}) == 2);
  BOOST_TEST(err.find("--admin-token-file") != std::string::npos, err);
}

BOOST_FIXTURE_TEST_CASE(a_store_on_the_command_line_beats_a_server_in_a_variable, terminal_and_store) {
  ::setenv("PETSTORE_ADMIN_URL", "http://127.0.0.1:1", 1);
  BOOST_TEST(run({"keys", "list", "--store", uri}) == 0, err);
  BOOST_TEST(run({"keys", "list", "--store", uri, "--admin-url", "http://127.0.0.1:1"}) == 2);
  BOOST_TEST(says("--store and --admin-url"), err);
  environment = {{"PETSTORE_STORE", uri}};
  BOOST_TEST(run({"keys", "list"}) == 2);
  BOOST_TEST(says("--admin-token-file"), err);
  ::unsetenv("PETSTORE_ADMIN_URL");
}

BOOST_FIXTURE_TEST_CASE(used_quotas_are_listed_because_of_a_flag_or_a_variable, terminal_and_store) {
  BOOST_TEST(run({"keys", "create", "--store", uri, "--plan", "free"}) == 0);
  for (auto const& command : {std::vector<std::string>{"list"}, {"show", "k1"}}) {
    std::vector<std::string> line{"keys", "--store", uri};
    line.insert(line.begin() + 1, command.begin(), command.end());
    BOOST_TEST(run(line) == 0);
    auto const plain = out;
    ::setenv("PETSTORE_USAGE", "true", 1);
    BOOST_TEST(run(line) == 0, err);
    ::unsetenv("PETSTORE_USAGE");
    auto const by_variable = out;
    line.emplace_back("--usage");
    BOOST_TEST(run(line) == 0);
    BOOST_TEST(by_variable.size() == out.size());  // only the time of the figures differs
    BOOST_TEST(by_variable.size() > plain.size());
  }
}

BOOST_FIXTURE_TEST_CASE(the_life_of_a_key, terminal_and_store) {
  BOOST_TEST(run({"keys", "create", "--store", uri, "--plan", "free", "--name", "shop"}) == 0);
  BOOST_TEST(err == "k1\n");
  BOOST_TEST(is_well_formed_api_key(out.substr(0, out.size() - 1), petstore::environment::production));

  environment = {{"PETSTORE_STORE", uri}};
  BOOST_TEST(run({"keys", "rotate", "k1", "--grace", "1h"}) == 0);
  BOOST_TEST(err == "k2\n");
  BOOST_TEST(run({"keys", "ban", "k2", "--for", "10m"}) == 0);
  BOOST_TEST(run({"keys", "unban", "k2"}) == 0);
  BOOST_TEST(run({"keys", "reset-quota", "k2"}) == 0);
  BOOST_TEST(run({"keys", "set-plan", "k2", "--plan", "enterprise", "--per-minute", "9", "--per-day", "99"}) == 0);
  BOOST_TEST(run({"keys", "revoke", "k1"}) == 0);

  BOOST_TEST(run({"keys", "list"}) == 0);
  BOOST_TEST(out.starts_with("k1\tshop\tenterprise (9/99)\twrite\tps_live_"), out);
  BOOST_TEST(out.find("\nk2\t") != std::string::npos);
  BOOST_TEST(run({"keys", "show", "k2", "--json"}) == 0);
  BOOST_TEST(boost::json::parse(out).at("plan").as_string() == "enterprise");
  BOOST_TEST(run({"keys", "audit"}) == 0);
  BOOST_TEST(std::ranges::count(out, '\n') == 7);
}

BOOST_FIXTURE_TEST_CASE(the_usage_of_a_key_is_told_for_the_days_that_are_asked_for, terminal_and_store) {
  environment = {{"PETSTORE_STORE", uri}};
  BOOST_REQUIRE(run({"keys", "create", "--plan", "free"}) == 0);
  BOOST_TEST(run({"keys", "usage", "k1"}) == 0);
  BOOST_TEST(std::ranges::count(out, '\n') == 30);
  BOOST_TEST(run({"keys", "usage", "k1", "--from", "2026-02-28", "--to", "2026-03-01"}) == 0);
  BOOST_TEST(out == "2026-02-28\t0\t0\n2026-03-01\t0\t0\n");
  BOOST_TEST(run({"keys", "usage", "k1", "--from", "2026-02-30"}) == 2);
  BOOST_TEST(says("--from: `2026-02-30` is no date"), err);
  BOOST_TEST(run({"keys", "usage", "k1", "--from", "2026-03-01", "--to", "2026-02-28"}) == 2);
  BOOST_TEST(says("must not be after"), err);
  BOOST_TEST(run({"keys", "usage", "k1", "--csv", "--json"}) == 2);
  BOOST_TEST(run({"keys", "usage", "k2"}) == 1);
  BOOST_TEST(says("there is no key k2"), err);
}

BOOST_FIXTURE_TEST_CASE(the_first_key_makes_the_store, terminal) {
  auto const uri = "lmdb:" + (directory / "new").string();
  BOOST_TEST(run({"keys", "create", "--store", uri, "--plan", "gold"}) == 2);
  BOOST_TEST(run({"keys", "create", "--store", uri, "--plan", "free", "--name", "ps_live_pasted"}) == 2);
  BOOST_TEST(!std::filesystem::exists(directory / "new"));
  BOOST_TEST(run({"keys", "create", "--store", uri, "--plan", "free", "--environment", "staging"}) == 0);
  BOOST_TEST(out.starts_with("ps_test_"));
  BOOST_TEST(run({"keys", "create", "--store", uri, "--plan", "free"}) == 0);
  BOOST_TEST(out.starts_with("ps_test_"));
  BOOST_TEST(run({"keys", "create", "--store", uri, "--plan", "free", "--environment", "production"}) == 2);
  BOOST_TEST(says("environment"), err);
}

BOOST_FIXTURE_TEST_CASE(a_person_is_told_that_there_was_no_store, terminal) {
  std::vector<std::string> const create{"keys",   "create", "--store", "lmdb:" + (directory / "new").string(),
                                        "--plan", "free"};
  err_is_terminal = true;
  BOOST_TEST(run(create) == 0);
  BOOST_TEST(says("There was no store in " + (directory / "new").string()), err);
  BOOST_TEST(run(create) == 0);
  BOOST_TEST(!says("There was no store"), err);
}

BOOST_FIXTURE_TEST_CASE(wrong_values_of_keys_are_wrong_usage, terminal_and_store) {
  environment = {{"PETSTORE_STORE", uri}};
  for (auto const& line :
       std::vector<std::vector<std::string>>{{"create", "--plan", "gold"},
                                             {"create", "--plan", "free", "--per-minute", "0"},
                                             {"create", "--plan", "free", "--per-minute", "16777216"},
                                             {"create", "--plan", "free", "--per-day", "many"},
                                             {"create", "--plan", "free", "--scope", "admin"},
                                             {"create", "--plan", "free", "--expires", "soon"},
                                             {"create", "--plan", "enterprise"},
                                             {"rotate", "17"},
                                             {"rotate", "k1", "--grace", "-1s"},
                                             {"ban", "k1", "--for", "0s"}}) {
    auto arguments = line;
    arguments.insert(arguments.begin(), "keys");
    BOOST_TEST(run(arguments) == 2, line.front() + " " + line.back());
    BOOST_TEST(out.empty());
  }
  BOOST_TEST(run({"keys", "list"}) == 0);
  BOOST_TEST(out.empty());
}

BOOST_FIXTURE_TEST_CASE(a_key_given_in_the_wrong_place_is_not_echoed, terminal_and_store) {
  auto const key = make_api_key(petstore::environment::production, {1, 2, 3});
  environment = {{"PETSTORE_STORE", uri}};
  for (auto const& line : std::vector<std::vector<std::string>>{{"keys", "revoke", key},
                                                                {"keys", "create", "--plan", key},
                                                                {"keys", "create", "--plan", "free", "--per-day", key},
                                                                {"keys", "ban", "k1", "--for", key},
                                                                {"import", key},
                                                                {"serve", "--threads", key},
                                                                {"serve", "--config", key}}) {
    BOOST_TEST(run(line) == 2);
    BOOST_TEST(!says(key.substr(8, 43)), err);
    BOOST_TEST(says("ps_live_***"), err);
  }
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_done_fails_with_1, terminal_and_store) {
  environment = {{"PETSTORE_STORE", uri}};
  BOOST_TEST(run({"keys", "show", "k9"}) == 1);
  BOOST_TEST(run({"keys", "revoke", "k9"}) == 1);
  BOOST_TEST(says("k9"), err);
}

BOOST_FIXTURE_TEST_CASE(a_plan_of_the_file_can_be_given_to_a_key, terminal_and_store) {
  auto const file =
      directory.write("petstore.toml", "store = \"" + uri + "\"\n[plans.gold]\nper_minute = 5\n").string();
  BOOST_TEST(run({"keys", "create", "--config", file, "--plan", "gold", "--json"}) == 0);
  BOOST_TEST(boost::json::parse(out).at("id").as_string() == "k1");
}

BOOST_FIXTURE_TEST_CASE(what_export_writes_import_reads, terminal_and_store) {
  auto const file = (directory / "shop.jsonl").string();
  BOOST_TEST(run({"export", "--store", uri}) == 0);
  auto const empty = out;
  BOOST_TEST(run({"export", "--store", uri, "--output", file}) == 0);
  BOOST_TEST(petstore::tests::read_file(file) == empty);
  using std::filesystem::perms;
  BOOST_TEST((std::filesystem::status(file).permissions() == (perms::owner_read | perms::owner_write)));
  BOOST_TEST(run({"import", "--store", "lmdb:" + (directory / "copy").string(), file}) == 0, err);
  in = empty;
  BOOST_TEST(run({"import", "--store", uri}) == 0, err);
  in = "nonsense\n";
  BOOST_TEST(run({"import", "--store", uri}) != 0);
  BOOST_TEST(!err.empty());
}

BOOST_FIXTURE_TEST_CASE(an_export_replaces_a_file_only_by_force, terminal_and_store) {
  auto const file = directory.write("shop.jsonl", "mine").string();
  std::vector<std::string> line{"export", "--store", uri, "--output", file};
  BOOST_TEST(run(line) == 2);
  BOOST_TEST(says("'" + file + "' is there already: --force replaces it"), err);
  BOOST_TEST(petstore::tests::read_file(file) == "mine");
  line.emplace_back("--force");
  BOOST_TEST(run(line) == 0, err);
  BOOST_TEST(petstore::tests::read_file(file).starts_with("{\"type\":\"petstore-export\""));
}

BOOST_FIXTURE_TEST_CASE(an_import_that_fails_leaves_no_new_store, terminal_and_store) {
  auto const fresh = "lmdb:" + (directory / "new").string();
  in = "nonsense\n";
  BOOST_TEST(run({"import", "--store", fresh}) == 1);
  BOOST_TEST(run({"import", "--store", fresh, (directory / "none.jsonl").string()}) == 2);
  BOOST_TEST(!std::filesystem::exists(directory / "new"));
  BOOST_TEST(run({"export", "--store", uri}) == 0);
  in = out;
  BOOST_TEST(run({"import", "--store", fresh, "--environment", "staging"}) == 0, err);
  BOOST_TEST(says("note: the records were exported from production; this store is for staging"), err);
}

BOOST_FIXTURE_TEST_CASE(a_copy_of_a_store_in_use_is_warned_of, terminal_and_store) {
  int const lock = ::open((directory / "store/lock").c_str(), O_RDWR | O_CLOEXEC);  // as a server holds it
  BOOST_REQUIRE(::flock(lock, LOCK_EX | LOCK_NB) == 0);
  std::vector<std::string> const line{"copy", "--from", uri, "--to", "lmdb:" + (directory / "copy").string()};
  BOOST_TEST(run(line) == 0, err);
  BOOST_TEST(err.starts_with("warning: a server uses the store of --from: "), err);
  ::close(lock);
  BOOST_TEST(run({"copy", "--from", uri, "--to", "lmdb:" + (directory / "other").string()}) == 0, err);
  BOOST_TEST(!says("warning"), err);
}

BOOST_FIXTURE_TEST_CASE(an_output_that_cannot_be_written_is_a_failure, terminal) {
  std::ofstream full("/dev/full");
  std::istringstream i;
  std::ostringstream e;
  BOOST_TEST(run_command_line({"version"}, environment, {i, full, e}) == 1);
  BOOST_TEST(e.str() == "petstore: standard output cannot be written\n");
}

BOOST_AUTO_TEST_SUITE_END()
