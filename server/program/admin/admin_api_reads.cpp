// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <locale>
#include <utility>
#include <vector>

#include "admin/admin_answer.hpp"
#include "admin/admin_api.hpp"
#include "admin/openapi/embedded.hpp"
#include "petstore/json.hpp"
#include "petstore/server/request_body.hpp"

namespace petstore::program {
namespace {

/// A page of the audit log of one key reads no more entries than that, and may then be shorter than its limit.
constexpr std::uint64_t entries_read_max = 10'000;
constexpr std::uint64_t entries_read_at_once = 1'000;

/// The filters of the list of keys.
struct key_filters {
  std::optional<std::string> plan;
  std::optional<key_state> state;
  std::optional<std::string> name;

  bool pass(known_key const& k, key_object const& shown) const {
    return (!plan || k.identity.plan == *plan) && (!state || shown.state() == *state) &&
           (!name || boost::algorithm::icontains(k.identity.name, *name, std::locale::classic()));
  }
};

void append_entry(std::string& out, audit_entry const& e) {
  json_object entry{out};
  entry.add("time", e.at).add("actor", e.actor).add("action", e.action).add("key", fmt::format("k{}", e.key));
  entry.add("detail", e.detail).close();
}

}  // namespace

admin_api::outcome admin_api::list_keys(call const& c) {
  admin_list list{"keys", {"plan", "state", "name", "sort"}, c.req.query};
  key_filters const filters{list.text("plan"), list.word<key_state>("state"), list.text("name")};
  // No key has a time of its last use yet. Keys without one are in the order of their ids.
  if (auto const sort = list.text("sort"); sort && *sort != "id" && *sort != "-lastUsedAt")
    list.add_fault("sort", "must be one of id, -lastUsedAt");
  auto const page = list.finish();
  if (!page) co_return page.error();

  auto reading = keys_.read();
  auto const keys = co_await std::move(reading);
  if (!keys) co_return keys.error();
  auto const& all = (*keys)->all();
  auto at = std::ranges::upper_bound(all, page->after.value_or(0), {}, [](known_key const& k) { return k.key.number; });
  std::string body = "[";
  std::uint64_t last = 0;
  for (std::uint32_t count = 0; at != all.end(); ++at) {
    auto const shown = keys_.describe(*at);
    if (!filters.pass(*at, shown)) continue;
    if (count++ == page->limit) {
      add_next_link(c, "/keys", list, last);
      break;
    }
    if (body.size() > 1) body.push_back(',');
    json_object object{body};
    shown.add_members(object);
    object.close();
    last = at->key.number;
  }
  answer_json(c.out, std::move(body) + "]");
  co_return result<void>{};
}

admin_api::outcome admin_api::get_key(call const& c) {
  auto finding = find_key(c.key);
  auto const found = co_await std::move(finding);
  if (!found) co_return found.error();
  std::string quota;
  keys_.append_quota(quota, *found);
  c.out.fields.append(server::accept_patch_field);
  answer_key(c, *found, [&quota](json_object& object) { object.add_json("quota", quota); });
  co_return result<void>{};
}

/// Reads the audit log from its end, in pieces.
admin_api::outcome admin_api::list_changes(call const& c) {
  admin_list list{"audit", {"key"}, c.req.query};
  std::optional<std::uint64_t> key;
  if (auto const id = list.text("key")) {
    auto const number = id->starts_with('k') ? parse_int64(std::string_view{*id}.substr(1)) : std::nullopt;
    if (number && *number >= 1) {
      key = static_cast<std::uint64_t>(*number);
    } else {
      list.add_fault("key", "must be the id of a key such as k17");
    }
  }
  auto const page = list.finish();
  if (!page) co_return page.error();

  auto asking = parts_.store.last_audit_entry();
  auto const newest = co_await std::move(asking);
  if (!newest) co_return newest.error();
  auto end = page->after ? std::min(*page->after, *newest + 1) : *newest + 1;  // of the entries that are not read yet
  std::size_t const wanted = page->limit + 1;  // one more shows that there is another page
  auto const stop = end - std::min(end - 1, key ? entries_read_max : wanted);
  std::vector<audit_entry> found;
  while (end > stop && found.size() < wanted) {
    auto const begin = end - std::min(end - stop, entries_read_at_once);
    auto reading = parts_.store.read_audit_log(begin - 1, static_cast<std::uint32_t>(end - begin));
    auto const entries = co_await std::move(reading);
    if (!entries) co_return entries.error();
    for (auto e = entries->rbegin(); e != entries->rend() && found.size() < wanted; ++e)
      // In place of a damaged entry, the store reads one after the end.
      if (e->sequence < end && (!key || e->key == *key)) found.push_back(*e);
    end = begin;
  }
  if (found.size() == wanted) {
    found.pop_back();
    add_next_link(c, "/audit", list, found.back().sequence);
  } else if (end > 1) {
    add_next_link(c, "/audit", list, end);
  }
  std::string body = "[";
  for (auto const& e : found) {
    if (body.size() > 1) body.push_back(',');
    append_entry(body, e);
  }
  answer_json(c.out, std::move(body) + "]");
  co_return result<void>{};
}

admin_api::outcome admin_api::get_description(call const& c) {
  answer_json(c.out, std::string{embedded_admin_description()});
  co_return result<void>{};
}

boost::asio::awaitable<result<known_key>> admin_api::find_key(std::uint64_t number) {
  auto reading = keys_.read();
  auto const keys = co_await std::move(reading);
  if (!keys) co_return keys.error();
  auto const* const found = (*keys)->find(number);
  if (!found) co_return error{errc::not_found, fmt::format("There is no key k{}.", number), {}};
  co_return *found;
}

void admin_api::answer_key(call const& c, known_key const& k, std::function<void(json_object&)> const& more) const {
  std::string body;
  json_object object{body};
  keys_.describe(k).add_members(object);
  if (more) more(object);
  object.close();
  c.out.add("ETag", to_string(tag_of(k.key, k.identity)));
  answer_json(c.out, std::move(body));
}

}  // namespace petstore::program
