// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "directory.hpp"
#include "petstore/storage/lmdb.hpp"

namespace petstore::storage::lmdb {

class database;

/// Creates a store in a directory that has none, unless another process does so first. The file gets its name when it
/// is complete and on disk. So after a power cut there is either a store or none, never an incomplete one.
void create_store(lmdb_options const&, environment);

/// Of several processes that find no store, one creates it and the others wait. The lock is held as long as the
/// descriptor. Throws open_error.
file_descriptor lock_for_creating(std::filesystem::path const& directory);

/// Creates the tables of a file that has none yet.
void create_tables(database&, environment);

/// Makes the names in the directory survive a power cut: syncing a file does not guarantee that.
void sync_names(std::filesystem::path const& directory);

/// Does the same for all directories above it, since each may be new.
void sync_way_to(std::filesystem::path const& directory);

}  // namespace petstore::storage::lmdb
