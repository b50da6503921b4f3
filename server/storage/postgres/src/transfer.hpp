// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <vector>

#include "petstore/ports/store.hpp"
#include "session.hpp"

/// Moves many records, with a session of its own and blocking calls, not on the threads that serve. The functions throw
/// session_fault.
namespace petstore::storage::postgres {

/// In one transaction, which locks out other writers so that the sequences can be raised without using an id twice.
result<void> import_records(session&, std::vector<ports::import_record> const&, std::size_t& fault_at);

/// The same for keys; all are imported, or none.
result<void> import_keys(session&, ports::key_archive const&);

/// Exports one state of the store, row by row.
void export_records(session&, ports::export_sink&);

}  // namespace petstore::storage::postgres
