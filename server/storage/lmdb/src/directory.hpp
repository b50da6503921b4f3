// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>

#include "petstore/disk/file_descriptor.hpp"

namespace petstore::storage::lmdb {

inline constexpr char const* data_file_name = "data.mdb";
inline constexpr char const* lock_file_name = "lock";                      ///< see lock_for_serving
inline constexpr char const* unfinished_file_name = "data.mdb.new";        ///< see create_store
inline constexpr char const* restored_directory_name = "restore.partial";  ///< see restore_lmdb_store

using disk::file_descriptor;

enum class on_absence : bool { refuse, create };
enum class store_file : bool { absent, present };

/// Makes sure that this is a directory that holds a store, or is fit to hold a new one: whatever else is in a directory
/// belongs to someone else. An empty file is absent: it says nothing yet. Throws open_error.
store_file prepare_directory(std::filesystem::path const&, on_absence);

/// The server's lock on the directory, held until the descriptor is closed; the kernel takes it back from a process
/// that dies. Throws open_error when another server holds it.
file_descriptor lock_for_serving(std::filesystem::path const& directory);

/// The file with the data, once more: see is_short_write.
file_descriptor open_data_file(std::filesystem::path const& directory);

/// Less is left on the disk than LMDB hands the kernel in one call.
bool is_nearly_full(std::filesystem::path const& directory) noexcept;

/// LMDB reports a write that the disk had room for only in part as EIO, the same as a failure of the disk. It was the
/// former when the disk is full and the kernel, asked again through a descriptor of our own, knows of no failure.
bool is_short_write(std::filesystem::path const& directory, file_descriptor const& data_file) noexcept;

}  // namespace petstore::storage::lmdb
