// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "petstore/ports/store.hpp"

namespace petstore::storage {

/// Why a store directory cannot be opened: one sentence that names the directory and the cause.
struct open_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct lmdb_options {
  std::filesystem::path directory;
  /// Recorded when the store is created; an existing store of the other environment is refused. nullopt: whatever the
  /// store says (the command line's tools).
  std::optional<petstore::environment> environment;
  /// Of a store that has to be created, when `environment` leaves it open. Without both, none is created.
  std::optional<petstore::environment> environment_if_new = {};
  /// Takes the server's lock on the directory: a second server is refused, tools are not.
  bool serve = true;
  /// Address space, not disk: the size at which writes get 503. It is the server's to say: a tool takes the size that
  /// the file was given, since what it wrote beyond the server's size the server could not read.
  std::size_t map_bytes_max = std::size_t{64} << 30;
  std::size_t write_queue_max = 4096;  ///< writes waiting for the writer thread; more get 503
  /// Told of what operators should know (an fsync that failed, a damaged record, an upgrade). Any thread.
  std::function<void(std::string_view event, std::string_view detail)> report;
};

/// Opens or creates the embedded store, upgrades an older record format and refuses a newer one. Throws open_error.
std::unique_ptr<ports::store> open_lmdb_store(lmdb_options);

}  // namespace petstore::storage
