// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/ports/store.hpp"
#include "write_transaction.hpp"

/// The writes of the store, each within a transaction that it may share with others. A returned refusal has changed
/// nothing; after an exception the transaction must be aborted.
namespace petstore::storage::lmdb {

result<ports::stored> create_pet(write_transaction&, new_pet const&, bool require_known_category,
                                 std::optional<ports::idempotency> const&, unix_ms now);
result<ports::stored> update_pet(write_transaction&, std::int64_t id, pet_patch const&, bool require_known_category,
                                 etag_condition const&);
result<void> delete_pet(write_transaction&, std::int64_t id, etag_condition const&);
result<ports::stored> create_category(write_transaction&, new_category const&);
result<ports::stored> create_order(write_transaction&, new_order const&, std::optional<ports::idempotency> const&,
                                   unix_ms now);
result<ports::stored> update_order(write_transaction&, std::int64_t id, order_patch const&, etag_condition const&,
                                   unix_ms now);

result<key_change> change_keys(write_transaction&, key_command const&, unix_ms now, std::string const& actor,
                               std::optional<ports::idempotency> const&);

/// Writes to find out whether there is space again, in the map and on the disk; and frees some.
result<void> try_for_space(write_transaction&, unix_ms now);

/// The exception to the steps look up, decide, change: later records depend on earlier ones. The transaction must be
/// aborted after a refusal, too.
result<void> import_records(write_transaction&, std::vector<ports::import_record> const&, std::size_t& fault_at);

/// Imports keys into a store that never had a key. Reads every existing key.
result<void> import_keys(write_transaction&, ports::key_archive const&);

}  // namespace petstore::storage::lmdb
