// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "usage.hpp"

#include <algorithm>

namespace petstore::storage::lmdb {
namespace {

using std::chrono::sys_days;

/// More old entries wait for the next call, so that no transaction becomes long.
constexpr int removals_max = 1'000;

/// As many rows take at most the space of one other write, unless they are far apart.
constexpr std::size_t rows_per_claim = 1'000;

number_key key_of(sys_days day, std::uint64_t key) {
  number_key of_day{std::int64_t{day.time_since_epoch().count()}};
  append_big_endian(of_day, key);
  return of_day;
}

/// An entry that is none of this table counts as empty; `check` reports it.
ports::usage_of_day usage_in(sys_days day, std::optional<std::string_view> value) {
  if (!value || value->size() != usage_value_size) return {.day = day};
  return {.day = day,
          .admitted = read_big_endian<std::uint64_t>(*value),
          .refused = read_big_endian<std::uint64_t>(value->substr(sizeof(std::uint64_t)))};
}

unix_ms time_in(std::optional<std::string_view> value) {
  if (!value || value->size() != sizeof(std::uint64_t)) return {};
  return unix_ms{std::chrono::milliseconds{id_at_end(*value)}};
}

void add(write_transaction& t, ports::usage_of_key const& row) {
  auto const key = key_of(row.day, row.key);
  auto const before = usage_in(row.day, t.find(table::key_usage, key));
  number_key sum{before.admitted + row.admitted};
  append_big_endian(sum, before.refused + row.refused);
  t.put(table::key_usage, key, sum);

  number_key const number{row.key};
  auto const last = std::max(row.last_used, time_in(t.find(table::key_last_uses, number)));
  t.put(table::key_last_uses, number, number_key{std::int64_t{last.time_since_epoch().count()}});
}

/// Whether a key was used between two weeks and one week before the day. If not, the clock may have jumped: a clock
/// that is wrong for some days must not have all earlier days removed.
bool is_plausible(write_transaction const& t, sys_days day) {
  constexpr std::chrono::weeks week{1};
  auto const earlier = t.find_after(table::key_usage, key_of(day - 2 * week, 0));
  return earlier && earlier->first < std::string_view{key_of(day - week, 0)};
}

void remove_days_before(write_transaction& t, sys_days day) {
  auto const end = key_of(day, 0);
  for (int i = 0; i < removals_max; ++i) {
    auto const oldest = t.find_first(table::key_usage);
    if (!oldest || oldest->first >= std::string_view{end}) return;
    t.remove(table::key_usage, std::string{oldest->first});
  }
}

}  // namespace

result<void> add_usage(write_transaction& t, ports::usage_batch const& batch) {
  if (batch.rows.empty()) return {};
  for (std::size_t i = 0; i <= batch.rows.size() / rows_per_claim; ++i) t.claim_space();
  for (auto const& row : batch.rows) add(t, row);
  auto const newest = std::ranges::max(batch.rows, {}, &ports::usage_of_key::day).day;
  if (is_plausible(t, newest)) remove_days_before(t, newest - ports::usage_kept);
  return {};
}

std::vector<ports::usage_of_day> read_usage(reader const& r, std::uint64_t key, sys_days first, sys_days last) {
  std::vector<ports::usage_of_day> found;
  for (auto day = first; day <= last; day += std::chrono::days{1})
    if (auto const value = r.find(table::key_usage, key_of(day, key))) found.push_back(usage_in(day, value));
  return found;
}

std::vector<ports::last_use> read_last_uses(reader& r, std::uint64_t first_key, std::uint64_t last_key) {
  std::vector<ports::last_use> found;
  auto entries = r.cursor(table::key_last_uses);
  for (bool more = entries.seek(number_key{first_key}); more; more = entries.next()) {
    if (entries.key().size() != sizeof(std::uint64_t)) continue;
    auto const key = read_big_endian<std::uint64_t>(entries.key());
    if (key > last_key) break;
    found.push_back({key, time_in(entries.value())});
  }
  return found;
}

}  // namespace petstore::storage::lmdb
