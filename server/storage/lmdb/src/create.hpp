// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/storage/lmdb.hpp"

namespace petstore::storage::lmdb {

class environment;

/// Makes a store in a directory that has none, unless another process is quicker. The file gets its name when it is
/// whole and on disk: whenever the power goes, there is a store or none, and never half of one that nobody can open.
void create_store(lmdb_options const&, petstore::environment kind);

/// The tables of a file that has none yet.
void create_tables(environment&, petstore::environment kind);

/// Makes certain that names in the directory outlast a power cut: syncing a file does not promise that.
void sync_names(std::filesystem::path const& directory);

/// And all the names on the way to the directory, each of which may be new.
void sync_way_to(std::filesystem::path const& directory);

}  // namespace petstore::storage::lmdb
