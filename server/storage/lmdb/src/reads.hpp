// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/ports/store.hpp"
#include "readers.hpp"

/// Reads, each in the state that the reader shows. JSON is copied from the file into the caller's string.
namespace petstore::storage::lmdb {

/// `records` is one of pets, categories, orders.
result<entity_tag> read_record(reader&, table records, std::int64_t id, std::string& json);

ports::page_end list_pets(reader&, ports::pet_query const&, std::string& json);
ports::page_end list_categories(reader&, ports::category_query const&, std::string& json);
ports::page_end list_orders(reader&, ports::order_query const&, std::string& json);

void export_records(reader&, ports::export_sink&);

key_directory read_keys(reader&);
std::vector<audit_entry> read_audit_log(reader&, std::uint64_t after_sequence, std::uint32_t limit);

}  // namespace petstore::storage::lmdb
