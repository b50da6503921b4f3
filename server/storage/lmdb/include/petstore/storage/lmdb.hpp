// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/ports/open_error.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::storage {

using ports::open_error;

/// How the embedded store is opened.
struct PETSTORE_EXPORT lmdb_options {
  /// On a local disk, of this store alone; made where there is none. Beside the data it holds locks.
  std::filesystem::path directory;
  /// Recorded when the store is created; an existing store of the other environment is refused. nullopt: whatever the
  /// store says (the command line's tools).
  std::optional<petstore::environment> environment = {};
  /// Of a store that has to be created, when `environment` leaves it open. Without both, none is created.
  std::optional<petstore::environment> environment_if_new = {};
  /// Takes the server's lock on the directory: a second server is refused, tools are not.
  bool serve = true;
  /// Address space, not disk: the size at which writes get 503. It is the server's to say: a tool takes the size that
  /// the file was given, since what it wrote beyond the server's size the server could not read.
  std::size_t map_bytes_max = std::size_t{64} << 30;
  /// Writes that wait for the writer's thread, and how long the last of them may have to wait until it is begun, by
  /// what commits take at present. More get 503 at once. The writes of one commit may always wait.
  std::size_t write_queue_max = 4096;
  /// See write_queue_max.
  std::chrono::milliseconds write_wait_max{500};
  /// Told of what operators should know (an fsync that failed, a damaged record, an upgrade). Any thread.
  std::function<void(std::string_view event, std::string_view detail)> report = {};
};

/// Opens or creates the embedded store, upgrades an older record format and refuses a newer one. Blocks, for as long as
/// an upgrade takes. Throws open_error.
///
/// The store has one thread, which writes: what has queued up becomes one transaction, waits for the disk once and is
/// answered together, each on the executor that asked. Reads run at once on the thread that asks, and wait for the disk
/// where a page is not in memory; so do the keys and the audit log. `export_records` blocks until it is done. After a
/// commit that failed in such a way that nobody knows what is on disk nothing more is written: writes are `unavailable`
/// until the process starts anew.
///
/// The destructor does and answers the writes that are queued, joins the thread and frees the directory; it blocks that
/// long. Nobody may begin a call then, and executors that wait for an answer outlive the store.
PETSTORE_EXPORT std::unique_ptr<ports::store> open_lmdb_store(lmdb_options);

}  // namespace petstore::storage
