// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "petstore/json.hpp"
#include "petstore/storage/rules/import.hpp"
#include "transfer.hpp"

namespace petstore::storage::postgres {
namespace {

/// How long an import tries to get its locks while others hold them, such as a VACUUM.
constexpr std::chrono::seconds lock_patience{30};
/// Above deadlock_timeout (1 s), after which the server ends an autovacuum that is in the way.
constexpr std::chrono::milliseconds lock_wait_max{1'300};

/// The records that an import touches: looked up together, checked one by one, written together.
class import_batch {
 public:
  explicit import_batch(session& s) : session_(s) {}

  void look_up(std::vector<ports::import_record> const& records) {
    array_text categories, names, pets, orders;
    for (auto const& record : records) {
      if (auto const* const c = std::get_if<category>(&record)) {
        categories.add(c->id);
        names.add(c->name);
      } else if (auto const* const p = std::get_if<pet>(&record)) {
        pets.add(p->id);
      } else if (auto const* const o = std::get_if<order>(&record)) {
        orders.add(o->id);
        pets.add(o->pet_id);
      }
    }
    auto const same_id = "SELECT id, json, 0 FROM ";
    auto const of_ids = " WHERE id = ANY ($1::bigint[])";
    decode_all(session_.run(std::string{same_id} + "categories" + of_ids, {categories.to_text()}), categories_,
               decode_json<category>);
    auto const found_pets =
        session_.run(std::string{"SELECT id, json, open_order FROM pets"} + of_ids, {pets.to_text()});
    decode_all(found_pets, pets_, decode_json<pet>);
    for (int i = 0; i < found_pets.count(); ++i)
      if (auto const open = found_pets.number(i, 2)) open_orders_[found_pets.number(i, 0)] = open;
    decode_all(session_.run(std::string{same_id} + "orders" + of_ids, {orders.to_text()}), orders_, decode_json<order>);
    auto const taken = session_.run("SELECT name FROM categories WHERE name = ANY ($1::text[])", {names.to_text()});
    for (int i = 0; i < taken.count(); ++i) names_.emplace(taken.text(i, 0));
  }

  result<void> check(category const& c) {
    auto const step = rules::import_category(c, find(categories_, c.id), names_.contains(c.name));
    if (!step) return step.error();
    if (*step == rules::import_step::skip) return {};
    categories_[c.id] = c;
    names_.insert(c.name);
    new_categories_.push_back(&categories_[c.id]);
    given_.category = std::max(given_.category, c.id);
    return {};
  }

  result<void> check(pet const& p) {
    auto const step = rules::import_pet(p, find(pets_, p.id));
    if (!step) return step.error();
    if (*step == rules::import_step::skip) return {};
    pets_[p.id] = p;
    new_pets_.push_back(&pets_[p.id]);
    given_.pet = std::max(given_.pet, p.id);
    return {};
  }

  result<void> check(order const& o) {
    auto const held = open_orders_.find(o.pet_id);
    auto const open = held == open_orders_.end() ? std::nullopt : std::optional{held->second};
    auto const step = rules::import_order(o, find(orders_, o.id), find(pets_, o.pet_id), open);
    if (!step) return step.error();
    if (*step == rules::import_step::skip) return {};
    orders_[o.id] = o;
    new_orders_.push_back(&orders_[o.id]);
    if (is_open(o.status)) {
      open_orders_[o.pet_id] = o.id;
      newly_held_.push_back(o.pet_id);
    }
    given_.order = std::max(given_.order, o.id);
    return {};
  }

  result<void> check(ports::last_ids const& given) {
    given_.category = std::max(given_.category, given.category);
    given_.pet = std::max(given_.pet, given.pet);
    given_.order = std::max(given_.order, given.order);
    return {};
  }

  void write() {
    {
      array_text ids, names, records;
      for (auto const* c : new_categories_) {
        ids.add(c->id);
        names.add(c->name);
        records.add(to_json(*c));
      }
      write_all(new_categories_.empty(),
                "INSERT INTO categories (id, revision, name, json) SELECT i, 1, n, j"
                " FROM unnest($1::bigint[], $2::text[], $3::text[]) AS r (i, n, j)",
                {ids.to_text(), names.to_text(), records.to_text()});
    }
    {
      array_text ids, categories, statuses, records;
      for (auto const* p : new_pets_) {
        ids.add(p->id);
        categories.add(p->category_id);
        statuses.add(p->status ? static_cast<std::int64_t>(*p->status) : 0);
        records.add(to_json(*p));
      }
      write_all(new_pets_.empty(),
                "INSERT INTO pets (id, revision, category_id, status, json) SELECT i, 1, c, s, j"
                " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) AS r (i, c, s, j)",
                {ids.to_text(), categories.to_text(), statuses.to_text(), records.to_text()});
    }
    {
      array_text ids, pets, statuses, records;
      for (auto const* o : new_orders_) {
        ids.add(o->id);
        pets.add(o->pet_id);
        statuses.add(static_cast<std::int64_t>(o->status));
        records.add(to_json(*o));
      }
      write_all(new_orders_.empty(),
                "INSERT INTO orders (id, revision, pet_id, status, json) SELECT i, 1, p, s, j"
                " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[]) AS r (i, p, s, j)",
                {ids.to_text(), pets.to_text(), statuses.to_text(), records.to_text()});
    }
    array_text held, holders;
    for (auto const animal : newly_held_) {
      held.add(animal);
      holders.add(open_orders_[animal]);
    }
    write_all(newly_held_.empty(),
              "UPDATE pets AS p SET open_order = r.o FROM unnest($1::bigint[], $2::bigint[]) AS r (i, o)"
              " WHERE p.id = r.i",
              {held.to_text(), holders.to_text()});
    raise("category_ids", given_.category);
    raise("pet_ids", given_.pet);
    raise("order_ids", given_.order);
  }

 private:
  template <class Record>
  static void decode_all(session::table const& found, std::map<std::int64_t, Record>& records,
                         result<Record> (*decode)(std::string_view)) {
    for (int i = 0; i < found.count(); ++i) {
      auto record = decode(found.text(i, 1));
      if (!record)
        throw std::runtime_error("record " + std::string{found.text(i, 0)} +
                                 " cannot be read: " + record.error().message);
      records.emplace(found.number(i, 0), *std::move(record));
    }
  }
  template <class Record>
  static Record const* find(std::map<std::int64_t, Record> const& records, std::int64_t id) {
    auto const at = records.find(id);
    return at == records.end() ? nullptr : &at->second;
  }
  void write_all(bool nothing, std::string const& sql, std::vector<std::string> const& arrays) {
    if (!nothing) session_.run(sql, arrays);
  }
  /// Called while no other transaction creates records.
  void raise(std::string const& sequence, std::int64_t given) {
    if (given < 1) return;
    session_.run("SELECT setval('" + sequence + "', $1::bigint) FROM " + sequence +
                     " WHERE last_value - CASE WHEN is_called THEN 0 ELSE 1 END < $1::bigint",
                 {std::to_string(given)});
  }

  session& session_;
  std::map<std::int64_t, category> categories_;
  std::map<std::int64_t, pet> pets_;
  std::map<std::int64_t, order> orders_;
  std::set<std::string, std::less<>> names_;
  std::map<std::int64_t, std::int64_t> open_orders_;  ///< by animal
  std::vector<category const*> new_categories_;
  std::vector<pet const*> new_pets_;
  std::vector<order const*> new_orders_;
  std::vector<std::int64_t> newly_held_;
  ports::last_ids given_;
};

/// A record was refused: the transaction must be rolled back.
struct refusal {
  error why;
};

}  // namespace

result<void> import_records(session& s, std::vector<ports::import_record> const& records, std::size_t& fault_at) {
  auto const deadline = std::chrono::steady_clock::now() + lock_patience;
  try {
    in_transaction_until(deadline, s, "BEGIN ISOLATION LEVEL SERIALIZABLE", [&] {
      limit_lock_waits(s, lock_wait_max);
      if (s.has_table_locks()) s.run_all("LOCK TABLE categories, pets, orders IN EXCLUSIVE MODE");
      import_batch batch(s);
      batch.look_up(records);
      for (fault_at = 0; fault_at < records.size(); ++fault_at) {
        auto const checked = std::visit([&](auto const& record) { return batch.check(record); }, records[fault_at]);
        if (!checked) throw refusal{checked.error()};
      }
      batch.write();
    });
  } catch (refusal const& r) {
    return r.why;
  }
  return {};
}

}  // namespace petstore::storage::postgres
