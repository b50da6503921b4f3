// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <vector>

#include "petstore/ports/store.hpp"
#include "session.hpp"

/// What moves many records: by a session of its own and calls that block, off the threads that serve. Throw
/// session_fault.
namespace petstore::storage::postgres {

/// In one transaction, which holds off other writers so that the sequences can be raised without giving an id twice.
result<void> import_records(session&, std::vector<ports::import_record> const&, std::size_t& fault_at);

/// The same for keys, which come all or not at all.
result<void> import_keys(session&, ports::key_archive const&);

/// One state of the shop, row by row.
void export_records(session&, ports::export_sink&);

}  // namespace petstore::storage::postgres
