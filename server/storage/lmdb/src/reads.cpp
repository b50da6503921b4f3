// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "reads.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <stdexcept>

#include "indexes.hpp"
#include "petstore/key_json.hpp"

namespace petstore::storage::lmdb {
namespace {

/// The entries of a list: all keys of a table with this prefix, each ending in the record's id.
struct range {
  table entries;
  number_key prefix;
};

range range_of(list_query const& q) {
  auto const filters = bits_of(q.filters);
  if (filters == 0) return {table_of(q.kind), {}};
  auto const found =
      std::ranges::find_if(indexes, [&](index const& in) { return in.kind == q.kind && in.filters == filters; });
  if (found == std::end(indexes)) throw std::logic_error{"there is no index by these filters"};
  return {found->entries, index_prefix(*found, q.filters)};
}

[[noreturn]] void throw_missing(table index, table records, std::string_view id) {
  throw damaged_record(std::string{name_of(index)} + " names record " + std::to_string(id_at_end(id)) + " of " +
                       name_of(records) + ", which is missing");
}

/// Whether `read` succeeds without a damaged record.
template <class Read>
bool is_sound(Read read, damage_report const& report) {
  try {
    read();
    return true;
  } catch (damaged_record const& damage) {
    report(damage);
    return false;
  }
}

/// The elements of a JSON array, written together: growing the text for each element and each comma costs more than
/// copying them.
class elements {
 public:
  explicit elements(std::string& json) noexcept : json_{json} {}

  void add(std::string_view element) {
    if (count_ == views_.size()) write();
    views_[count_++] = element;
    size_ += element.size() + 1;
  }
  /// Must be called while the views are valid.
  void write() {
    auto const begin = json_.size();
    json_.resize(begin + size_);
    char* at = json_.data() + begin;
    for (auto const element : std::span{views_}.first(count_)) {
      at = std::copy(element.begin(), element.end(), at);
      *at++ = ',';
    }
    count_ = size_ = 0;
  }

 private:
  std::string& json_;
  std::array<std::string_view, 32> views_;
  std::size_t count_ = 0;
  std::size_t size_ = 0;
};

/// The next records of the table, decoded, from the position of the cursor.
template <class Record>
std::vector<Record> decode_from(cursor& entries, bool more, std::size_t limit, table t,
                                result<Record> (*decode)(std::string_view), damage_report const& report) {
  std::vector<Record> all;
  for (; more && all.size() < limit; more = entries.next()) {
    auto const read = [&] {
      auto const stored = open_record(entries.value(), name_of(t), entries.key());
      all.push_back(decode_record(stored, t, entries.key(), decode));
    };
    is_sound(read, report);
  }
  return all;
}

template <class Record>
std::vector<Record> decode_all(reader& r, table t, result<Record> (*decode)(std::string_view),
                               damage_report const& report) {
  auto entries = r.cursor(t);
  return decode_from(entries, entries.first(), std::numeric_limits<std::size_t>::max(), t, decode, report);
}

/// The cost does not depend on how few records match: it steps through matching entries only.
ports::page_end read_list(reader& r, list_query const& q, std::string& json, damage_report const& report) {
  auto const records = table_of(q.kind);
  auto const matching = range_of(q);
  ports::page_end end;
  json.push_back('[');
  elements listed{json};
  auto entries = r.cursor(matching.entries);
  std::optional<cursor> by_id;  // over the records, where `entries` is an index
  if (matching.entries != records) by_id = r.cursor(records);

  std::string_view const prefix = matching.prefix;
  char const* const name = name_of(records);
  auto from = matching.prefix;
  std::string_view last;
  bool more = q.after != std::numeric_limits<std::int64_t>::max() && entries.seek(from.add(q.after + 1));
  for (; more && entries.key().starts_with(prefix); more = entries.next()) {
    if (end.count == q.limit) {
      end.next_after = q.limit == 0 ? q.after : id_at_end(last);
      break;
    }
    last = id_bytes_at_end(entries.key());
    auto const add = [&] {
      if (by_id && !by_id->find(last)) throw_missing(matching.entries, records, last);
      listed.add(open_record(by_id ? by_id->value() : entries.value(), name, last).content);
    };
    if (is_sound(add, report)) ++end.count;
  }
  listed.write();
  if (end.count == 0) {
    json.push_back(']');
  } else {
    json.back() = ']';  // replaces the last comma
  }
  return end;
}

}  // namespace

result<entity_tag> read_record(reader& r, record_kind kind, std::int64_t id, std::string& json) {
  auto const record = r.find_record(table_of(kind), number_key{id});
  if (!record) return error{.code = errc::not_found, .message = {}, .cause = {}};
  json.append(record->content);
  return record->tag;
}

ports::page_end list_records(reader& r, list_query const& q, std::string& json, damage_report const& report) {
  if (auto const* kept = r.lists().find(q)) {
    json.append(kept->json);
    return kept->end;
  }
  auto const begin = json.size();
  bool is_whole = true;
  auto const end = read_list(r, q, json, [&](damaged_record const& left_out) {
    is_whole = false;
    report(left_out);
  });
  if (is_whole) r.lists().offer(q, end, std::string_view{json}.substr(begin));
  return end;
}

void export_records(reader& r, ports::export_sink& sink, reading_allowance allowed) {
  sink.begin({.categories = r.count(table::categories),
              .pets = r.count(table::pets),
              .orders = r.count(table::orders),
              .given = {.category = static_cast<std::int64_t>(r.meta_number(meta::last_category)),
                        .pet = static_cast<std::int64_t>(r.meta_number(meta::last_pet)),
                        .order = static_cast<std::int64_t>(r.meta_number(meta::last_order))}});
  constexpr unsigned records_between_looks = 256;
  unsigned taken = 0;
  for (auto const kind : {record_kind::category, record_kind::pet, record_kind::order}) {
    auto const t = table_of(kind);
    auto entries = r.cursor(t);
    for (bool more = entries.first(); more; more = entries.next()) {
      if (!sink.take(kind, open_record(entries.value(), name_of(t), entries.key()).content)) return;
      if (++taken % records_between_looks == 0) allowed.check();
    }
  }
}

key_directory read_keys(reader& r, damage_report const& report) {
  return {.version = r.meta_number(meta::keys_version),
          .keys = decode_all(r, table::keys, decode_key_record, report),
          .identities = decode_all(r, table::identities, decode_identity_record, report)};
}

std::vector<audit_entry> read_audit_log(reader& r, std::uint64_t after_sequence, std::uint32_t limit,
                                        damage_report const& report) {
  if (after_sequence == std::numeric_limits<std::uint64_t>::max()) return {};
  auto entries = r.cursor(table::audit_log);
  bool const any = entries.seek(number_key{after_sequence + 1});
  return decode_from(entries, any, limit, table::audit_log, decode_audit_entry, report);
}

}  // namespace petstore::storage::lmdb
