// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "connection_group.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/storage/rules/repetition.hpp"

/// Each read is one statement, so it reads one state of the store in one round trip.
namespace petstore::storage::postgres {

using damage_report = std::function<void(std::string_view)>;

/// The rows, or the error.
result<rows> rows_of(reply);

asio::awaitable<result<entity_tag>> read_record(connection_group&, record_kind, std::int64_t id, std::string& json);
asio::awaitable<result<ports::page_end>> list_records(connection_group&, list_query, std::string& json);

asio::awaitable<result<std::uint64_t>> read_keys_version(connection_group&);
asio::awaitable<result<key_directory>> read_keys(connection_group&, damage_report const&);
asio::awaitable<result<std::vector<audit_entry>>> read_audit_log(connection_group&, std::uint64_t after,
                                                                 std::uint32_t limit, damage_report const&);
asio::awaitable<result<std::uint64_t>> last_audit_entry(connection_group&);
/// nullopt: the creation was not done before.
asio::awaitable<result<std::optional<ports::stored>>> find_repetition(connection_group&, rules::repeatable,
                                                                      ports::idempotency const&, unix_ms now);

}  // namespace petstore::storage::postgres
