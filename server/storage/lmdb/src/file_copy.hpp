// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <functional>

#include "database.hpp"
#include "directory.hpp"

/// Files and directories that are on disk before they are used. Functions throw maintenance_error, which names the
/// file.
namespace petstore::storage::lmdb {

/// Copies one state of an LMDB file, which others may write to meanwhile, without its free pages, into a new file.
/// `pause` is called now and then; an exception of it ends the copy. The file is not synced.
void copy_database(MDB_env*, std::filesystem::path const& to, std::function<void()> const& pause);

/// The same for a file without LMDB's list of readers, whose writer pauses between two transactions, with its free
/// pages. Throws if the writer did not pause during several attempts.
void copy_unlocked_database(std::filesystem::path const& from, std::filesystem::path const& to);

void copy_whole_file(std::filesystem::path const& from, std::filesystem::path const& to);

/// Waits until the file, or the entries of the directory, are on disk.
void sync_to_disk(std::filesystem::path const&);

/// Makes a new, empty directory that only its owner can read. Existing contents are removed.
void make_empty_directory(std::filesystem::path const&);

void rename_to(std::filesystem::path const& from, std::filesystem::path const& to);

}  // namespace petstore::storage::lmdb
