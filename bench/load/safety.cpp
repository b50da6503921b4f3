// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "safety.hpp"

#include <algorithm>

namespace petstore::load {
namespace {

bool is_this_machine(destination const& d) {
  return std::all_of(d.addresses.begin(), d.addresses.end(), [](auto const& a) { return a.is_loopback(); });
}

}  // namespace

std::optional<std::string> refusal(std::span<destination const> destinations,
                                   std::span<std::string const> permitted_hosts, question const& ask) {
  std::vector<std::string> permitted(permitted_hosts.begin(), permitted_hosts.end());
  for (auto const& d : destinations) {
    if (is_this_machine(d)) continue;
    auto const& host = d.to.host;
    if (std::find(permitted.begin(), permitted.end(), host) != permitted.end()) continue;
    auto const where = host + " (" + d.addresses.front().text() + ") is not this machine";
    auto const answer = ask(where + ". Type its name if you may load it: ");
    if (!answer) return where + ". Say --yes-i-may-load " + host + " if you may load it.";
    if (*answer != host) return host + " is not loaded: what was typed is not its name.";
    permitted.push_back(host);
  }
  return std::nullopt;
}

}  // namespace petstore::load
