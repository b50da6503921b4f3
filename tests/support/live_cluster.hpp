// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/eventually.hpp"
#include "support/free_port.hpp"
#include "support/redis_process.hpp"

namespace petstore::tests {

/// Three masters that have a third of the slots each. Making a cluster takes Redis two seconds, so a case with one
/// tells a longer story than others. One thread.
struct live_cluster {
  /// A server that takes part in a cluster.
  struct member {
    std::uint16_t const bus = free_port();
    redis_process server{
        {"--cluster-enabled", "yes", "--cluster-port", std::to_string(bus), "--cluster-node-timeout", "10000"}};

    std::string ask(std::vector<std::string> const& words) const { return server.ask(words); }
    std::string id() const { return ask({"CLUSTER", "MYID"}); }
  };

  std::array<member, 3> members;
  std::unique_ptr<member> spare;  ///< has no slots

  explicit live_cluster(bool has_spare = false) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      members[i].ask({"CLUSTER", "ADDSLOTSRANGE", std::to_string(bounds[i]), std::to_string(bounds[i + 1] - 1)});
      members[i].ask({"CLUSTER", "SET-CONFIG-EPOCH", std::to_string(i + 1)});
    }
    if (has_spare) spare = std::make_unique<member>();
    for (auto const* other : std::array<member const*, 3>{&members[1], &members[2], spare.get()}) {
      if (other) meet(*other);
    }
    std::string const nodes = has_spare ? "4" : "3";
    for (auto const& one : members) BOOST_REQUIRE(eventually([&] { return is_whole(one, nodes); }));
    if (spare) BOOST_REQUIRE(eventually([&] { return is_whole(*spare, nodes); }));
  }

  std::string address() const { return "redis+cluster://127.0.0.1:" + std::to_string(members[1].server.port()); }

  int slot_of(std::string const& key) const { return std::stoi(members[0].ask({"CLUSTER", "KEYSLOT", key})); }
  /// The number of the master that has the key, as long as no slot was moved.
  std::size_t master_of(std::string const& key) const {
    std::size_t i = 0;
    for (int const slot = slot_of(key); slot >= bounds[i + 1];) ++i;
    return i;
  }

 private:
  static constexpr std::array<int, 4> bounds{0, 5461, 10922, 16384};

  void meet(member const& other) {
    members[0].ask({"CLUSTER", "MEET", "127.0.0.1", std::to_string(other.server.port()), std::to_string(other.bus)});
  }
  static bool is_whole(member const& one, std::string const& nodes) {
    auto const info = one.ask({"CLUSTER", "INFO"});
    return info.find("cluster_state:ok") != std::string::npos &&
           info.find("cluster_known_nodes:" + nodes + "\r") != std::string::npos;
  }
};

}  // namespace petstore::tests
