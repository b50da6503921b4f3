// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <memory>

#include "database.hpp"
#include "directory.hpp"
#include "petstore/storage/lmdb.hpp"

namespace petstore::storage::lmdb {

/// The file of a store: checked, in the newest format, with every table open.
struct opened {
  file_descriptor serving;  ///< the server's lock; none for tools
  std::unique_ptr<lmdb::database> database;
  petstore::environment environment;
};

/// Throws open_error.
opened open(lmdb_options const&);

/// See validate_lmdb_store.
void validate(lmdb_options const&);

/// Opens the same file again, read-only and without LMDB's lock file, so that this process may have it open already.
/// Throws mdb_fault.
std::unique_ptr<database> open_without_lock(std::filesystem::path const& directory);

}  // namespace petstore::storage::lmdb
