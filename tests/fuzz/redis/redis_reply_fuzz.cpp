// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <string>
#include <vector>

#include "announcement.hpp"
#include "complaint.hpp"
#include "fuzz/cuts.hpp"
#include "fuzz/require.hpp"
#include "fuzz/target.hpp"
#include "reply_reader.hpp"
#include "slot.hpp"
#include "slot_map.hpp"

/// The bytes that a Redis server sends, and how they are cut into pieces.
namespace petstore::fuzz {
namespace {

using redis::reply;

constexpr redis::reply_limits limits{4096, 6};
redis::node const here{"here", 6379};

struct reading {
  std::vector<reply> replies;
  bool failed = false;
};

reading read(std::string_view bytes, cuts plan) {
  redis::reply_reader reader{limits};
  reading all;
  while (!bytes.empty() && !all.failed) {
    auto const piece = bytes.substr(0, plan.next());
    bytes.remove_prefix(piece.size());
    all.failed = !reader.feed(piece);
    while (!all.failed) {
      auto next = reader.next();
      if (!next) require(!next.error().detail.empty(), "a fault is told");
      all.failed = !next;
      if (!next || !*next) break;
      all.replies.push_back(std::move(**next));
    }
  }
  return all;
}

std::size_t depth_of(reply const& value) {
  std::size_t deepest = 0;
  for (auto const& element : value.elements) deepest = std::max(deepest, depth_of(element));
  return deepest + (value.is_array() ? 1 : 0);
}

std::size_t size_of(reply const& value) {
  std::size_t size = value.text.size();
  for (auto const& element : value.elements) size += 1 + size_of(element);
  return size;
}

void check_meaning(reply const& value) {
  if (auto const map = redis::read_slot_map(value, here)) {
    for (auto const& range : *map) {
      require(range.first <= range.last && range.last < redis::slot_count, "a range is one of slots");
      require(!range.master.host.empty() && range.master.port != 0, "a master can be connected to");
    }
  }
  auto const said = redis::read_complaint(value.text, here);
  if (said.what == redis::complaint::kind::moved || said.what == redis::complaint::kind::ask) {
    require(said.slot < redis::slot_count && !said.target.host.empty() && said.target.port != 0,
            "a redirection leads somewhere", value.text);
  }
  if (auto const master = redis::read_announcement(value.text, "shop")) {
    require(!master->host.empty() && master->port != 0, "a master can be connected to", value.text);
  }
  require(redis::slot_of(value.text) < redis::slot_count, "each key has a slot", value.text);
}

}  // namespace

void check(std::string_view input) {
  cut_input const given{input};
  auto const as_cut = read(given.bytes, cuts{given.plan});
  auto const slowly = read(given.bytes, cuts{bytewise});
  require(as_cut.failed == slowly.failed, "the same fault however it is cut", given.bytes);
  require(as_cut.replies == slowly.replies, "the same replies however they are cut", given.bytes);
  for (auto const& value : as_cut.replies) {
    require(depth_of(value) <= limits.depth_max, "no deeper than allowed", given.bytes);
    require(size_of(value) <= given.bytes.size(), "no larger than what came", given.bytes);
    check_meaning(value);
  }
}

}  // namespace petstore::fuzz
