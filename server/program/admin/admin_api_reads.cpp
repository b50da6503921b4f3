// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <iterator>
#include <limits>
#include <locale>
#include <utility>
#include <vector>

#include "admin/admin_answer.hpp"
#include "admin/admin_api.hpp"
#include "admin/openapi/embedded.hpp"
#include "petstore/server/request_body.hpp"

namespace petstore::program {
namespace {

/// A page of the audit log with filters reads no more entries than that, and may then be shorter than its limit.
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

/// The filters of the audit log.
struct change_filters {
  std::optional<std::uint64_t> key;
  std::optional<std::string> action;
  std::optional<std::string> actor;

  bool pass_all() const { return !key && !action && !actor; }
  bool pass(audit_entry const& e) const {
    return (!key || e.key == *key) && (!action || e.action == *action) && (!actor || e.actor == *actor);
  }
};

/// A key in a list.
struct listed_key {
  list_position position;  ///< its rank is the time of its last use; 0: the list is by numbers, or it was never used
  known_key const* key;
};

bool is_before(list_position a, list_position b) noexcept {
  return a.rank != b.rank ? a.rank > b.rank : a.number < b.number;
}

std::optional<unix_ms> last_use_in(std::vector<ports::last_use> const& uses, std::uint64_t key) {
  auto const at = std::ranges::lower_bound(uses, key, {}, &ports::last_use::key);
  return at != uses.end() && at->key == key ? std::optional{at->at} : std::nullopt;
}

/// The keys after that position, in order: by the time of their last use, or by their numbers as they are.
std::vector<listed_key> in_order(std::vector<known_key> const& all, std::vector<ports::last_use> const& uses,
                                 std::optional<list_position> after) {
  std::vector<listed_key> keys;
  if (uses.empty()) {  // the order that they have
    auto const number = [](known_key const& k) { return k.key.number; };
    auto const first = after ? std::ranges::upper_bound(all, after->number, {}, number) : all.begin();
    std::ranges::transform(first, all.end(), std::back_inserter(keys), [](known_key const& k) {
      return listed_key{{k.key.number, 0}, &k};
    });
    return keys;
  }
  for (auto const& k : all) {
    auto const used = last_use_in(uses, k.key.number).value_or(unix_ms{});
    list_position const position{k.key.number, static_cast<std::uint64_t>(used.time_since_epoch().count())};
    if (!after || is_before(*after, position)) keys.push_back({position, &k});
  }
  std::ranges::sort(keys, is_before, &listed_key::position);
  return keys;
}

struct page_of_keys {
  std::vector<listed_key> keys;
  bool has_more = false;
};

template <class Passes>
page_of_keys select_page(std::vector<listed_key> const& from, std::size_t limit, Passes passes) {
  page_of_keys page;
  for (auto const& k : from) {
    if (!passes(*k.key)) continue;
    if (page.keys.size() == limit) {
      page.has_more = true;
      break;
    }
    page.keys.push_back(k);
  }
  return page;
}

void append_entry(std::string& out, audit_entry const& e) {
  json_object entry{out};
  entry.add("time", e.at).add("actor", e.actor).add("action", e.action).add("key", key_id(e.key));
  entry.add("detail", e.detail).close();
}

}  // namespace

/// Lists the keys by their numbers, or by their last uses: then the key that was used last comes first, and keys that
/// were never used come last. For each page of that order, it reads and sorts the last uses of all keys, so that order
/// is for a person who looks at the first pages.
admin_api::outcome admin_api::list_keys(call const& c) {
  admin_list list{"keys", {"plan", "state", "name", "sort", "include"}, c.req.query};
  key_filters const filters{list.text("plan"), list.word<key_state>("state"), list.text("name")};
  auto const sort = list.text("sort").value_or("id");
  bool const is_by_use = sort == "-lastUsedAt";
  if (sort != "id" && !is_by_use) list.add_fault("sort", "must be one of id, -lastUsedAt");
  auto const include = list.text("include");
  if (include && *include != "quota") list.add_fault("include", "must be quota");
  auto const page = list.finish();
  if (!page) co_return page.error();

  auto reading = keys_.read();
  auto const keys = co_await std::move(reading);
  if (!keys) co_return keys.error();
  std::vector<ports::last_use> uses;
  if (is_by_use) {
    auto reading_uses = parts_.store.read_last_uses(0, std::numeric_limits<std::uint64_t>::max());
    auto const all = co_await std::move(reading_uses);
    if (!all) co_return all.error();
    uses = *all;
  }
  auto const passes = [&](known_key const& k) { return filters.pass(k, keys_.describe(k)); };
  auto const shown = select_page(in_order((*keys)->all(), uses, page->after), page->limit, passes);
  if (!is_by_use && !shown.keys.empty()) {
    auto reading_uses =
        parts_.store.read_last_uses(shown.keys.front().position.number, shown.keys.back().position.number);
    auto const of_page = co_await std::move(reading_uses);
    if (!of_page) co_return of_page.error();
    uses = *of_page;
  }
  if (shown.has_more) add_next_link(c, "/keys", list, shown.keys.back().position);
  std::string body = "[";
  for (auto const& one : shown.keys) {
    known_key key = *one.key;
    key.last_used = last_use_in(uses, key.key.number);
    if (include) {
      auto looking = keys_.look_at_quota(key);
      co_await std::move(looking);
    }
    auto const seen = keys_.describe(key);
    if (!filters.pass(key, seen)) continue;  // its state has changed since
    if (body.size() > 1) body.push_back(',');
    json_object object{body};
    seen.add_members(object);
    if (include) keys_.add_quota(object, key);
    object.close();
  }
  answer_json(c.out, std::move(body) + "]");
  co_return result<void>{};
}

admin_api::outcome admin_api::get_key(call const& c) {
  auto finding = keys_.find(c.key);
  auto const found = co_await std::move(finding);
  if (!found) co_return found.error();
  auto looking = keys_.look_at_quota(*found);
  co_await std::move(looking);
  c.out.fields.append(server::accept_patch_field);
  answer_key(c, *found, [&](json_object& object) { keys_.add_quota(object, *found); });
  co_return result<void>{};
}

/// Reads the audit log from its end, in pieces.
admin_api::outcome admin_api::list_changes(call const& c) {
  admin_list list{"audit", {"key", "action", "actor"}, c.req.query};
  change_filters filters{{}, list.text("action"), list.text("actor")};
  if (auto const id = list.text("key")) {
    filters.key = key_number(*id);
    if (!filters.key) list.add_fault("key", "must be the id of a key such as k17");
  }
  auto const page = list.finish();
  if (!page) co_return page.error();

  auto asking = parts_.store.last_audit_entry();
  auto const newest = co_await std::move(asking);
  if (!newest) co_return newest.error();
  auto end =
      page->after ? std::min(page->after->number, *newest + 1) : *newest + 1;  // of the entries that are not read yet
  std::size_t const wanted = page->limit + 1;  // one more shows that there is another page
  auto const stop = end - std::min(end - 1, filters.pass_all() ? wanted : entries_read_max);
  std::vector<audit_entry> found;
  while (end > stop && found.size() < wanted) {
    auto const begin = end - std::min(end - stop, entries_read_at_once);
    auto reading = parts_.store.read_audit_log(begin - 1, static_cast<std::uint32_t>(end - begin));
    auto const entries = co_await std::move(reading);
    if (!entries) co_return entries.error();
    for (auto e = entries->rbegin(); e != entries->rend() && found.size() < wanted; ++e)
      // In place of a damaged entry, the store reads one after the end.
      if (e->sequence < end && filters.pass(*e)) found.push_back(*e);
    end = begin;
  }
  if (found.size() == wanted) {
    found.pop_back();
    add_next_link(c, "/audit", list, {found.back().sequence});
  } else if (end > 1) {
    add_next_link(c, "/audit", list, {end});
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
