// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/asio/serial_executor.hpp"
#include "petstore/export.hpp"
#include "petstore/ports/open_error.hpp"
#include "petstore/ports/report.hpp"
#include "petstore/ports/store.hpp"

/// The store for many nodes: a pet store in a database of its own on a PostgreSQL server (13 or newer), or on a server
/// that speaks its protocol. Any number of processes may have it open.
namespace petstore::storage {

using ports::open_error;

/// The options of the store for many nodes.
struct PETSTORE_EXPORT postgres_options {
  /// A connection URI of libpq (PostgreSQL's manual, 34.1.1.2): several hosts, sslmode and other parameters are passed
  /// on. A server that takes no writes is skipped unless `target_session_attrs` says otherwise.
  std::string uri;
  /// Recorded when the store is created; an existing store of the other environment is refused. nullopt: accepts the
  /// environment of the store (for the tools of the command line).
  std::optional<petstore::environment> environment = {};
  /// The environment of a store that has to be created, if `environment` is nullopt. Without both, no store is created.
  std::optional<petstore::environment> environment_if_new = {};
  /// Upgrades an older schema; otherwise it is refused. A newer schema is always refused.
  bool migrate = true;
  /// The executors that serve. Each gets connections of its own; calls of coroutines on it are sent and answered there.
  /// The executor of an io_context, which one thread runs, stands for everything on that context, a strand for itself.
  /// Other calls use a thread of the store. The contexts of the executors must not end before `leave_executors` was
  /// called, and must outlive the store. Destroy the store when none of them runs any more.
  std::vector<serial_executor<>> executors = {};
  /// With more than one, the first is for reads, which then do not wait behind writes that wait for the disk.
  unsigned connections_per_thread = 2;
  /// The maximum number of requests in flight on one connection; further ones are `unavailable` at once.
  std::size_t in_flight_max = 512;
  /// How long the first connection may take, including all attempts, before opening fails. An upgrade of the schema may
  /// wait for locks of tables as long; while another node takes a step of it, this one waits.
  std::chrono::milliseconds open_timeout{10'000};
  /// How long one attempt to connect may take, including name resolution, which leaves time to connect: the answer to a
  /// longer look-up is there for the next attempt. Of several hosts, each has an equal share of the time that is left:
  /// one that does not answer within its share is skipped. An import or an export may take a second attempt.
  std::chrono::milliseconds connect_timeout{5'000};
  /// How long PostgreSQL may send nothing of the answer to a request; after that its connection is closed. The whole
  /// answer may take twelve times as long.
  std::chrono::milliseconds statement_timeout{5'000};
  /// How long PostgreSQL may send nothing on a connection that waits for an answer. After that, new requests are
  /// `unavailable` at once. Pending requests go on waiting, and the first answer ends the silence. Above 0.
  std::chrono::milliseconds silence_limit{1'000};
  /// How long a write whose answer was lost may wait until another connection has found its outcome.
  std::chrono::milliseconds outcome_timeout{5'000};
  /// Receives what operators should know (the server is unreachable, is reachable again, could lose acknowledged data).
  /// Any thread.
  ports::report_function report = {};
};

/// Opens the store, or creates it. Blocks until there is a connection. Throws open_error, or unavailable_error if
/// there is none within `open_timeout`.
[[nodiscard]] PETSTORE_EXPORT std::unique_ptr<ports::store> open_postgres_store(postgres_options);

/// The result of a migration.
struct PETSTORE_EXPORT schema_versions {
  int before = 0;  ///< 0: there was no schema
  int now = 0;     ///< the version that this program needs
};

/// Upgrades the schema; if several nodes do so at the same time, it happens once. Blocks. Throws as
/// open_postgres_store does.
PETSTORE_EXPORT schema_versions migrate_postgres(std::string const& uri);

/// Throws open_error if the URI is invalid, as far as this is known without connecting.
PETSTORE_EXPORT void validate_postgres_uri(std::string_view uri);

/// The URI without its password, for messages: the target that libpq would connect to.
PETSTORE_EXPORT std::string describe_postgres(std::string_view uri);

}  // namespace petstore::storage
