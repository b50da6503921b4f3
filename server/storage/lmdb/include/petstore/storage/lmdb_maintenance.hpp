// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "petstore/export.hpp"

/// Operations on a whole embedded store, while a server runs or without one. They block the calling thread. Only one
/// may run at a time in a process, and none in a process that has the same store open.
namespace petstore::storage {

/// The reason for a failure: one sentence.
struct PETSTORE_EXPORT maintenance_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Receives each fault of a store, as a sentence that names the table and the key or the page.
using fault_listener = std::function<void(std::string const&)>;

/// The result of a check.
struct PETSTORE_EXPORT check_summary {
  std::uint64_t pages = 0;          ///< of the file, in use
  std::uint64_t records = 0;        ///< of animals, orders, categories, keys and all else
  std::uint64_t index_entries = 0;  ///< the number of index entries
  std::uint64_t faults = 0;         ///< each was reported to the listener; 0: the store is sound
};

/// Checks one state of the whole store, and changes nothing: every page; every record's checksum and content; that the
/// indexes agree with the records in both directions; open orders with animals; keys with identities; and that no id is
/// above the highest one used. A server may run meanwhile; the check gives up if the server would run out of space.
/// Throws open_error when the directory holds no store of this program, maintenance_error when it cannot be read to the
/// end.
PETSTORE_EXPORT check_summary check_lmdb_store(std::filesystem::path const& directory, fault_listener const&);

/// Copies one state of the store, and of the quotas beside it, into a new directory that a server can use. A server may
/// run meanwhile. The directory gets its name only when everything in it is checked and on disk. Throws open_error,
/// maintenance_error.
PETSTORE_EXPORT check_summary back_up_lmdb_store(std::filesystem::path const& directory,
                                                 std::filesystem::path const& output);

/// Copies one state of the quotas beside a store into a new directory; old contents of that directory are removed. A
/// server may run meanwhile; the copied state is at most a second old. Returns false if there are no quotas. Throws
/// maintenance_error.
PETSTORE_EXPORT bool copy_lmdb_quotas(std::filesystem::path const& directory, std::filesystem::path const& output);

/// Whether a server has the store open. It may begin or end at any time, so the result is only good for a warning.
PETSTORE_EXPORT bool is_lmdb_store_in_use(std::filesystem::path const& directory) noexcept;

/// Copies a backup of `back_up_lmdb_store` to a directory without a store; a server finds the store only when it is
/// checked and on disk. Throws open_error when there is a store already or a server is running, maintenance_error.
PETSTORE_EXPORT check_summary restore_lmdb_store(std::filesystem::path const& backup,
                                                 std::filesystem::path const& directory);

}  // namespace petstore::storage
