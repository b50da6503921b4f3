// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>

#include "free_space.hpp"
#include "petstore/ports/store.hpp"
#include "readers.hpp"

/// Reads, each in the reader's state. JSON is copied from the file into the caller's string.
namespace petstore::storage::lmdb {

result<entity_tag> read_record(reader&, record_kind, std::int64_t id, std::string& json);

/// Receives each record that was left out because it is damaged.
using damage_report = std::function<void(damaged_record const&)>;

/// A damaged record is left out of the list and reported; otherwise no client could list the records after it.
ports::page_end list_records(reader&, list_query const&, std::string& json, damage_report const&);

void export_records(reader&, ports::export_sink&, reading_allowance);

// The same: a damaged key must not keep a server from knowing the others.
key_directory read_keys(reader&, damage_report const&);
std::vector<audit_entry> read_audit_log(reader&, std::uint64_t after_sequence, std::uint32_t limit,
                                        damage_report const&);

}  // namespace petstore::storage::lmdb
