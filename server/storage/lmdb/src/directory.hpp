// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "petstore/disk/file_descriptor.hpp"

namespace petstore::storage::lmdb {

inline constexpr char const* data_file_name = "data.mdb";
inline constexpr char const* lock_file_name = "lock";                      ///< see lock_for_serving
inline constexpr char const* unfinished_file_name = "data.mdb.new";        ///< see create_store
inline constexpr char const* restored_directory_name = "restore.partial";  ///< see restore_lmdb_store

using disk::file_descriptor;

enum class on_absence : bool { refuse, create };
enum class store_file : bool { absent, present };

/// The message of an open_error.
std::string refusal(std::filesystem::path const& directory, std::string_view cause);

/// Throws open_error.
[[noreturn]] void throw_refusal(std::filesystem::path const& directory, std::string_view cause);

/// The cause is `what`, followed by the text of the failure. Throws unavailable_error if the failure may pass,
/// otherwise open_error.
[[noreturn]] void throw_refusal(std::filesystem::path const& directory, std::string_view what, std::error_code failure);

/// Ensures that the directory holds a store or is suitable for a new one: any other contents belong to something else.
/// An empty file counts as absent, since it has no contents yet. Throws open_error.
store_file prepare_directory(std::filesystem::path const&, on_absence);

/// Checks whether `prepare_directory` could create the directory, which does not exist. Throws open_error.
void check_creation(std::filesystem::path const&);

/// Takes the server's lock on the directory, which is held until the descriptor is closed; the kernel releases it when
/// the process dies. Throws open_error when another server holds it.
file_descriptor lock_for_serving(std::filesystem::path const& directory);

/// Whether a server holds that lock now.
bool is_served(std::filesystem::path const& directory) noexcept;

enum class serving_lock : bool { of_others, of_this_process };
/// Throws if the directory is to get its store from a restore, since nobody would notice an empty one in its place:
/// unavailable_error while that runs, open_error if it was interrupted. `whose` says who may hold the server's lock.
void require_no_restore(std::filesystem::path const& directory, serving_lock whose);

/// A second descriptor of the data file: see is_short_write.
file_descriptor open_data_file(std::filesystem::path const& directory);

/// Whether the data file may grow by less than LMDB writes in one system call: because of the free space of the disk,
/// of a quota of the filesystem, or of the largest size of a file (RLIMIT_FSIZE).
bool is_nearly_full(std::filesystem::path const& directory) noexcept;

/// Whether an EIO of LMDB was only a partial write. LMDB reports a partial write on a full disk as EIO, like a failure
/// of the disk. It was a partial write if the file is nearly full (is_nearly_full) and the kernel, asked through our
/// own descriptor, knows of no failure.
bool is_short_write(std::filesystem::path const& directory, file_descriptor const& data_file) noexcept;

}  // namespace petstore::storage::lmdb
