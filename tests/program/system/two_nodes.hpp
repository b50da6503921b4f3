// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "program/system/running_server.hpp"
#include "support/postgres_server.hpp"
#include "support/redis_process.hpp"

namespace petstore::tests {

/// Two nodes of one shop. Their addresses go by variables, as they would where others may look at command lines.
struct two_nodes {
  explicit two_nodes(std::string const& quota_deadline = "250ms", std::vector<std::string> settings = {})
      : variables{with_addresses(std::move(settings), quota_deadline)} {}

  std::string const password = "hush-little-mouse";
  redis_process redis{{"--requirepass", password, "--appendonly", "yes"}};
  std::string const store = postgres_server::shared().create_database();
  std::vector<std::string> const variables;
  running_server first{{"--demo"}, variables};
  running_server second{{}, variables};

  std::string key(std::vector<std::string> const& plan) const { return create_key(store, plan); }

 private:
  std::vector<std::string> with_addresses(std::vector<std::string> settings, std::string const& quota_deadline) const {
    settings.push_back("PETSTORE_STORE=" + store);
    settings.push_back("PETSTORE_QUOTA=redis://:" + password + "@127.0.0.1:" + std::to_string(redis.port()));
    settings.push_back("PETSTORE_QUOTA_DEADLINE=" + quota_deadline);
    return settings;
  }
};

/// On a machine that is slower than the usual deadline, the failure policy would decide what is judged here.
constexpr char const* patient_deadline = "10s";

struct patient_nodes : two_nodes {
  patient_nodes() : two_nodes{patient_deadline} {}
};

inline bool knows(running_server const& server, std::string const& key) {
  return ask(server.port(), "GET", "/v1/quota", key).status == 200;
}

/// Waits until both nodes know a key. Of a node that knows it, nothing more is asked: getQuota has a limit.
inline bool both_know(two_nodes const& nodes, std::string const& key) {
  return eventually([&] { return knows(nodes.first, key); }) && eventually([&] { return knows(nodes.second, key); });
}

}  // namespace petstore::tests
