// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "migrations.hpp"

#include <string>

#include "faults.hpp"
#include "petstore/ports/open_error.hpp"

namespace petstore::storage::postgres {
namespace {

constexpr std::string_view undefined_table = "42P01";

/// A table, or its type, exists already.
bool is_already_there(server_fault const& f) {
  return f.state == "42P07" || f.state == "42710";
}

/// The row that every node locks. Two nodes that create the table at the same moment may both find that it does not
/// exist; the second one then fails, which is fine.
void make_version_row(session& s) {
  try {
    s.run_all(
        "CREATE TABLE IF NOT EXISTS schema_version (id smallint PRIMARY KEY CHECK (id = 1), version integer NOT NULL)");
  } catch (session_fault const& f) {
    if (!is_duplicate(f.fault) && !is_already_there(f.fault)) throw;
  }
  s.run_all("INSERT INTO schema_version (id, version) VALUES (1, 0) ON CONFLICT (id) DO NOTHING");
}

}  // namespace

int schema_version(session& s) {
  try {
    auto const row = s.run("SELECT version FROM schema_version WHERE id = 1");
    return row.empty() ? 0 : static_cast<int>(row.number(0, 0));
  } catch (session_fault const& f) {
    if (f.fault.state == undefined_table) return 0;
    throw;
  }
}

int migrate(session& s, std::chrono::steady_clock::time_point deadline) {
  int const before = schema_version(s);
  if (before == 0) make_version_row(s);
  bool up_to_date = before == newest_schema();
  auto const take_step = [&] {
    int const now = static_cast<int>(s.run("SELECT version FROM schema_version WHERE id = 1 FOR UPDATE").number(0, 0));
    if (now > newest_schema())
      throw ports::open_error("the schema has version " + std::to_string(now) + ", this program knows version " +
                              std::to_string(newest_schema()) + ": use a newer one");
    up_to_date = now == newest_schema();
    if (up_to_date) return;
    // Of tables; for the row, others wait as long as the step that holds it takes. Shorter than the time after which
    // nodes find the server silent.
    limit_lock_waits(s, std::chrono::milliseconds{500});
    s.run_all(std::string{migrations()[static_cast<std::size_t>(now)].sql});
    s.run("UPDATE schema_version SET version = version + 1 WHERE id = 1");
  };
  while (!up_to_date) in_transaction_until(deadline, s, "BEGIN", take_step);
  return before;
}

}  // namespace petstore::storage::postgres
