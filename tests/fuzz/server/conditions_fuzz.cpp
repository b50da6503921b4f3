// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/conditions.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "fuzz/http/sent_request.hpp"
#include "fuzz/require.hpp"
#include "fuzz/target.hpp"
#include "petstore/key_trace.hpp"

/// Conditions and Idempotency-Key; each line of the input is a field. The result for a condition is compared with a
/// simple reading of the list.
namespace petstore::fuzz {
namespace {

struct tag {
  bool weak = false;
  std::string opaque;
};

/// The tags of a list; nullopt if it is not a list. Commas and white space are allowed before, between and after tags.
std::optional<std::vector<tag>> read_tags(std::string_view list) {
  std::vector<tag> tags;
  bool may_begin = true;
  while (!list.empty()) {
    char const c = list.front();
    if (c == ',' || c == ' ' || c == '\t') {
      may_begin = may_begin || c == ',';
      list.remove_prefix(1);
      continue;
    }
    if (!may_begin) return std::nullopt;
    tag t{.weak = list.starts_with("W/"), .opaque = {}};
    if (t.weak) list.remove_prefix(2);
    auto const close = list.find('"', 1);
    if (!list.starts_with('"') || close == std::string_view::npos) return std::nullopt;
    t.opaque = list.substr(0, close + 1);
    if (std::ranges::any_of(t.opaque, [](char d) { return (d >= 0 && d <= ' ') || d == '\x7f'; })) return std::nullopt;
    list.remove_prefix(close + 1);
    tags.push_back(std::move(t));
    may_begin = false;
  }
  return tags;
}

std::string joined(std::vector<std::string_view> const& values) {
  std::string all;
  for (auto const v : values) all.append(all.empty() ? "" : ", ").append(v);
  return all;
}

void check_condition(std::string_view input, entity_tag mine) {
  sent_request sent{"If-None-Match", input};
  if (!sent.is_taken()) return;
  auto const values = values_of(sent.request(), "If-None-Match");
  auto const condition = server::read_condition(sent.request(), server::known_field::if_none_match);
  auto const list = joined(values);
  auto const tags = read_tags(list);
  bool const is_star = trimmed(list) == "*";
  require(condition.has_value() == (tags || is_star), "a condition is * or a list of tags", list);
  if (!condition) {
    require(condition.error().code == errc::invalid_request, "a condition that is none is invalid_request", list);
    return;
  }
  require(condition->present() == !values.empty(), "a condition is present when its field is");
  auto const is_listed = [&](bool weak_too) {
    auto const is_mine = [&](tag const& t) { return t.opaque == to_string(mine) && (weak_too || !t.weak); };
    return is_star || (tags && std::ranges::any_of(*tags, is_mine));
  };
  require(condition->matches_weak(mine) == is_listed(true), "a weak comparison finds the tags that are listed", list);
  require(condition->matches_strong(mine) == is_listed(false), "a strong one finds the strong tags", list);
}

void check_idempotency(std::string_view input) {
  sent_request sent{"Idempotency-Key", input};
  if (!sent.is_taken()) return;
  auto const values = values_of(sent.request(), "Idempotency-Key");
  auto const found = server::read_idempotency(sent.request(), 7);
  if (values.size() > 1) require(!found, "a key is given once", input);
  if (!found) {
    require(found.error().code == errc::invalid_request && !found.error().message.empty(), "a bad key is refused",
            input);
    return;
  }
  require(found->has_value() == !values.empty(), "there is a key when its field is there", input);
  if (!*found) return;
  auto const& key = (*found)->key;
  require(!key.empty() && key.size() <= 255, "a key has 1 to 255 characters", key);
  require(std::ranges::all_of(key, [](char c) { return c > ' ' && c < '\x7f'; }), "a key is visible ASCII", key);
  require(!mentions_api_key(key), "an API key is not kept", key);
  bool const is_as_sent = values[0] == key || values[0] == "\"" + key + "\"";
  require(is_as_sent || mentions_api_key(values[0]), "a key is the value, its quotes aside", values[0], key);
}

/// A tag made from the size of the input, and the tags in the input; without these, no tag would ever match.
std::vector<entity_tag> tags_to_try(std::string_view input) {
  std::vector<entity_tag> tags{{.revision = input.size(), .checksum = 0xC0FFEE}};
  for (auto at = input.find('"'); at != std::string_view::npos; at = input.find('"', at + 1)) {
    entity_tag t;
    char const* const text = input.data() + at + 1;
    std::string const piece{text, std::min<std::size_t>(input.size() - at - 1, 40)};
    unsigned long long revision = 0;
    if (std::sscanf(piece.c_str(), "%19llu-%8x", &revision, &t.checksum) == 2) {
      t.revision = revision;
      tags.push_back(t);
    }
  }
  return tags;
}

}  // namespace

void check(std::string_view input) {
  for (auto const tag : tags_to_try(input.substr(0, 200))) {
    check_condition(input, tag);
    auto const alone = etag_condition::parse(to_string(tag));
    require(alone && alone->matches_strong(tag) && alone->matches_weak(tag), "a tag that was sent comes back");
  }
  check_idempotency(input);
}

}  // namespace petstore::fuzz
