// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <signal.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "contract/expectations.hpp"
#include "contract/walk.hpp"

using namespace contract;
using namespace std::chrono_literals;

namespace {

struct mortal_node {
  int readiness() const { return connection(node.admin_port()).exchange({"GET", "/readyz", {}, {}}).status; }

  // The service writes quotas from time to time if one was used. This function uses one that no case reads. Each write
  // changes the file twice, for the pages and for the root that refers to them; the first write may have begun before
  // this call.
  void wait_until_quotas_are_written() const {
    client other(node, key.secret);
    const auto file = node.store_directory() / "quota" / "data.mdb";
    for (int changes = 0; changes < 4; ++changes) {
      const auto before = std::filesystem::last_write_time(file);
      BOOST_TEST(eventually([&] {
        other.ask(listing);
        return std::filesystem::last_write_time(file) != before;
      }));
    }
  }

  test_node node;
  issued_key key = node.create_key();
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lifecycle, mortal_node)

BOOST_AUTO_TEST_CASE(everything_is_there_after_a_restart) {
  node.open();
  const fields once{{"Idempotency-Key", "once"}};
  std::string bodies[3];
  std::string next;
  answer first;
  std::int64_t last = 0;
  {
    client api(node, key.secret);
    first = api.post("/v1/pets", R"({"name":"Zoë","categoryId":5,"status":"available"})", once);
    api.make_order(first.value()["id"].integer());
    api.post("/v1/categories", R"({"name":"Dogs"})");
    for (int i = 0; i < 5; ++i) last = api.make_pet();
    BOOST_TEST(api.del(pet_path(last)).status == 204);
    bodies[0] = api.get("/v1/pets").body;
    bodies[1] = api.get("/v1/store/orders").body;
    bodies[2] = api.get("/v1/categories").body;
    next = link_of(api.get("/v1/pets?limit=2"), "next").value();
  }
  BOOST_TEST(node.close() == 0);
  node.open();
  client api(node, key.secret);
  BOOST_TEST(api.get("/v1/pets").body == bodies[0]);
  BOOST_TEST(api.get("/v1/store/orders").body == bodies[1]);
  BOOST_TEST(api.get("/v1/categories").body == bodies[2]);
  BOOST_TEST(api.get(next).status == 200);
  const answer again = api.post("/v1/pets", R"({"name":"Zoë","categoryId":5,"status":"available"})", once);
  BOOST_TEST(again["Idempotency-Replayed"] == "true");
  BOOST_TEST(again.body == first.body);
  // The id of a deleted animal is not used again, even when it was the highest.
  BOOST_TEST(api.make_pet() > last);
}

BOOST_AUTO_TEST_CASE(sigterm_keeps_the_quotas_exactly) {
  const issued_key small = node.create_key({"--plan", "pro", "--per-minute", "9", "--per-day", "20"});
  node.open();
  client before(node, small.secret);
  for (int i = 0; i < 4; ++i) before.get("/v1/pets");
  const std::int64_t reset = before.get("/v1/pets").integer("X-RateLimit-Reset");
  BOOST_TEST(node.close() == 0);
  node.open();
  client after(node, small.secret);
  const answer got = after.get("/v1/pets");
  BOOST_TEST(got.integer("X-RateLimit-Remaining") == 3);
  BOOST_TEST(std::abs(got.integer("X-RateLimit-Reset") - reset) <= 1);
  BOOST_TEST(quota_item_of(got, "RateLimit", "day").parameters.at("r") == 14);
}

BOOST_AUTO_TEST_CASE(a_restart_keeps_a_reset_and_what_was_used_after_it) {
  const issued_key small = node.create_key({"--plan", "enterprise", "--per-minute", "5", "--per-day", "50"});
  const auto remaining = [&] {
    return client(node, small.secret).get("/v1/quota").value()["day"]["remaining"].integer();
  };
  const auto use = [&](int requests) {
    client api(node, small.secret);
    for (int i = 0; i < requests; ++i) BOOST_TEST(api.get("/v1/pets").status == 200);
  };
  node.open();
  use(5);
  node.keys("reset-quota", small.id);
  BOOST_TEST(eventually([&] { return remaining() == 50; }));
  use(5);
  BOOST_TEST(node.close() == 0);
  node.open();
  BOOST_TEST(remaining() == 45);
  BOOST_TEST(node.close() == 0);
  node.keys("reset-quota", small.id);
  node.open();
  BOOST_TEST(remaining() == 50);
}

BOOST_AUTO_TEST_CASE(a_crash_forgets_at_most_the_last_second_of_charges) {
  const issued_key small = node.create_key({"--plan", "pro", "--per-minute", "50", "--per-day", "200"});
  node.open();
  client before(node, small.secret);
  for (int i = 0; i < 10; ++i) before.get("/v1/pets");
  wait_until_quotas_are_written();
  node.kill();
  node.open();
  const answer got = client(node, small.secret).get("/v1/pets");
  BOOST_TEST(got.integer("X-RateLimit-Remaining") == 50 - 11);
  BOOST_TEST(quota_item_of(got, "RateLimit", "day").parameters.at("r") == 200 - 11);
}

BOOST_AUTO_TEST_CASE(a_crash_loses_nothing_that_was_acknowledged) {
  node.open();
  std::mutex mutex;
  std::map<std::int64_t, std::string> acknowledged;
  std::atomic<int> count = 0;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&, writer] {
      try {
        client api(node, key.secret);
        for (int i = 0; i < 100000; ++i) {
          const std::string body =
              R"({"name":")" + std::to_string(writer) + "." + std::to_string(i) + R"(","categoryId":1})";
          const answer made = api.ask({"POST", "/v1/pets", {{"Content-Type", "application/json"}}, body});
          if (made.status != 201) break;
          const std::lock_guard lock(mutex);
          acknowledged.emplace(made.value()["id"].integer(), made.body);
          ++count;
        }
      } catch (const std::exception&) {
        // The service was killed during this request, so the request was not acknowledged.
      }
    });
  }
  BOOST_TEST(eventually([&] { return count > 200; }));
  node.kill();
  for (std::thread& writer : writers) writer.join();
  node.open();
  client api(node, key.secret);
  for (const auto& [id, body] : acknowledged) {
    const answer got = api.ask({"GET", pet_path(id), {}, {}});
    BOOST_TEST(got.status == 200);
    BOOST_TEST(got.body == body);
  }
}

BOOST_AUTO_TEST_CASE(while_it_drains_it_is_not_ready_but_goes_on_serving) {
  node.open({"--drain-delay", "1h"});
  client api(node, key.secret);
  api.get("/v1/pets");
  BOOST_TEST(readiness() == 200);
  node.process().send_signal(SIGTERM);
  BOOST_TEST(eventually([&] { return readiness() == 503; }));
  BOOST_TEST(connection(node.admin_port()).exchange({"GET", "/livez", {}, {}}).status == 200);
  // On the open connection, and on a new one. A thread may learn of the drain later than the admin port reports it.
  const auto says_close = [&] {
    const answer got = api.get("/v1/pets");
    BOOST_TEST(got.status == 200);
    return got.closes();
  };
  BOOST_TEST(eventually(says_close));
  BOOST_TEST(eventually(says_close));
  node.kill();
  node.open({"--drain-delay", "100ms"});
  BOOST_TEST(node.close() == 0);
}

BOOST_AUTO_TEST_CASE(what_was_accepted_is_finished) {
  node.open();
  const std::string body = R"({"name":"Rex","categoryId":1})";
  connection wire(node.port());
  wire.send("POST /v1/pets HTTP/1.1\r\nHost: pets.example\r\nAuthorization: Bearer " + key.secret +
            "\r\nContent-Type: application/json\r\nContent-Length: 29\r\nExpect: 100-continue\r\n\r\n");
  // The interim answer shows that the service is reading the request.
  BOOST_TEST(wire.receives_within(60s));
  node.process().send_signal(SIGTERM);
  BOOST_TEST(eventually([&] { return readiness() == 503; }));
  wire.send(body);
  const answer made = wire.receive();
  BOOST_TEST(made.status == 201);
  BOOST_TEST(made.closes());
  BOOST_TEST(node.process().wait().value_or(-1) == 0);
  node.open();
  BOOST_TEST(client(node, key.secret).get(made["Location"]).status == 200);
}

BOOST_AUTO_TEST_CASE(idle_connections_do_not_hold_up_the_end) {
  node.open({"--drain-timeout", "1h"});  // longer than close() waits
  connection idle(node.port());
  client api(node, key.secret);
  api.get("/v1/pets");
  BOOST_TEST(node.close() == 0);
  BOOST_TEST(idle.ends_within(60s));
}

BOOST_AUTO_TEST_CASE(a_request_that_never_ends_is_cut_off_when_the_drain_is_over) {
  node.open({"--drain-timeout", "1s"});
  connection stuck(node.port());
  stuck.send("POST /v1/pets HTTP/1.1\r\nHost: pets.example\r\nAuthorization: Bearer " + key.secret +
             "\r\nContent-Type: application/json\r\nContent-Length: 29\r\nExpect: 100-continue\r\n\r\n");
  BOOST_TEST(stuck.receives_within(60s));
  node.process().send_signal(SIGTERM);
  BOOST_TEST(node.process().wait().has_value());
}

BOOST_AUTO_TEST_CASE(a_second_server_on_one_store_is_refused) {
  node.open();
  const finished_run second =
      run_program({"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--store", node.uri()});
  BOOST_TEST(second.exit_code > 0);
  BOOST_TEST(!second.errors.empty());
  BOOST_TEST(client(node, key.secret).get("/v1/pets").status == 200);
}

BOOST_AUTO_TEST_CASE(the_demo_has_animals_and_the_same_key_at_each_start) {
  test_node showroom;
  std::string keys[2];
  for (std::string& mine : keys) {
    showroom.open({"--demo"});
    const std::string line = showroom.greeting()[2];
    BOOST_REQUIRE(line.starts_with("demo key ps_"));
    mine = line.substr(9);
    client api(showroom, mine);
    BOOST_TEST(!api.get("/v1/pets").value().elements().empty());
    BOOST_TEST(showroom.close() == 0);
  }
  BOOST_TEST(keys[0] == keys[1]);
}

BOOST_AUTO_TEST_CASE(a_store_belongs_to_one_environment) {
  test_node staging;
  staging.open({"--environment", "staging"});
  const issued_key test_key = staging.create_key();
  BOOST_TEST(test_key.secret.starts_with("ps_test_"));
  client api(staging, test_key.secret);
  BOOST_TEST(eventually([&] { return api.ask(listing).status == 200; }));
  expect_error(client(staging, key.secret).get("/v1/pets"), 401, "unauthorized");
  BOOST_TEST(staging.close() == 0);

  const auto serve = [&](const std::string& uri, const std::string& environment_name) {
    return run_program({"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--store", uri,
                        "--environment", environment_name});
  };
  const finished_run as_production = serve(staging.uri(), "production");
  BOOST_TEST(as_production.exit_code == 2);
  BOOST_TEST(as_production.errors.find("environment") != std::string::npos);
  BOOST_TEST(serve(node.uri(), "staging").exit_code == 2);
  node.open();
  expect_error(client(node, test_key.secret).get("/v1/pets"), 401, "unauthorized");
}

BOOST_AUTO_TEST_SUITE_END()
