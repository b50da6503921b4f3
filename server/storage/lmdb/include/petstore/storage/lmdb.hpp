// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/ports/open_error.hpp"
#include "petstore/ports/report.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::storage {

using ports::open_error;

/// The options of the embedded store.
struct PETSTORE_EXPORT lmdb_options {
  /// The directory of this store alone, on a local disk; it is made if there is none. It holds the data and lock files.
  std::filesystem::path directory;
  /// Recorded when the store is created; an existing store of the other environment is refused. nullopt: accepts the
  /// environment of the store (for the tools of the command line).
  std::optional<petstore::environment> environment = {};
  /// The environment of a store that has to be created, if `environment` is nullopt. Without both, no store is created.
  std::optional<petstore::environment> environment_if_new = {};
  /// Takes the server's lock on the directory: a second server is refused, tools are not.
  bool serve = true;
  /// The size at which writes get 503, as address space, not as disk space. Only the server sets it: a tool takes the
  /// size that is stored in the file, since the server could not read what a tool wrote beyond it.
  std::size_t map_bytes_max = std::size_t{64} << 30;
  /// The maximum number of writes that wait for the writer's thread, and the maximum time until the last of them
  /// begins, estimated from the present duration of commits. More writes get 503 at once. The writes of one commit may
  /// always wait.
  std::size_t write_queue_max = 4096;
  /// See write_queue_max.
  std::chrono::milliseconds write_wait_max{500};
  /// Receives what operators should know (a failed fsync, a damaged record, an upgrade). Called from any thread.
  ports::report_function report = {};
};

/// Opens or creates the embedded store, upgrades an older record format and refuses a newer one. Blocks, for the whole
/// duration of an upgrade. Throws open_error, or unavailable_error while a server has it open or the disk is full.
///
/// The store has one thread, which writes. It puts the queued writes into one transaction, waits for the disk once, and
/// answers them together, each on its caller's executor. Reads run at once on the calling thread, and wait for the disk
/// if a page is not in memory; so do the reads of keys and of the audit log. `export_records` blocks until it is done.
/// If a commit fails and it is unknown what is on disk, nothing more is written: writes are `unavailable` until the
/// process restarts.
///
/// The destructor executes and answers the queued writes, joins the thread and releases the directory; it blocks for
/// that time. No call may begin then. Executors that wait for an answer must outlive the store.
[[nodiscard]] PETSTORE_EXPORT std::unique_ptr<ports::store> open_lmdb_store(lmdb_options);

/// Checks whether `open_lmdb_store` would take what is in the directory, and changes nothing: that it is a store of
/// this program, of the environment in the options, and in no newer format, or that a store can be made there. A server
/// may run meanwhile. Throws open_error.
PETSTORE_EXPORT void validate_lmdb_store(lmdb_options const&);

}  // namespace petstore::storage
