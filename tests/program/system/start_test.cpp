// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "program/system/running_server.hpp"

using namespace petstore::test;

namespace {

std::vector<std::string> serve_line(std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"serve", "--admin-listen", "127.0.0.1:0"});
  return flags;
}

/// Whether a start fails as a wrong configuration does, with words that name the cause.
bool refuses(std::vector<std::string> const& line, std::string_view words,
             std::vector<std::string> const& variables = {}) {
  auto const done = run_petstore(line, variables);
  BOOST_TEST(done.code == 2, done.err);
  BOOST_TEST(done.out.empty());
  BOOST_TEST(done.err.find(words) != std::string::npos, done.err);
  return done.code == 2;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(start)

BOOST_AUTO_TEST_CASE(a_port_in_use_is_an_error_that_names_the_setting) {
  running_server first({"--store", "memory:"});
  auto const address = "127.0.0.1:" + std::to_string(first.port());
  refuses(serve_line({"--store", "memory:", "--listen", address}),
          "listen: `" + address + "` cannot be listened on: Address already in use (from --listen)");
  refuses({"serve", "--store", "memory:", "--listen", "127.0.0.1:0"}, "(from PETSTORE_ADMIN_LISTEN)",
          {"PETSTORE_ADMIN_LISTEN=127.0.0.1:" + std::to_string(first.admin_port())});
  BOOST_TEST(ask(first.port(), "GET", "/v1/pets").status == 401);
}

BOOST_AUTO_TEST_CASE(a_second_server_on_one_store_is_refused) {
  temporary_directory directory;
  auto const store = "lmdb:" + (directory / "store").string();
  running_server first({"--store", store});
  refuses(serve_line({"--store", store, "--listen", "127.0.0.1:0"}), "store: ");
  BOOST_TEST(first.stop() == 0);
  running_server second({"--store", store});
  BOOST_TEST(second.stop() == 0);
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
