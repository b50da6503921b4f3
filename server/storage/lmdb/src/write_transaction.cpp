// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "write_transaction.hpp"

#include <algorithm>
#include <array>

#include "free_space.hpp"
#include "indexes.hpp"
#include "petstore/json.hpp"

namespace petstore::storage::lmdb {
namespace {

MDB_txn* begin_writing(database const& d) {
  MDB_txn* handle = nullptr;
  check(mdb_txn_begin(d.handle(), nullptr, 0, &handle), "begin to write");
  return handle;
}

template <class Record>
std::optional<rules::present<Record>> find_present(write_transaction const& t, table records, std::int64_t id,
                                                   result<Record> (*decode)(std::string_view)) {
  number_key const key{id};
  auto const stored = t.find_record(records, key);
  if (!stored) return std::nullopt;
  return rules::present<Record>{.record = decode_record(*stored, records, key, decode), .tag = stored->tag};
}

}  // namespace

write_transaction::write_transaction(database const& d) : transaction(d, begin_writing(d)) {}

write_transaction::~write_transaction() {
  if (handle_) mdb_txn_abort(handle_);
}

int write_transaction::commit() noexcept {
  return mdb_txn_commit(std::exchange(handle_, nullptr));
}

void write_transaction::claim_space() {
  // LMDB does not report what this transaction has taken so far.
  auto const reserve = pages_in_reserve(database_);
  auto const per_write = pages_per_write(database_);
  if (!pages_left_) pages_left_ = lmdb::pages_left(database_, reserve + writes_per_transaction_max * per_write);
  if (*pages_left_ < reserve) throw mdb_fault(MDB_MAP_FULL, "take space (what is left is kept for deletions)");
  *pages_left_ -= std::min(*pages_left_, per_write);
}

void write_transaction::open_table(database& d, table t) {
  d.open_table(handle_, t, MDB_CREATE);
}

std::optional<write_transaction::entry> write_transaction::find_first(table t) const {
  auto const handle = open_cursor(t);
  cursor entries(handle.get(), t);
  if (!entries.first()) return std::nullopt;
  return entry{entries.key(), entries.value()};
}

std::optional<write_transaction::entry> write_transaction::find_after(table t, std::string_view key) const {
  auto const handle = open_cursor(t);
  cursor entries(handle.get(), t);
  bool const found = entries.seek(key) && (entries.key() != key || entries.next());
  if (!found) return std::nullopt;
  return entry{entries.key(), entries.value()};
}

write_transaction::owned_cursor write_transaction::open_cursor(table t) const {
  MDB_cursor* handle = nullptr;
  check(mdb_cursor_open(handle_, database_[t], &handle), "open a cursor");
  return {handle, &mdb_cursor_close};
}

// Both use a cursor that is closed when an assertion of LMDB fails. One that mdb_put or mdb_del has on its stack would
// stay in the list of the transaction.

void write_transaction::put(table t, std::string_view key, std::string_view value) {
  auto const handle = open_cursor(t);
  auto k = to_val(key);
  auto v = to_val(value);
  check(mdb_cursor_put(handle.get(), &k, &v, 0), "store a record");
}

void write_transaction::remove(table t, std::string_view key) {
  auto const handle = open_cursor(t);
  auto k = to_val(key);
  MDB_val found;
  check(mdb_cursor_get(handle.get(), &k, &found, MDB_SET), "remove a record");
  check(mdb_cursor_del(handle.get(), 0), "remove a record");
}

void write_transaction::put_meta(std::string_view name, std::uint64_t value) {
  put(table::meta, name, number_key{value});
}

entity_tag write_transaction::put_record(table t, std::string_view key, std::uint64_t revision,
                                         std::string_view content) {
  auto const tag = make_record(value_, revision, content);
  put(t, key, value_);
  return tag;
}

std::optional<rules::present<pet>> write_transaction::find_pet(std::int64_t id) const {
  return find_present(*this, table::pets, id, decode_json<pet>);
}

std::optional<rules::present<category>> write_transaction::find_category(std::int64_t id) const {
  return find_present(*this, table::categories, id, decode_json<category>);
}

std::optional<rules::present<order>> write_transaction::find_order(std::int64_t id) const {
  return find_present(*this, table::orders, id, decode_json<order>);
}

std::optional<std::int64_t> write_transaction::find_category_of_name(std::string_view name) const {
  auto const id = find(table::category_names, as_bytes(sha256(name)));
  return id ? std::optional{id_at_end(*id)} : std::nullopt;
}

std::optional<std::int64_t> write_transaction::find_open_order(std::int64_t pet) const {
  auto const id = find(table::open_orders, number_key{pet});
  return id ? std::optional{id_at_end(*id)} : std::nullopt;
}

ports::stored write_transaction::put_pet(rules::present<pet> const* before, pet const& p) {
  update_indexes(before ? &before->record : nullptr, &p);
  if (!before) raise_last_id(meta::last_pet, p.id);
  return store(table::pets, p, before ? before->tag.revision + 1 : 1);
}

ports::stored write_transaction::put_category(category const& c) {
  raise_last_id(meta::last_category, c.id);
  put(table::category_names, as_bytes(sha256(c.name)), number_key{c.id});  // a name may be longer than a key
  return store(table::categories, c, 1);
}

ports::stored write_transaction::put_order(rules::present<order> const* before, order const& o) {
  update_indexes(before ? &before->record : nullptr, &o);
  if (before && is_open(before->record.status)) remove(table::open_orders, number_key{o.pet_id});
  if (is_open(o.status)) put(table::open_orders, number_key{o.pet_id}, number_key{o.id});
  if (!before) raise_last_id(meta::last_order, o.id);
  return store(table::orders, o, before ? before->tag.revision + 1 : 1);
}

void write_transaction::remove_pet(pet const& p) {
  update_indexes<pet>(&p, nullptr);
  remove(table::pets, number_key{p.id});
}

void write_transaction::remove_expired_answers(unix_ms now) {
  std::array<std::string, rules::expired_answers_per_write> expired;
  std::size_t count = 0;
  {
    auto const handle = open_cursor(table::answers_by_expiry);
    cursor entries(handle.get(), table::answers_by_expiry);
    auto const end = expiry_key(now, {});
    for (bool more = entries.first(); more && count < expired.size(); more = entries.next()) {
      if (entries.key().substr(0, end.size()) > end) break;
      expired[count++] = entries.key();
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    remove(table::answers_by_expiry, expired[i]);
    remove(table::answers, std::string_view{expired[i]}.substr(sizeof(std::uint64_t)));
  }
}

void write_transaction::raise_last_id(std::string_view sequence, std::int64_t id) {
  if (id > last_id(sequence)) put_meta(sequence, static_cast<std::uint64_t>(id));
}

template <class Record>
ports::stored write_transaction::store(table t, Record const& record, std::uint64_t revision) {
  ports::stored answer{.id = record.id, .tag = {}, .json = to_json(record), .replayed = false};
  answer.tag = put_record(t, number_key{record.id}, revision, answer.json);
  return answer;
}

template <class Record>
void write_transaction::update_indexes(Record const* before, Record const* after) {
  for (auto const& in : indexes) {
    if (in.kind != kind_of<Record>) continue;
    auto const old_key = before ? index_key(in, *before) : std::nullopt;
    auto const new_key = after ? index_key(in, *after) : std::nullopt;
    if (old_key == new_key) continue;
    if (old_key) remove(in.entries, *old_key);
    if (new_key) put(in.entries, *new_key, {});
  }
}

}  // namespace petstore::storage::lmdb
