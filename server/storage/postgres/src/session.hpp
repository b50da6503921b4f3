// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "address.hpp"
#include "connect_attempt.hpp"
#include "faults.hpp"

namespace petstore::storage::postgres {

/// A statement failed; without a state, the connection failed.
struct session_fault : std::runtime_error {
  explicit session_fault(server_fault f) : std::runtime_error(f.message), fault(std::move(f)) {}
  server_fault fault;
};

/// A connection for plain blocking calls: for opening, migrations, imports and exports. Values are text. One thread at
/// a time.
class session {
 public:
  /// Throws session_fault.
  session(address const&, blocking_resolver&, std::chrono::milliseconds connect_timeout);

  class table {
   public:
    explicit table(PGresult* r) noexcept : result_(r, &PQclear) {}
    int count() const noexcept { return PQntuples(result_.get()); }
    bool empty() const noexcept { return count() == 0; }
    std::string_view text(int row, int column) const noexcept {
      return {PQgetvalue(result_.get(), row, column),
              static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
    }
    std::int64_t number(int row, int column) const { return std::stoll(std::string{text(row, column)}); }
    std::int64_t affected() const { return std::stoll(std::string{"0"} + PQcmdTuples(result_.get())); }

   private:
    std::unique_ptr<PGresult, decltype(&PQclear)> result_;
  };

  /// Runs one statement with parameters, or several without. Both throw session_fault.
  table run(std::string const& sql, std::vector<std::string> const& parameters = {});
  void run_all(std::string const& sql);
  /// Returns false if the connection has ended, and the transaction with it.
  bool roll_back() noexcept;
  /// Passes on row by row as they arrive. `take` returns false to end it.
  void stream(std::string const& sql, std::function<bool(table const&)> const& take);

  /// CockroachDB and YugabyteDB speak PostgreSQL's protocol, but do not support locks on whole tables.
  bool has_table_locks() const noexcept;

 private:
  PGresult* check(PGresult*);

  owned_connection connection_;
};

/// Runs `work` in a transaction that begins with `begin`, and again from the start if another transaction was in the
/// way. An exception of `work` rolls back and is passed on; so is any other session_fault. When the connection ends
/// before the commit, its state is 08006: nothing is changed. When it ends with the commit, it has no state: the
/// outcome is unknown.
void in_transaction(session&, std::string const& begin, std::function<void()> const& work);
inline constexpr int transaction_attempts_max = 10;

/// Limits how long the rest of a transaction waits for a lock, since those who come later wait behind it.
void limit_lock_waits(session&, std::chrono::milliseconds longest);
/// The same as in_transaction; when a lock was not there in time, again after a pause for those who waited behind it,
/// until the deadline.
void in_transaction_until(std::chrono::steady_clock::time_point deadline, session&, std::string const& begin,
                          std::function<void()> const& work);

/// An array literal in PostgreSQL's format.
class array_text {
 public:
  void add(std::string_view element);
  void add(std::int64_t element);
  std::string to_text() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

}  // namespace petstore::storage::postgres
