// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cuts.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace petstore::faults {
namespace {

constexpr int random_choices = 2;  // of calls, and as many of sectors

}  // namespace

std::vector<cut> ways_to_cut(std::vector<doubt> const& doubts, std::mt19937_64& random) {
  std::vector<cut> ways;
  auto const add = [&](std::string_view name, std::function<bool(doubt const&)> const& is_there) {
    std::vector<bool> chosen;
    for (auto const& d : doubts) chosen.push_back(is_there(d));
    if (std::ranges::find(ways, chosen, &cut::chosen) == ways.end()) ways.push_back({name, std::move(chosen)});
  };
  auto const toss = [&] { return (random() & 1) != 0; };

  add("nothing", [](doubt const&) { return false; });
  add("everything", [](doubt const&) { return true; });
  if (doubts.empty()) return ways;

  auto const last = doubts.back().call;
  auto const missing = doubts[random() % doubts.size()].call;
  add("only the last call", [&](doubt const& d) { return d.call == last; });
  add("all but the last call", [&](doubt const& d) { return d.call != last; });
  add("all but one call", [&](doubt const& d) { return d.call != missing; });
  add("names and sizes without data", [](doubt const& d) { return d.what != doubt::kind::sector; });
  add("data without names", [](doubt const& d) { return d.what != doubt::kind::name; });
  add("names without files' data and sizes", [](doubt const& d) { return d.what == doubt::kind::name; });
  add("the last call torn", [&](doubt const& d) { return d.call != last || toss(); });
  for (int i = 0; i < random_choices; ++i) {
    std::map<std::size_t, bool> calls;
    for (auto const& d : doubts) calls.try_emplace(d.call, toss());
    add("some calls", [&](doubt const& d) { return calls.at(d.call); });
    add("some sectors", [&](doubt const&) { return toss(); });
  }
  return ways;
}

}  // namespace petstore::faults
