// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "directory.hpp"
#include "read_only.hpp"

/// Checks the pages of an LMDB file as bytes. LMDB trusts its pages: a damaged one may make it end the process, so this
/// check must run before LMDB reads a file that may be damaged. The layout is that of LMDB 0.9 (data version 1) on
/// 64-bit little-endian machines.
namespace petstore::storage::lmdb {

/// Receives each fault, as a sentence that names the page and, if known, the table.
using fault_report = std::function<void(std::string const&)>;

/// Returns the fault of the two head pages of the file, the newer of which locates everything else; empty if there is
/// none. An empty file has no fault. Throws nothing; a file that cannot be read is a fault.
std::string find_head_fault(file_descriptor const& data_file);

/// The two head pages as they are in the file, from one read. Throws maintenance_error when they are damaged.
struct file_head {
  std::string bytes;
  std::uint64_t transaction = 0;  ///< the one that committed the newest state
};
file_head read_head(file_descriptor const& data_file);

/// Begins to read the newest state, whose location is still in the head; the next commit but one overwrites it. Throws
/// maintenance_error when commits are always faster.
std::unique_ptr<read_only> begin_with_head(database&, file_descriptor const& data_file);

enum class contents_kind : bool { tables, records };  ///< records: no tables, or one without a name

struct page_check {
  std::uint64_t pages = 0;            ///< that were checked
  std::set<std::string> broken;       ///< tables that must not be read
  bool all_tables_are_known = false;  ///< if false, nothing else in the file may be read
};

/// The same for the list of free pages alone: whether LMDB may read how much space is free.
bool is_free_list_sound(file_descriptor const& data_file, std::uint64_t transaction);

/// Walks every page of the state that `transaction` committed; it must be in the head, and a reader must hold it
/// meanwhile. It checks that each page is where it should be, of the right kind and complete, that keys ascend, that no
/// page is used twice or both used and free, and that the tables hold as many entries as they say. `pause` is called
/// now and then.
page_check check_pages(file_descriptor const& data_file, contents_kind, std::uint64_t transaction, fault_report const&,
                       std::function<void()> const& pause);

}  // namespace petstore::storage::lmdb
