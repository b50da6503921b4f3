// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <csignal>

#include "program/notify_socket.hpp"
#include "program/system/running_server.hpp"
#include "support/resource_limit.hpp"
#include "support/sanitizers.hpp"

BOOST_AUTO_TEST_SUITE(start)

using namespace petstore::tests;

namespace {

std::vector<std::string> serve_line(std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"serve", "--admin-listen", "127.0.0.1:0"});
  return flags;
}

/// Checks that a start ends with this code, and with words that name the cause.
void ends_with(int code, std::vector<std::string> const& line, std::string_view words,
               std::vector<std::string> const& variables = {}) {
  auto const done = run_petstore(line, variables);
  BOOST_TEST(done.code == code, done.err);
  BOOST_TEST(done.out.empty());
  BOOST_TEST(done.err.find(words) != std::string::npos, done.err);
}

/// A start fails as a wrong configuration does: the same start would fail again.
void refuses(std::vector<std::string> const& line, std::string_view words,
             std::vector<std::string> const& variables = {}) {
  ends_with(2, line, words, variables);
}

/// A start fails although the configuration is right: a later one may succeed.
void fails_for_now(std::vector<std::string> const& line, std::string_view words,
                   std::vector<std::string> const& variables = {}) {
  ends_with(1, line, words, variables);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_port_in_use_is_a_failure_that_names_the_setting_and_may_pass) {
  running_server first({"--store", "memory:"});
  auto const address = "127.0.0.1:" + std::to_string(first.port());
  fails_for_now(serve_line({"--store", "memory:", "--listen", address}),
                "listen: `" + address + "` cannot be listened on: Address already in use (from --listen)");
  fails_for_now({"serve", "--store", "memory:", "--listen", "127.0.0.1:0"}, "(from PETSTORE_ADMIN_LISTEN)",
                {"PETSTORE_ADMIN_LISTEN=127.0.0.1:" + std::to_string(first.admin_port())});
  BOOST_TEST(ask(first.port(), "GET", "/v1/pets").status == 401);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_opened_is_named_with_who_asked_for_it) {
  refuses(serve_line({"--store", "memory:", "--listen", "127.0.0.1:0"}), "(from PETSTORE_LOG_FILE)",
          {"PETSTORE_LOG_FILE=/nonexistent/log"});
  refuses(serve_line({}), "config: `/nonexistent/file` cannot be read (from PETSTORE_CONFIG)",
          {"PETSTORE_CONFIG=/nonexistent/file"});
}

BOOST_AUTO_TEST_CASE(flags_that_are_no_settings_have_variables_too) {
  temporary_directory directory;
  std::string const store = "PETSTORE_STORE=lmdb:" + (directory / "store").string();
  auto const made = run_petstore({"keys", "create"}, {store, "PETSTORE_PLAN=pro", "PETSTORE_NAME=shop"});
  BOOST_TEST(made.code == 0, made.err);
  auto const shown = run_petstore({"keys", "list"}, {store, "PETSTORE_JSON=true", "PETSTORE_PLAN=pro"});
  BOOST_TEST(shown.code == 0, shown.err);
  BOOST_TEST(shown.out.starts_with("["), shown.out);
  BOOST_TEST(shown.out.find(R"("name":"shop","plan":"pro")") != std::string::npos, shown.out);
  auto const checked = run_petstore({"config", "check"}, {store, "PETSTORE_PLAN=pro"});
  BOOST_TEST(checked.err.find("PETSTORE_PLAN") == std::string::npos, checked.err);
}

#if !PETSTORE_TESTS_ARE_SANITIZED  // whose shadow alone is larger
BOOST_AUTO_TEST_CASE(threads_that_cannot_be_had_are_a_failure_and_not_a_hang) {
  resource_limit const limit(RLIMIT_AS, 1u << 30);  // 255 stacks are more
  auto const done = run_petstore(serve_line({"--store", "memory:", "--listen", "127.0.0.1:0", "--threads", "256"}));
  BOOST_TEST(done.code == 1);
  BOOST_TEST(done.out.empty(), done.out);
  BOOST_TEST(done.err.find("petstore: ") != std::string::npos, done.err);
}
#endif

BOOST_AUTO_TEST_CASE(a_second_server_on_one_store_fails_until_the_first_one_ends) {
  temporary_directory directory;
  auto const store = "lmdb:" + (directory / "store").string();
  running_server first({"--store", store});
  fails_for_now(serve_line({"--store", store, "--listen", "127.0.0.1:0"}), "store: ");
  BOOST_TEST(first.stop() == 0);
  running_server second({"--store", store});
  BOOST_TEST(second.stop() == 0);
}

BOOST_AUTO_TEST_CASE(a_disk_that_takes_no_store_or_no_quotas_is_a_failure_that_may_pass) {
  temporary_directory directory;
  auto const store = "lmdb:" + (directory / "store").string();
  auto const without_quotas = "lmdb:" + (directory / "other").string();
  create_key(without_quotas, {"--plan", "free"});
  resource_limit const limit(RLIMIT_FSIZE, 1024);  // less than a page
  fails_for_now(serve_line({"--store", store, "--listen", "127.0.0.1:0"}), "store: cannot open the store in ");
  fails_for_now(serve_line({"--store", without_quotas, "--listen", "127.0.0.1:0"}), "store: quota directory ");
  fails_for_now({"keys", "create", "--plan", "free", "--store", without_quotas}, "petstore: ");
}

BOOST_AUTO_TEST_CASE(without_standard_streams_nothing_is_written_into_the_store) {
  temporary_directory directory;
  auto const store = "lmdb:" + (directory / "store").string();
  auto const without_streams = [](std::vector<std::string> words, std::vector<std::string> variables = {}) {
    words.insert(words.begin(), {"/bin/sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-", PETSTORE_PROGRAM});
    return child_options{.words = std::move(words), .variables = std::move(variables)};
  };
  BOOST_TEST(create_key(store, {"--plan", "free"}).starts_with("ps_live_"));
  auto const path = (directory / "notify").string();
  notify_socket manager(path);
  child_process server(
      without_streams(serve_line({"--store", store, "--listen", "127.0.0.1:0"}), {"NOTIFY_SOCKET=" + path}));
  BOOST_TEST(manager.receive() == "READY=1");
  server.send_signal(SIGTERM);
  BOOST_TEST(server.wait() == 0);

  BOOST_TEST(run(without_streams({"keys", "create", "--store", store, "--plan", "free"})).code == 1);
  auto const listed = run_petstore({"keys", "list", "--store", store});
  BOOST_TEST(listed.code == 0, listed.err);
  BOOST_TEST(std::ranges::count(listed.out, '\n') == 1, listed.out);
  BOOST_TEST(read_file(directory / "store/lock.mdb").find("ps_live_") == std::string::npos);
  auto const checked = run_petstore({"check", "--store", store});
  BOOST_TEST(checked.code == 0, checked.out + checked.err);
}

BOOST_AUTO_TEST_CASE(a_store_of_the_other_environment_is_refused) {
  temporary_directory directory;
  auto const store = "lmdb:" + (directory / "store").string();
  BOOST_TEST(running_server({"--store", store, "--environment", "staging"}).stop() == 0);
  BOOST_TEST(create_key(store, {"--plan", "free"}).starts_with("ps_test_"));
  refuses(serve_line({"--store", store, "--listen", "127.0.0.1:0"}), "staging");
}

BOOST_AUTO_TEST_CASE(a_store_that_is_no_store_is_refused) {
  temporary_directory directory;
  auto const file = directory.write("file", "this is not a store").string();
  refuses(serve_line({"--store", "lmdb:" + file, "--listen", "127.0.0.1:0"}), file);
}

BOOST_AUTO_TEST_CASE(a_broken_configuration_is_refused_with_every_fault) {
  temporary_directory directory;
  auto const file = directory.write("petstore.toml", "threads = 0\nnonsense = true\n").string();
  refuses(serve_line({"--store", "memory:", "--config", file}), "unknown key `nonsense` (from petstore.toml:2)");
  refuses(serve_line({"--store", "memory:", "--config", file}), "threads: `0`");
  refuses(serve_line({}), "store: not set");
  refuses(serve_line({"--store", "memory:"}), "log-file: `/nonexistent/log` cannot be opened",
          {"PETSTORE_LOG_FILE=/nonexistent/log"});
}

BOOST_AUTO_TEST_CASE(the_environment_is_read) {
  running_server server({}, {"PETSTORE_STORE=memory:", "PETSTORE_BASE_PATH=/api"});
  BOOST_TEST(ask(server.port(), "GET", "/api/pets").status == 401);
  BOOST_TEST(server.stop() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
