// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "record_check.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "indexes.hpp"
#include "petstore/json.hpp"
#include "petstore/key_json.hpp"

namespace petstore::storage::lmdb {
namespace {

constexpr std::size_t id_size = sizeof(std::uint64_t);

class walk {
 public:
  walk(read_only& t, std::set<std::string> const& broken, fault_report const& report,
       std::function<void()> const& pause)
      : transaction_(t), broken_(broken), report_(report), pause_(pause) {}

  record_check run() {
    check_pets();
    check_categories();
    check_orders();
    check_answers();
    check_keys();
    check_usage();
    check_numbers();
    return result_;
  }

 private:
  bool is_sound(std::initializer_list<table> tables) const {
    return std::ranges::none_of(tables, [&](table t) { return broken_.contains(name_of(t)); });
  }

  void report_fault(table t, std::string_view key, std::string const& what) {
    report_(std::string{name_of(t)} + ": record " + text_of_key(key) + " " + what);
  }

  void count(std::uint64_t& counter) {
    constexpr std::uint64_t entries_between_pauses = 512;
    ++counter;
    if ((result_.records + result_.index_entries) % entries_between_pauses == 0) pause_();
  }

  /// Calls `visit(key, record)` with each undamaged record.
  template <class Visit>
  void visit_records(table t, Visit visit) {
    if (!is_sound({t})) return;
    auto entries = transaction_.cursor(t);
    for (bool more = entries.first(); more; more = entries.next()) {
      count(result_.records);
      try {
        visit(entries.key(), open_record(entries.value(), name_of(t), entries.key()));
      } catch (damaged_record const& damage) {
        report_(std::string{name_of(t)} + ": " + damage.what());
      }
    }
  }

  /// The same, decoded, for tables whose key is an id or a number that the record contains, too.
  template <class Record, class Number, class Visit>
  void visit_decoded(table t, result<Record> (*decode)(std::string_view), Number Record::*number, Visit visit) {
    visit_records(t, [&](std::string_view key, record_view const& stored) {
      auto const record = decode(stored.content);
      if (!record) return report_fault(t, key, "cannot be read: " + record.error().message);
      if (key != std::string_view{number_key{(*record).*number}}) return report_fault(t, key, "has another id in it");
      visit(*record, key);
    });
  }

  /// Checks one entry that a record must have in an index. `value` is its value; nullopt: not compared.
  void expect(table t, std::string_view key, table index, std::string_view entry, std::string_view value) {
    if (!is_sound({index})) return;
    auto const found = transaction_.find(index, entry);
    if (!found) return report_fault(t, key, std::string{"is missing in "} + name_of(index));
    if (*found != value) report_fault(t, key, std::string{"is another one in "} + name_of(index));
  }

  /// Checks that every entry of an index belongs to a record. `has_it` returns whether an existing record has this
  /// entry.
  template <class HasIt>
  void check_index(table index, table records, HasIt has_it) {
    if (!is_sound({index, records})) return;
    auto entries = transaction_.cursor(index);
    for (bool more = entries.first(); more; more = entries.next()) {
      count(result_.index_entries);
      if (has_it(entries.key(), entries.value())) continue;
      report_(std::string{name_of(index)} + ": entry " + text_of_key(entries.key()) + " belongs to no record of " +
              name_of(records));
    }
  }

  /// Returns the record of that key if it is undamaged; a damaged one is reported elsewhere.
  template <class Record>
  std::optional<Record> find(table t, std::string_view key, result<Record> (*decode)(std::string_view)) const {
    auto const value = transaction_.find(t, key);
    if (!value) return std::nullopt;
    try {
      auto record = decode(open_record(*value, name_of(t), key).content);
      if (record) return *std::move(record);
    } catch (damaged_record const&) {
    }
    return std::nullopt;
  }
  bool is_damaged(table t, std::string_view key) const {
    auto const value = transaction_.find(t, key);
    if (!value) return false;
    try {
      open_record(*value, name_of(t), key);
      return false;
    } catch (damaged_record const&) {
      return true;
    }
  }

  /// Checks every index of a kind, from its entries to the records.
  template <class Record>
  void check_indexes(result<Record> (*decode)(std::string_view)) {
    constexpr auto records = table_of(kind_of<Record>);
    for (auto const& in : indexes) {
      if (in.kind != kind_of<Record>) continue;
      check_index(in.entries, records, [&](std::string_view entry, std::string_view) {
        if (entry.size() < id_size) return false;
        auto const id = id_bytes_at_end(entry);
        auto const record = find(records, id, decode);
        if (!record) return is_damaged(records, id);  // of a damaged record this is not known
        auto const expected = index_key(in, *record);
        return expected && entry == std::string_view{*expected};
      });
    }
  }
  /// Checks from a record to its index entries.
  template <class Record>
  void expect_entries(Record const& record, std::string_view key) {
    for (auto const& in : indexes) {
      if (in.kind != kind_of<Record>) continue;
      if (auto const entry = index_key(in, record)) expect(table_of(in.kind), key, in.entries, *entry, {});
    }
  }

  void check_pets() {
    visit_decoded(table::pets, decode_json<pet>, &pet::id,
                  [&](pet const& p, std::string_view key) { expect_entries(p, key); });
    check_indexes(decode_json<pet>);
  }

  void check_categories() {
    visit_decoded(table::categories, decode_json<category>, &category::id,
                  [&](category const& c, std::string_view key) {
                    expect(table::categories, key, table::category_names, as_bytes(sha256(c.name)), key);
                  });
    check_index(table::category_names, table::categories, [&](std::string_view name, std::string_view id) {
      auto const c = find(table::categories, id, decode_json<category>);
      return c ? name == as_bytes(sha256(c->name)) : is_damaged(table::categories, id);
    });
  }

  void check_orders() {
    visit_decoded(table::orders, decode_json<order>, &order::id, [&](order const& o, std::string_view key) {
      expect_entries(o, key);
      if (!is_open(o.status)) return;
      number_key const animal{o.pet_id};
      expect(table::orders, key, table::open_orders, animal, key);
      if (!is_sound({table::pets}) || is_damaged(table::pets, animal)) return;
      auto const p = find(table::pets, animal, decode_json<pet>);
      if (!p) return report_fault(table::orders, key, "is open for an animal that does not exist");
      if (p->status != pet_status::pending)
        report_fault(table::orders, key, "is open for an animal that is not pending");
    });
    check_indexes(decode_json<order>);
    check_index(table::open_orders, table::orders, [&](std::string_view animal, std::string_view id) {
      auto const o = find(table::orders, id, decode_json<order>);
      if (!o) return is_damaged(table::orders, id);
      return is_open(o->status) && animal == std::string_view{number_key{o->pet_id}};
    });
  }

  void check_answers() {
    visit_records(table::answers, [&](std::string_view key, record_view const& stored) {
      auto const kept = read_answer(stored);
      if (!kept) return report_fault(table::answers, key, "is too short");
      expect(table::answers, key, table::answers_by_expiry, expiry_key(kept->expires_at, key), {});
    });
    check_index(table::answers_by_expiry, table::answers, [&](std::string_view entry, std::string_view) {
      if (entry.size() < id_size) return false;
      auto const key = entry.substr(id_size);
      auto const value = transaction_.find(table::answers, key);
      if (!value) return false;
      if (is_damaged(table::answers, key)) return true;
      auto const kept = read_answer(open_record(*value, name_of(table::answers), key));
      return !kept || entry == expiry_key(kept->expires_at, key);
    });
  }

  void check_keys() {
    visit_decoded(table::keys, decode_key_record, &key_record::number, [&](key_record const& k, std::string_view key) {
      expect(table::keys, key, table::key_digests, as_bytes(k.digest), key);
      if (is_sound({table::identities}) && !transaction_.find(table::identities, number_key{k.identity}))
        report_fault(table::keys, key, "belongs to an identity that does not exist");
    });
    visit_decoded(table::identities, decode_identity_record, &identity_record::number,
                  [](identity_record const&, std::string_view) {});
    visit_decoded(table::audit_log, decode_audit_entry, &audit_entry::sequence,
                  [](audit_entry const&, std::string_view) {});
    check_index(table::key_digests, table::keys, [&](std::string_view digest, std::string_view number) {
      auto const k = find(table::keys, number, decode_key_record);
      return k ? digest == as_bytes(k->digest) : is_damaged(table::keys, number);
    });
  }

  void check_usage() {
    check_sizes(table::key_usage, 2 * id_size, usage_value_size);
    check_sizes(table::key_last_uses, id_size, id_size);
  }
  /// Checks a table whose entries are counts, without a checksum.
  void check_sizes(table t, std::size_t key_size, std::size_t value_size) {
    if (!is_sound({t})) return;
    auto entries = transaction_.cursor(t);
    for (bool more = entries.first(); more; more = entries.next()) {
      count(result_.records);
      if (entries.key().size() != key_size || entries.value().size() != value_size)
        report_fault(t, entries.key(), "has another size");
    }
  }

  void check_numbers() {
    if (!is_sound({table::meta})) return;
    for (auto const& [name, t] : {std::pair{meta::last_pet, table::pets},
                                  {meta::last_category, table::categories},
                                  {meta::last_order, table::orders},
                                  {meta::last_key, table::keys},
                                  {meta::last_audit, table::audit_log}}) {
      if (!is_sound({t})) continue;
      auto entries = transaction_.cursor(t);
      if (!entries.last()) continue;
      if (entries.key() > std::string_view{key_of_highest(name, t)})
        report_fault(t, entries.key(),
                     "lies above the highest id ever given out, says " + std::string{name} + " in meta");
    }
  }

  /// Ids of records are signed, numbers of keys are not.
  number_key key_of_highest(std::string_view name, table t) const {
    auto const highest = transaction_.meta_number(name);
    bool const is_signed = t == table::pets || t == table::categories || t == table::orders;
    return is_signed ? number_key{static_cast<std::int64_t>(highest)} : number_key{highest};
  }

  read_only& transaction_;
  std::set<std::string> const& broken_;
  fault_report const& report_;
  std::function<void()> const& pause_;
  record_check result_;
};

}  // namespace

record_check check_records(read_only& t, std::set<std::string> const& broken, fault_report const& report,
                           std::function<void()> const& pause) {
  return walk(t, broken, report, pause).run();
}

}  // namespace petstore::storage::lmdb
