// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "petstore/export.hpp"

/// What operators do to an embedded store as a whole, beside a server or without one. Blocks the calling thread; one at
/// a time in a process, and none in one that has the same store open.
namespace petstore::storage {

/// Why it was not done: one sentence.
struct PETSTORE_EXPORT maintenance_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Told of each fault of a store, as a sentence that names the table and the key or the page.
using fault_listener = std::function<void(std::string const&)>;

/// What was looked at, and what was wrong with it.
struct PETSTORE_EXPORT check_summary {
  std::uint64_t pages = 0;          ///< of the file, in use
  std::uint64_t records = 0;        ///< of animals, orders, categories, keys and all else
  std::uint64_t index_entries = 0;  ///< that lead to them
  std::uint64_t faults = 0;         ///< each was told to the listener; 0: the store is whole
};

/// Walks one state of the whole store, and changes nothing: every page, every record's checksum and content, that the
/// indexes agree with the records in both directions, open orders with animals, keys with identities, and that no id
/// lies above the highest one given out. A server may be at work; if it would run out of room, this gives up. Throws
/// open_error when the directory holds no store of this program, maintenance_error when it cannot be read to the end.
PETSTORE_EXPORT check_summary check_lmdb_store(std::filesystem::path const& directory, fault_listener const&);

/// Copies one state of the store, and of the quotas beside it, into a new directory, from which a server could be run.
/// A server may be at work. The directory appears under its name only when everything in it is checked and on disk.
/// Throws open_error, maintenance_error.
PETSTORE_EXPORT check_summary back_up_lmdb_store(std::filesystem::path const& directory,
                                                 std::filesystem::path const& output);

/// Copies one state of the quotas beside a store into a new directory, whose old contents go. A server may be at work,
/// whose last write is at most a second old. False: there are none. Throws maintenance_error.
PETSTORE_EXPORT bool copy_lmdb_quotas(std::filesystem::path const& directory, std::filesystem::path const& output);

/// Puts a copy of what `back_up_lmdb_store` made where no store is; a server finds it only when it is checked and on
/// disk. Throws open_error when there is a store already or a server at work, maintenance_error.
PETSTORE_EXPORT check_summary restore_lmdb_store(std::filesystem::path const& backup,
                                                 std::filesystem::path const& directory);

}  // namespace petstore::storage
