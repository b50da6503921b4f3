// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "transfer/import_check.hpp"

#include <algorithm>
#include <limits>

#include "petstore/json.hpp"
#include "store/await.hpp"
#include "store/value_or_fail.hpp"

namespace petstore::program {
namespace {

constexpr std::string_view unreadable = "the store cannot be read";

std::string numbered(std::string_view kind, std::int64_t id) {
  return std::string{kind} + " " + std::to_string(id);
}

}  // namespace

bool id_ranges::insert(std::int64_t id) {
  if (contains(id)) return false;
  auto after = last_by_first_.upper_bound(id);
  auto last = id;
  if (after != last_by_first_.end() && id != std::numeric_limits<std::int64_t>::max() && after->first == id + 1) {
    last = after->second;
    after = last_by_first_.erase(after);
  }
  if (after != last_by_first_.begin()) {
    auto const before = std::prev(after);
    if (before->second + 1 == id) {  // below id, so this cannot overflow
      before->second = last;
      return true;
    }
  }
  last_by_first_.emplace_hint(after, id, last);
  return true;
}

bool id_ranges::contains(std::int64_t id) const {
  auto const after = last_by_first_.upper_bound(id);
  return after != last_by_first_.begin() && std::prev(after)->second >= id;
}

void import_check::read_store() {
  // It reads one record at a time, because a page of one record needs no parser.
  list_query query{.kind = record_kind::category, .limit = 1};
  for (bool more = true; more;) {
    std::string page;
    auto const end = value_or_fail(await(store_.list(query, page)), unreadable);
    if (end.count != 0) {
      auto c = value_or_fail(decode_json<category>(std::string_view{page}.substr(1, page.size() - 2)), unreadable);
      query.after = c.id;
      category_of_name_.emplace(std::move(c.name), c.id);
    }
    more = end.next_after.has_value();
  }
}

std::optional<std::string> import_check::add(transfer_line const& record, std::uint64_t line) {
  return std::visit([&](auto const& r) { return add(r, line); }, record);
}

std::optional<std::string> import_check::add(category const& c, std::uint64_t) {
  ++seen_.categories;
  seen_.given.category = std::max(seen_.given.category, c.id);
  if (!categories_.insert(c.id)) return numbered("category", c.id) + " is given twice";
  auto const [named, is_new] = category_of_name_.emplace(c.name, c.id);
  if (!is_new && named->second != c.id)
    return numbered("category", c.id) + " has the name of " + numbered("category", named->second);
  return fault_of(compare(c), "category", c.id);
}

std::optional<std::string> import_check::add(pet const& p, std::uint64_t) {
  ++seen_.pets;
  seen_.given.pet = std::max(seen_.given.pet, p.id);
  if (!pets_.insert(p.id)) return numbered("pet", p.id) + " is given twice";
  if (p.status == pet_status::pending) pending_pets_.insert(p.id);
  return fault_of(compare(p), "pet", p.id);
}

std::optional<std::string> import_check::add(order const& o, std::uint64_t line) {
  ++seen_.orders;
  seen_.given.order = std::max(seen_.given.order, o.id);
  if (!orders_.insert(o.id)) return numbered("order", o.id) + " is given twice";
  auto const compared = compare(o);
  if (is_open(o.status)) {
    auto const [other, is_first] =
        open_orders_.emplace(o.pet_id, open_order{.line = line, .id = o.id, .is_new = compared == comparison::absent});
    if (!is_first)
      return numbered("pet", o.pet_id) + " has two open orders, " + std::to_string(other->second.id) + " and " +
             std::to_string(o.id);
  }
  return fault_of(compared, "order", o.id);
}

std::vector<import_check::fault> import_check::finish() {
  std::vector<fault> faults;
  for (auto const& [animal, order] : open_orders_) {
    if (!order.is_new) continue;
    if (auto sentence = check_open_order(animal, order)) faults.push_back({order.line, *std::move(sentence)});
  }
  return faults;
}

std::optional<std::string> import_check::check_open_order(std::int64_t animal, open_order const& order) {
  auto const which = "open " + numbered("order", order.id) + " is for " + numbered("pet", animal);
  if (pets_.contains(animal)) {
    if (!pending_pets_.contains(animal)) return which + ", which is not pending";
  } else {
    std::string json;
    auto const found = await(store_.read(record_kind::pet, animal, json));
    if (!found && found.error().code == errc::not_found) return which + ", which does not exist";
    value_or_fail(found, unreadable);
    if (value_or_fail(decode_json<pet>(json), unreadable).status != pet_status::pending)
      return which + ", which is not pending";
  }
  for (auto status : {order_status::placed, order_status::approved}) {
    std::string page;
    list_query const query{.kind = record_kind::order, .filters = order_filters(status, animal), .limit = 1};
    if (value_or_fail(await(store_.list(query, page)), unreadable).count != 0)
      return which + ", which has another open order in the store";
  }
  return std::nullopt;
}

std::optional<std::string> import_check::fault_of(comparison c, std::string_view kind, std::int64_t id) {
  if (c == comparison::different) return numbered(kind, id) + " is in the store with other content";
  if (c == comparison::same) ++present_;
  return std::nullopt;
}

template <class Record>
import_check::comparison import_check::compare(Record const& record) {
  std::string stored;
  auto const found = await(store_.read(kind_of<Record>, record.id, stored));
  if (!found && found.error().code == errc::not_found) return comparison::absent;
  value_or_fail(found, unreadable);
  return stored == to_json(record) ? comparison::same : comparison::different;
}

}  // namespace petstore::program
