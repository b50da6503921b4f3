// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "tables.hpp"
#include "transfer.hpp"

namespace petstore::storage::postgres {
namespace {

std::uint64_t count(session& s, char const* table) {
  return static_cast<std::uint64_t>(s.run(std::string{"SELECT count(*) FROM "} + table).number(0, 0));
}

/// A sequence belongs to no transaction: its value may be higher than that of the snapshot, but never lower.
std::int64_t last_given(session& s, char const* sequence) {
  auto const row = s.run(std::string{"SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END FROM "} + sequence);
  return row.number(0, 0);
}

}  // namespace

void export_records(session& s, ports::export_sink& sink) {
  s.run_all("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    ports::export_summary summary;
    summary.categories = count(s, "categories");
    summary.pets = count(s, "pets");
    summary.orders = count(s, "orders");
    summary.given = {.category = last_given(s, "category_ids"),
                     .pet = last_given(s, "pet_ids"),
                     .order = last_given(s, "order_ids")};
    sink.begin(summary);
    bool wanted = true;
    for (auto const& t : record_tables) {
      if (!wanted) break;
      s.stream(std::string{"SELECT json FROM "} + t.name + " ORDER BY id",
               [&](session::table const& row) { return wanted = sink.take(t.kind, row.text(0, 0)); });
    }
  } catch (...) {
    s.roll_back();
    throw;
  }
  s.roll_back();
}

}  // namespace petstore::storage::postgres
