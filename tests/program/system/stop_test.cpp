// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fcntl.h>
#include <lmdb.h>
#include <signal.h>
#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "program/system/running_server.hpp"

BOOST_AUTO_TEST_SUITE(stop)

using namespace petstore::tests;

namespace {

bool holds_one_connection(running_server const& server) {
  return ask(server.admin_port(), "GET", "/metrics").body.find("petstore_connections 1\n") != std::string::npos;
}

struct shop_on_disk {
  temporary_directory directory;
  std::string store = "lmdb:" + (directory / "store").string();

  std::string quota_files() const {
    std::string all;
    for (auto const& file : std::filesystem::recursive_directory_iterator(directory / "store" / "quota")) {
      if (file.is_regular_file()) all += read_file(file.path());
    }
    return all;
  }
};

/// Keeps every other process from writing to an embedded store: to them, the disk hangs.
class held_store {
 public:
  explicit held_store(std::filesystem::path const& directory) {
    bool const is_held = ::mdb_env_create(&environment_) == 0 &&
                         ::mdb_env_open(environment_, directory.c_str(), 0, 0600) == 0 &&
                         ::mdb_txn_begin(environment_, nullptr, 0, &transaction_) == 0;
    if (!is_held) throw std::runtime_error("the store cannot be held");
  }
  ~held_store() {
    ::mdb_txn_abort(transaction_);
    ::mdb_env_close(environment_);
  }
  held_store(held_store const&) = delete;
  held_store& operator=(held_store const&) = delete;

 private:
  MDB_env* environment_ = nullptr;
  MDB_txn* transaction_ = nullptr;
};

bool is_listening(std::uint16_t port) {
  try {
    test_client const c(port);
    return true;
  } catch (client_error const&) {
    return false;
  }
}

int remaining(running_server const& server, std::string const& key) {
  auto const answer = ask(server.port(), "GET", "/v1/quota", key);
  return std::stoi(answer.field("X-RateLimit-Remaining"));
}

bool draining(running_server const& server) {
  return ask(server.admin_port(), "GET", "/readyz").status == 503;
}

/// The ids of the threads that a signal may be delivered to.
std::vector<int> threads_that_take(int pid, int signal) {
  std::vector<int> takers;
  for (auto const& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
    std::ifstream status(thread.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (!line.starts_with("SigBlk:")) continue;
      auto const blocked = std::stoull(line.substr(7), nullptr, 16);
      if ((blocked >> (signal - 1) & 1) == 0) takers.push_back(std::stoi(thread.path().filename()));
    }
  }
  return takers;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_main_thread_alone_takes_signals) {
  temporary_directory directory;
  running_server server({"--store", "lmdb:" + (directory / "store").string()});
  int const pid = server.process().pid();
  for (int const signal : {SIGTERM, SIGINT, SIGHUP})
    BOOST_TEST(threads_that_take(pid, signal) == std::vector{pid}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_request_in_flight_is_finished) {
  running_server server({"--store", "memory:", "--demo"});
  std::string const body = R"({"name":"Rex","categoryId":1})";
  test_client c(server.port());
  c.send("POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer " +
         server.demo_key() + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body.substr(0, 5));
  BOOST_TEST(eventually([&] { return holds_one_connection(server); }));
  server.process().send_signal(SIGTERM);
  BOOST_TEST(eventually([&] { return draining(server); }));
  c.send(body.substr(5));
  auto const answer = c.receive();
  BOOST_TEST(answer.status == 201);
  BOOST_TEST(answer.field("Connection") == "close");
  BOOST_TEST(server.process().wait() == 0);
}

BOOST_AUTO_TEST_CASE(during_the_drain_delay_requests_are_served_and_connections_closed) {
  running_server server({"--store", "memory:", "--demo", "--drain-delay", "60s"});
  server.process().send_signal(SIGTERM);
  BOOST_TEST(eventually([&] { return draining(server); }));
  // A thread may hear of the drain later than the admin port tells it.
  BOOST_TEST(eventually([&] {
    test_client c(server.port());
    c.send("GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + server.demo_key() + "\r\n\r\n");
    auto const answer = c.receive();
    BOOST_TEST(answer.status == 200);
    return answer.field("Connection") == "close";
  }));
  BOOST_TEST(ask(server.admin_port(), "GET", "/livez").status == 200);

  server.process().send_signal(SIGTERM);  // a second one does not wait
  BOOST_TEST(server.process().wait() == 1);
}

BOOST_AUTO_TEST_CASE(files_are_followed_until_the_end_of_the_drain) {
  temporary_directory directory;
  std::string const first(32, 'f'), second(32, 's');
  auto const tokens = directory.write("tokens", first).string();
  running_server server({"--store", "memory:", "--drain-delay", "1h", "--admin-token-file", tokens});
  server.process().send_signal(SIGTERM);
  BOOST_TEST(eventually([&] { return draining(server); }));
  directory.write("tokens", second);
  BOOST_TEST(
      eventually([&] { return server.process().standard_error().find("admin_tokens_reloaded") != std::string::npos; }));
  BOOST_TEST(ask(server.admin_port(), "GET", "/admin/v1/keys", second).status == 200);
  BOOST_TEST(ask(server.admin_port(), "GET", "/admin/v1/keys", first).status == 401);
  BOOST_TEST(server.stop() == 1);  // the second signal ends the drain
}

BOOST_AUTO_TEST_CASE(an_interrupt_stops_it_too) {
  running_server server({"--store", "memory:"});
  BOOST_TEST(server.stop(SIGINT) == 0);
}

BOOST_AUTO_TEST_CASE(idle_connections_do_not_hold_it_up) {
  running_server server({"--store", "memory:", "--drain-timeout", "1h"});
  test_client const silent(server.port());
  test_client used(server.port());
  used.send("GET /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n");
  BOOST_TEST(used.receive().status == 401);
  BOOST_TEST(server.stop() == 0);
}

BOOST_AUTO_TEST_CASE(the_drain_timeout_ends_what_does_not_finish) {
  running_server server({"--store", "memory:", "--drain-timeout", "10ms"});
  test_client c(server.port());
  c.send("POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf");
  BOOST_TEST(eventually([&] { return holds_one_connection(server); }));
  BOOST_TEST(server.stop() == 0);
  auto const log = server.process().standard_error();
  BOOST_TEST(log.find("was cut off") != std::string::npos, log);
  BOOST_TEST(log.find("every request that was accepted is finished") == std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_disk_that_hangs_does_not_keep_it_from_ending, shop_on_disk) {
  running_server server({"--store", store, "--demo", "--drain-timeout", "10ms"});
  held_store const disk(directory / "store");
  test_client c(server.port());
  c.send("DELETE /v1/pets/1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + server.demo_key() + "\r\n\r\n");
  BOOST_TEST(eventually([&] { return holds_one_connection(server); }));
  BOOST_TEST(server.stop() == 1);
  auto const log = server.process().standard_error();
  BOOST_TEST(log.find("drain_failed") != std::string::npos, log);
}

BOOST_FIXTURE_TEST_CASE(a_second_signal_ends_it_after_the_drain_too, shop_on_disk) {
  running_server server({"--store", store, "--demo"});
  BOOST_TEST(ask(server.port(), "GET", "/v1/pets", server.demo_key()).status == 200);
  held_store const disk(directory / "store");  // the usage of the key cannot be written
  server.process().send_signal(SIGTERM);
  BOOST_TEST(eventually([&] { return !is_listening(server.admin_port()); }));
  BOOST_TEST(server.stop() == 1);
}

BOOST_AUTO_TEST_CASE(a_log_that_nobody_reads_holds_up_neither_signals_nor_the_end) {
  temporary_directory directory;
  auto const pipe = (directory / "pipe").string();
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  int const reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  BOOST_REQUIRE(::fcntl(reader, F_SETPIPE_SZ, 4096) > 0);
  running_server server({"--store", "memory:", "--log-file", pipe});
  auto const loses_lines = [&] {
    for (int i = 0; i < 10; ++i) ask(server.port(), "GET", "/v1/pets");
    return ask(server.admin_port(), "GET", "/metrics").body.find("petstore_log_writes_failed_total 0\n") ==
           std::string::npos;
  };
  BOOST_TEST(eventually(loses_lines));
  server.process().send_signal(SIGHUP);
  BOOST_TEST(ask(server.admin_port(), "GET", "/livez").status == 200);
  BOOST_TEST(server.stop() == 0);
  ::close(reader);
}

BOOST_FIXTURE_TEST_CASE(consumed_quotas_survive_exactly, shop_on_disk) {
  auto const k = create_key(store, {"--plan", "enterprise", "--per-minute", "1000", "--per-day", "500"});
  {
    running_server server({"--store", store});
    for (int i = 0; i < 7; ++i) BOOST_TEST(ask(server.port(), "GET", "/v1/pets", k).status == 200);
    BOOST_TEST(server.stop() == 0);
  }
  running_server server({"--store", store});
  BOOST_TEST(remaining(server, k) == 493);
}

BOOST_FIXTURE_TEST_CASE(an_earned_ban_survives, shop_on_disk) {
  auto const k = create_key(store, {"--plan", "free", "--per-minute", "1"});
  std::vector<std::string> const flags{"--store",     store, "--ban-strikes", "1",
                                       "--ban-grace", "0ms", "--ban-base",    "1h"};
  auto const banned = [&](running_server const& server) {
    return ask(server.port(), "GET", "/v1/pets", k).body.find(R"("banned")") != std::string::npos;
  };
  {
    running_server server(flags);
    BOOST_TEST(eventually([&] { return banned(server); }));
    BOOST_TEST(server.stop() == 0);
  }
  running_server server(flags);
  BOOST_TEST(banned(server));
}

BOOST_FIXTURE_TEST_CASE(a_crash_forgets_no_more_than_what_was_not_written_yet, shop_on_disk) {
  auto const k = create_key(store, {"--plan", "enterprise", "--per-minute", "1000", "--per-day", "500"});
  running_server server({"--store", store});
  auto const charge = [&] { BOOST_TEST(ask(server.port(), "GET", "/v1/pets", k).status == 200); };
  for (int i = 0; i < 5; ++i) charge();
  // One writer: what changes the files a second time was read after the first change, so after the fifth request.
  for (int i = 0; i < 2; ++i) {
    auto const before = quota_files();
    charge();
    BOOST_TEST(eventually([&] { return quota_files() != before; }));
  }
  BOOST_TEST(server.stop(SIGKILL) == 128 + SIGKILL);

  running_server again({"--store", store});
  auto const left = remaining(again, k);
  BOOST_TEST(left >= 493);
  BOOST_TEST(left <= 495);
}

BOOST_AUTO_TEST_SUITE_END()
