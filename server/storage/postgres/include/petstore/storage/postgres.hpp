// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/ports/open_error.hpp"
#include "petstore/ports/store.hpp"

/// The store of many nodes: one shop in a database of its own on a PostgreSQL server (13 or newer), or on what speaks
/// its protocol. Any number of processes may have it open.
namespace petstore::storage {

using ports::open_error;

/// How the shop of many nodes is opened.
struct PETSTORE_EXPORT postgres_options {
  /// As libpq takes it (PostgreSQL's manual, 34.1.1.2): several hosts, sslmode and the like are passed on. A server
  /// that takes no writes is passed over unless `target_session_attrs` says otherwise.
  std::string uri;
  /// Recorded when the shop is created; an existing shop of the other environment is refused. nullopt: whatever the
  /// shop says (the command line's tools).
  std::optional<petstore::environment> environment = {};
  /// Of a shop that has to be created, when `environment` leaves it open. Without both, none is created.
  std::optional<petstore::environment> environment_if_new = {};
  /// Brings an older schema up to date. A newer one is refused either way.
  bool migrate = true;
  /// One for each thread that serves: each gets connections of its own, and what is called from there is sent and
  /// answered there. What is called from elsewhere goes by a thread of the store's. Each executor's context runs on one
  /// thread, does not end before `leave_executors` was called, and outlives the store, which is taken down when none of
  /// them runs any more.
  std::vector<boost::asio::any_io_executor> executors = {};
  /// With more than one, the first is for reads, which then do not wait behind the disk that writes wait for.
  unsigned connections_per_thread = 2;
  /// Requests that are on their way on one connection; one more is `unavailable` at once.
  std::size_t in_flight_max = 512;
  /// How long the first connection may take, all attempts together, before opening fails.
  std::chrono::milliseconds open_timeout{10'000};
  /// How long one attempt to connect may take, name resolution included.
  std::chrono::milliseconds connect_timeout{5'000};
  /// How long a request may take; when one takes longer, its connection is closed.
  std::chrono::milliseconds statement_timeout{5'000};
  /// How long PostgreSQL may say nothing on a connection that waits for an answer, before new requests are
  /// `unavailable` at once. What is under way waits on, and the first answer ends it. Above 0.
  std::chrono::milliseconds silence_limit{1'000};
  /// How long a write whose answer was lost may wait until another connection tells what became of it.
  std::chrono::milliseconds outcome_timeout{5'000};
  /// Told of what operators should know (the server is gone, is back, would lose what it acknowledged). Any thread.
  std::function<void(std::string_view event, std::string_view detail)> report = {};
};

/// Opens the shop, or creates it. Blocks until there is a connection. Throws open_error.
PETSTORE_EXPORT std::unique_ptr<ports::store> open_postgres_store(postgres_options);

/// What a migration did.
struct PETSTORE_EXPORT schema_versions {
  int before = 0;  ///< 0: there was none
  int now = 0;     ///< what this program needs
};

/// Brings the schema up to date; nodes that do so at the same time do it once. Blocks. Throws open_error.
PETSTORE_EXPORT schema_versions migrate_postgres(std::string const& uri);

/// Throws open_error when the URI is not one, as far as can be said without connecting.
PETSTORE_EXPORT void judge_postgres_uri(std::string_view uri);

/// The URI without its password, for people: what libpq would connect to.
PETSTORE_EXPORT std::string describe_postgres(std::string_view uri);

}  // namespace petstore::storage
