// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <span>
#include <string_view>

#include "session.hpp"

namespace petstore::storage::postgres {

/// One step of the schema, from version n-1 to n: the n-th of `migrations`.
struct migration {
  std::string_view name;
  std::string_view sql;
};

/// All steps, from the first; their number is the version that this program knows.
std::span<migration const> migrations() noexcept;

inline int newest_schema() noexcept {
  return static_cast<int>(migrations().size());
}

/// The version in the database; 0: it has no store.
int schema_version(session&);

/// Applies the missing steps, each in a transaction that holds the row of the version; returns the version before.
/// While another node takes a step, this waits for its end, whatever the deadline. A step that meets the lock of a
/// table begins again until the deadline: while it waits for the table, everything that needs the table waits behind
/// it. Throws open_error when the schema is newer than this program.
int migrate(session&, std::chrono::steady_clock::time_point deadline);

}  // namespace petstore::storage::postgres
