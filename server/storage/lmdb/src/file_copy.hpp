// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <functional>

#include "directory.hpp"
#include "environment.hpp"

/// Files and directories that are on disk before anybody relies on them. Functions throw maintenance_error, which names
/// the file.
namespace petstore::storage::lmdb {

/// Copies one state of an LMDB file that others may write to, without its free pages, into a new file. `pause` is
/// called now and then; what it throws ends the copy. The file is not synced.
void copy_environment(MDB_env*, std::filesystem::path const& to, std::function<void()> const& pause);

/// The same of a file of which LMDB has no list of readers, and whose writer rests between two transactions. Throws
/// when the writer did not rest in several attempts.
void copy_unlocked_environment(std::filesystem::path const& from, std::filesystem::path const& to);

void copy_whole_file(std::filesystem::path const& from, std::filesystem::path const& to);

/// Waits until the file, or what stands in the directory, is on disk.
void sync_to_disk(std::filesystem::path const&);

/// A new, empty directory that only its owner may look into. What was there is removed.
void make_empty_directory(std::filesystem::path const&);

void rename_to(std::filesystem::path const& from, std::filesystem::path const& to);

}  // namespace petstore::storage::lmdb
