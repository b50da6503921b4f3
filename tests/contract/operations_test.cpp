// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <boost/test/unit_test.hpp>
#include <set>

#include "contract/client.hpp"
#include "contract/expectations.hpp"

using namespace contract;
using namespace std::chrono_literals;

namespace {

answer plain(std::uint16_t port, const std::string& target) {
  return connection(port).exchange({"GET", target, {}, {}});
}

// An IPv4 address of this machine other than the loopback; empty if it has none.
std::string outward_address() {
  ifaddrs* all = nullptr;
  std::string found;
  if (::getifaddrs(&all) != 0) return found;
  for (const ifaddrs* each = all; each && found.empty(); each = each->ifa_next) {
    if (!each->ifa_addr || each->ifa_addr->sa_family != AF_INET || (each->ifa_flags & IFF_LOOPBACK) != 0) continue;
    char text[INET_ADDRSTRLEN];
    const auto* address = reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
    found = ::inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
  }
  ::freeifaddrs(all);
  return found;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(operations, on_open_node, *boost::unit_test::fixture<open_node>())

BOOST_AUTO_TEST_CASE(it_says_where_it_listens) {
  BOOST_REQUIRE(node.greeting().size() == 2U);
  BOOST_TEST(node.greeting()[0] == "listening on http://127.0.0.1:" + std::to_string(node.port()) + "/v1");
  BOOST_TEST(node.greeting()[1] == "admin on http://127.0.0.1:" + std::to_string(node.admin_port()));
}

BOOST_AUTO_TEST_CASE(an_ipv6_address_is_listened_on) {
  child_process service({"serve", "--listen", "[::1]:0", "--admin-listen", "127.0.0.1:0", "--store", "memory:"});
  const std::string line = service.read_line().value_or("");
  BOOST_TEST(line.starts_with("listening on http://[::1]:"), line << service.errors());
  BOOST_TEST(line.ends_with("/v1"));
}

BOOST_AUTO_TEST_CASE(the_admin_listener_has_health_and_metrics) {
  BOOST_TEST(plain(node.admin_port(), "/livez").status == 200);
  BOOST_TEST(plain(node.admin_port(), "/readyz").status == 200);
  api.get("/v1/pets");
  const answer metrics = plain(node.admin_port(), "/metrics");
  BOOST_TEST(metrics.status == 200);
  BOOST_TEST(metrics["Content-Type"].starts_with("text/plain"));
  BOOST_TEST(metrics.body.find("# TYPE ") != std::string::npos);
  BOOST_TEST(plain(node.admin_port(), "/v1/pets").status == 404);
}

BOOST_AUTO_TEST_CASE(metrics_are_not_public) {
  expect_error(client(node, "").get("/metrics"), 401, "unauthorized");
  expect_error(api.get("/metrics"), 404, "not_found");
}

BOOST_AUTO_TEST_CASE(health_answers_the_loopback_on_the_public_listener_without_key_or_charge) {
  for (const std::string target : {"/livez", "/readyz"}) {
    for (const std::string method : {"GET", "HEAD", "OPTIONS"}) {
      BOOST_TEST_CONTEXT(method << " " << target) {
        const answer got = connection(node.port()).exchange({method, target, {}, {}});
        BOOST_TEST(got.status / 100 == 2);
        for (const char* absent : {"X-RateLimit-Limit", "X-RateLimit-Remaining", "RateLimit", "RateLimit-Policy"}) {
          BOOST_TEST(!got.has(absent));
        }
        connection old(node.port());
        old.send(method + " " + target + " HTTP/1.0\r\n\r\n");
        BOOST_TEST(old.receive(method == "HEAD").status / 100 == 2);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(health_answers_others_only_when_they_are_trusted) {
  const std::string address = outward_address();
  if (address.empty()) {
    BOOST_TEST_MESSAGE("SKIPPED: this machine has the loopback alone");
    return;
  }
  for (const bool trusted : {false, true}) {
    arguments command{"serve", "--listen", address + ":0", "--admin-listen", "127.0.0.1:0", "--store", "memory:"};
    if (trusted) command.insert(command.end(), {"--trusted-proxies", address});
    child_process service(command);
    const std::string line = service.read_line().value_or("");
    const std::string before = "listening on http://" + address + ":";
    BOOST_REQUIRE_MESSAGE(line.starts_with(before), line << service.errors());
    const auto port = static_cast<std::uint16_t>(std::stoi(line.substr(before.size())));
    for (const char* target : {"/livez", "/readyz"}) {
      const answer got = connection(port, address, address).exchange({"GET", target, {}, {}});
      BOOST_TEST(got.status == (trusted ? 200 : 401));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_document_describes_every_operation) {
  client anonymous(node, "");
  const answer got = anonymous.get("/v1/openapi.json");
  BOOST_TEST(got.status == 200);
  const json document = got.value();
  BOOST_TEST(document["openapi"].text().starts_with("3.1."));
  BOOST_TEST(document["info"]["version"].text() == "1.0.0");
  std::set<std::string> operations, beta, deprecated;
  for (const auto& [path, methods] : document["paths"].members()) {
    for (const auto& [method, operation] : methods.members()) {
      if (method == "parameters") continue;
      const std::string id = operation["operationId"].text();
      operations.insert(id);
      if (operation.has("x-stability")) {
        BOOST_TEST(operation["x-stability"].text() == "beta");
        beta.insert(id);
      }
      if (operation.has("deprecated") && operation["deprecated"].boolean()) deprecated.insert(id);
      BOOST_TEST(operation["responses"].has("429"), id);
      // Only the document itself needs no key.
      BOOST_TEST(operation["responses"].has("401") == (path != "/openapi.json"), id);
    }
  }
  const std::set<std::string> all{"listPets",    "createPet",   "getPet",        "updatePet",   "deletePet",
                                  "listOrders",  "createOrder", "getOrder",      "updateOrder", "listCategories",
                                  "getCategory", "getQuota",    "createCategory"};
  for (const std::string& id : all) BOOST_TEST(operations.contains(id), id << " is missing");
  for (const std::string& id : all) {
    const bool of_the_contract = id == "listPets" || id == "createPet" || id == "getPet" || id == "listOrders";
    BOOST_TEST(beta.contains(id) == !of_the_contract, id);
  }
  BOOST_TEST(deprecated == std::set<std::string>{"getPet"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_document_may_be_kept_and_asked_for_again) {
  client anonymous(node, "");
  const answer got = anonymous.get("/v1/openapi.json");
  BOOST_TEST(got["Cache-Control"] == "no-cache");
  BOOST_TEST(anonymous.get("/v1/openapi.json", {{"If-None-Match", got["ETag"]}}).status == 304);
  // A request with a key is answered, too.
  BOOST_TEST(api.get("/v1/openapi.json").status == 200);
}

BOOST_AUTO_TEST_CASE(the_document_names_both_addresses_the_active_one_first) {
  for (const std::string active : {"production", "staging"}) {
    test_node based;
    based.open({"--environment", active, "--base-url", "https://pets.example/v1", "--staging-base-url",
                "https://staging.pets.example/v1"});
    const json servers = client(based, "").get("/v1/openapi.json").value()["servers"];
    BOOST_REQUIRE(servers.size() == 2U);
    const std::size_t first = active == "production" ? 0 : 1;
    BOOST_TEST(servers[first]["url"].text() == "https://pets.example/v1");
    BOOST_TEST(servers[1 - first]["url"].text() == "https://staging.pets.example/v1");
  }
}

BOOST_AUTO_TEST_SUITE_END()
