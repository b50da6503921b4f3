// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>

#include "connection_group.hpp"
#include "petstore/ports/store.hpp"

/// Each write looks up the records it concerns, lets `../rules` decide, and then runs one statement, which takes effect
/// only if those records have not changed; otherwise the write begins again. So no lock is held during a round trip,
/// and a read on another node sees the whole write or nothing of it.
namespace petstore::storage::postgres {

asio::awaitable<result<ports::stored>> create_pet(connection_group&, new_pet, bool require_known_category,
                                                  std::optional<ports::idempotency>, unix_ms now);
asio::awaitable<result<ports::stored>> update_pet(connection_group&, std::int64_t id, pet_patch,
                                                  bool require_known_category, etag_condition);
asio::awaitable<result<void>> delete_pet(connection_group&, std::int64_t id, etag_condition);
asio::awaitable<result<ports::stored>> create_category(connection_group&, new_category);

asio::awaitable<result<ports::stored>> create_order(connection_group&, new_order, std::optional<ports::idempotency>,
                                                    unix_ms now);
asio::awaitable<result<ports::stored>> update_order(connection_group&, std::int64_t id, order_patch, etag_condition,
                                                    unix_ms now);

asio::awaitable<result<key_change>> change_keys(connection_group&, key_command, unix_ms now, std::string actor,
                                                std::optional<ports::idempotency>);

}  // namespace petstore::storage::postgres
