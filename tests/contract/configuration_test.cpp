// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>
#include <fstream>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;

namespace {

struct configured {
  // The current body limit, found by the first length that is refused.
  std::size_t body_limit() {
    client api(node, key.secret);
    for (const std::size_t limit : {100U, 200U, 300U, 65536U}) {
      if (api.post("/v1/pets", std::string(limit + 1, ' ')).status == 413) return limit;
    }
    return 0;
  }

  finished_run serve(const arguments& flags, const environment& variables = {}) const {
    arguments command{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--store", node.uri()};
    command.insert(command.end(), flags.begin(), flags.end());
    return run_program(command, variables);
  }

  test_node node;
  issued_key key = node.create_key();
};

// The program must exit with 2, and its message must have these words.
void expect_usage_error(const finished_run& run, const std::vector<std::string>& words = {}) {
  BOOST_TEST_CONTEXT(run.errors) {
    BOOST_TEST(run.exit_code == 2);
    BOOST_TEST(!run.errors.empty());
    BOOST_TEST(run.output.find("listening on") == std::string::npos);
    for (const std::string& word : words) BOOST_TEST(run.errors.find(word) != std::string::npos, "no word of " << word);
  }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(configuration, configured)

BOOST_AUTO_TEST_CASE(flags_beat_environment_beats_file) {
  const std::string file = node.write_file("petstore.toml", "body_limit = 100\n");
  node.open();
  BOOST_TEST(body_limit() == 65536U);
  node.close();
  node.open({"--config", file});
  BOOST_TEST(body_limit() == 100U);
  node.close();
  node.open({"--config", file}, {{"PETSTORE_BODY_LIMIT", "200"}});
  BOOST_TEST(body_limit() == 200U);
  node.close();
  node.open({"--config", file, "--body-limit", "300"}, {{"PETSTORE_BODY_LIMIT", "200"}});
  BOOST_TEST(body_limit() == 300U);
}

BOOST_AUTO_TEST_CASE(a_wrong_flag_is_named) {
  expect_usage_error(serve({"--no-such-flag"}), {"no-such-flag"});
  expect_usage_error(serve({"--body-limit", "many"}), {"body-limit"});
  expect_usage_error(serve({"--body-limit", "-1"}), {"body-limit"});
  expect_usage_error(serve({"--header-timeout", "soon"}), {"header-timeout"});
  expect_usage_error(serve({"--header-timeout", "10parsecs"}), {"header-timeout"});
  expect_usage_error(serve({"--environment", "moon"}), {"environment"});
  expect_usage_error(serve({"--threads", "-1"}), {"threads"});
  expect_usage_error(serve({"--rate-limit-fields", "draft99"}), {"rate-limit-fields"});
  expect_usage_error(serve({"--default-status", "lost"}), {"default-status"});
  expect_usage_error(serve({"--trusted-proxies", "everyone"}), {"trusted-proxies"});
  expect_usage_error(serve({"--quota", "abacus"}), {"quota"});
  for (const char* listen : {"nowhere", "127.0.0.1:99999", "127.0.0.1:-1", "127.0.0.1:http:80", "999.0.0.1:80"}) {
    expect_usage_error(run_program({"serve", "--listen", listen, "--store", node.uri()}), {"listen"});
  }
  for (const char* uri : {"paper:/tmp/x", "lmdb:", "lmdb"}) {
    expect_usage_error(
        run_program({"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--store", uri}), {"store"});
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_variable_is_named) {
  expect_usage_error(serve({}, {{"PETSTORE_BODY_LIMIT", "many"}}), {"PETSTORE_BODY_LIMIT"});
  expect_usage_error(serve({}, {{"PETSTORE_HEADER_TIMEOUT", "soon"}}), {"PETSTORE_HEADER_TIMEOUT"});
}

BOOST_AUTO_TEST_CASE(a_broken_file_is_named_with_its_setting) {
  const auto with_file = [&](const char* text) { return serve({"--config", node.write_file("broken.toml", text)}); };
  expect_usage_error(with_file("body_limit = \n"), {"broken.toml"});
  expect_usage_error(with_file("body_limit = \"many\"\n"), {"broken.toml", "body_limit"});
  expect_usage_error(with_file("no_such_setting = 1\n"), {"broken.toml", "no_such_setting"});
  expect_usage_error(with_file("header_timeout = \"soon\"\n"), {"broken.toml", "header_timeout"});
  expect_usage_error(with_file("[plans.free]\nper_minute = -1\n"), {"broken.toml", "per_minute"});
  expect_usage_error(with_file("[plans.free]\nper_minute = 60\nper_day = 1000\nrefill = \"sometimes\"\n"),
                     {"broken.toml", "refill"});
  for (const char* wrong : {"per_second = 1\nper_minute = 60", "per_hour = 60\nper_minute = 6\nper_day = 600",
                            "per_day = 60\nper_month = 6"}) {
    expect_usage_error(with_file(("[plans.new]\n" + std::string(wrong) + "\n").c_str()),
                       {"broken.toml:", "plans.new", "leave one out"});
  }
  expect_usage_error(with_file("[plans.new]\nper_month = 60\n"), {"broken.toml:1", "plans.new", "per_hour is missing"});
  expect_usage_error(with_file("[plans.new]\nper_weak = 60\n"), {"broken.toml:2", "plans.new.per_weak"});
  expect_usage_error(with_file("[plans.new]\nper_second = 1\nper_hour = 4294967296\n"),
                     {"broken.toml:3", "plans.new.per_hour", "4294967295"});
  expect_usage_error(with_file("[ban]\nstrikes = \"x\"\n"), {"broken.toml", "strikes"});
  expect_usage_error(with_file("[ban]\nno_such = 1\n"), {"broken.toml", "no_such"});
  expect_usage_error(with_file("[costs]\nlistPet = 2\n"), {"broken.toml:2", "listPet", "did you mean `listPets`"});
  for (const char* cost : {"0", "1001", "1.5", "\"2\""}) {
    expect_usage_error(with_file(("[costs]\nlistPets = " + std::string(cost) + "\n").c_str()),
                       {"broken.toml:2", "costs.listPets"});
  }
  expect_usage_error(with_file("[costs]\nlistPets = 61\n"),
                     {"broken.toml:2", "costs.listPets", "plans.free.per_minute", "anonymous-per-minute"});
  expect_usage_error(with_file("[plans.new]\nper_hour = 5\nper_month = 4\n[costs]\nlistPets = 5\n"),
                     {"broken.toml:5", "costs.listPets", "plans.new.per_month"});
  expect_usage_error(serve({"--config", "/nowhere/petstore.toml"}), {"/nowhere/petstore.toml"});
}

BOOST_AUTO_TEST_CASE(a_configuration_can_be_checked_without_serving) {
  const finished_run good = run_program(
      {"config", "check", "--store", "memory:", "--config", node.write_file("good.toml", "body_limit = 100\n")});
  BOOST_TEST(good.exit_code == 0, good.errors);
  BOOST_TEST(good.output.find("petstore serve") != std::string::npos);
  expect_usage_error(run_program({"config", "check", "--config", node.write_file("bad.toml", "body_limit = \"x\"\n")}),
                     {"bad.toml", "body_limit"});
}

BOOST_AUTO_TEST_CASE(a_default_status_is_a_setting) {
  node.open({"--default-status", "available"});
  client api(node, key.secret);
  BOOST_TEST(api.post("/v1/pets", R"({"name":"Rex","categoryId":1})").value()["status"].text() == "available");
  expect_error(api.post("/v1/pets", R"({"name":"Rex","categoryId":1,"status":null})"), 400, "invalid_request");
}

BOOST_AUTO_TEST_CASE(limits_are_settings) {
  node.open({"--request-line-limit", "200", "--header-limit", "600", "--header-fields", "6"});
  client api(node, key.secret);
  BOOST_TEST(api.get("/v1/pets").status == 200);
  expect_error(api.get("/v1/pets?x=" + std::string(300, 'a')), 414, "uri_too_long");
  expect_error(api.get("/v1/pets", {{"X-A", std::string(700, 'a')}}), 431, "headers_too_large");
  expect_error(api.get("/v1/pets", {{"A", "1"}, {"B", "2"}, {"C", "3"}, {"D", "4"}, {"E", "5"}}), 431,
               "headers_too_large");
}

BOOST_AUTO_TEST_CASE(a_port_in_use_is_an_error) {
  node.open();
  const std::string taken = "127.0.0.1:" + std::to_string(node.port());
  const finished_run second =
      run_program({"serve", "--listen", taken, "--admin-listen", "127.0.0.1:0", "--store", "memory:"});
  BOOST_TEST(second.exit_code > 0);
  BOOST_TEST(second.errors.find(std::to_string(node.port())) != std::string::npos, second.errors);
  BOOST_TEST(client(node, key.secret).get("/v1/pets").status == 200);
}

BOOST_AUTO_TEST_CASE(a_directory_that_is_no_store_is_left_alone) {
  const std::string foreign = node.write_file("data.mdb", "this is not a database, whatever it is called\n");
  const std::string directory = foreign.substr(0, foreign.rfind('/'));
  const finished_run run = run_program(
      {"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--store", "lmdb:" + directory});
  BOOST_TEST(run.exit_code > 0);
  BOOST_TEST(run.errors.find(directory) != std::string::npos, run.errors);
  std::string text;
  std::getline(std::ifstream(foreign), text);
  BOOST_TEST(text == "this is not a database, whatever it is called");
  // A file cannot be a store either.
  BOOST_TEST(
      run_program({"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--store", "lmdb:" + foreign})
          .exit_code > 0);
}

BOOST_AUTO_TEST_CASE(help_and_version_are_there) {
  for (const arguments& command :
       {arguments{"--help"}, arguments{"serve", "--help"}, arguments{"keys", "--help"}, arguments{"plans", "--help"},
        arguments{"export", "--help"}, arguments{"import", "--help"}, arguments{"config", "--help"},
        arguments{"config", "check", "--help"}, arguments{"version", "--help"}, arguments{"keys", "create", "--help"},
        arguments{"keys", "list", "--help"}, arguments{"keys", "rotate", "--help"},
        arguments{"keys", "set-plan", "--help"}}) {
    const finished_run run = run_program(command);
    BOOST_TEST(run.exit_code == 0, command.front() << " " << run.errors);
    BOOST_TEST(!run.output.empty());
  }
  const finished_run version = run_program({"version"});
  BOOST_TEST(version.exit_code == 0);
  BOOST_TEST(version.output.find("1.0.0") != std::string::npos);
  BOOST_TEST(run_program({"plans"}).output.find("business") != std::string::npos);
  expect_usage_error(run_program({}));
  expect_usage_error(run_program({"dance"}));
  expect_usage_error(run_program({"keys", "dance"}));
}

BOOST_AUTO_TEST_CASE(the_log_is_json_lines_with_request_and_key_id) {
  node.open();
  client(node, key.secret).get("/v1/pets?limit=1", {{"X-Request-Id", "find-me"}});
  BOOST_TEST(node.close() == 0);
  const std::string log = node.process().errors();
  bool found = false;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    const std::string line = log.substr(begin, end - begin);
    begin = end + 1;
    BOOST_TEST_CONTEXT(line) {
      BOOST_CHECK_NO_THROW(json::parse(line).members());
      found = found ||
              (line.find("\"find-me\"") != std::string::npos && line.find('"' + key.id + '"') != std::string::npos);
    }
  }
  BOOST_TEST(found, "no line has both ids: " << log);
}

BOOST_AUTO_TEST_SUITE_END()
