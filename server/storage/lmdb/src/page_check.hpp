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

/// Looks at the pages of an LMDB file as bytes. LMDB trusts them: led astray by a damaged one it may end the process,
/// so whoever wants to know whether a file is sound looks here first. The layout is that of LMDB 0.9 (data version 1)
/// on 64-bit little-endian machines.
namespace petstore::storage::lmdb {

/// Told of each fault, as a sentence that names the page and, where it is known, the table.
using fault_report = std::function<void(std::string const&)>;

/// What is wrong with the two pages at the head of the file, of which the newer one says where everything is; empty:
/// nothing. An empty file has none. Throws nothing; a file that cannot be read is a fault.
std::string find_head_fault(file_descriptor const& data_file);

/// The two pages at the head as they stand in the file. Throws maintenance_error when they are damaged.
struct file_head {
  std::string bytes;
  std::uint64_t transaction = 0;  ///< that committed the newest state
};
file_head read_head(file_descriptor const& data_file);

/// Begins to read the newest state, of which the head still says where it is: the next commit but one writes over that.
/// Throws maintenance_error when commits always come first.
std::unique_ptr<read_only> begin_with_head(environment&, file_descriptor const& data_file);

enum class contents_kind : bool { tables, records };  ///< records: there are no tables, or one without a name

struct page_check {
  std::uint64_t pages = 0;            ///< looked at
  std::set<std::string> broken;       ///< tables that are not fit to be stepped through
  bool all_tables_are_known = false;  ///< else nothing else in the file is fit to be looked at
};

/// The same of the list of free pages alone: whether LMDB may be asked how much room there is.
bool is_free_list_sound(file_descriptor const& data_file, std::uint64_t transaction);

/// Walks every page of the state that `transaction` committed, which is in the head and which a reader holds meanwhile:
/// that each is where it should be, of the right kind and whole, that keys ascend, that no page is used twice or both
/// used and free, and that the tables hold as many entries as they say. `pause` is called now and then.
page_check check_pages(file_descriptor const& data_file, contents_kind, std::uint64_t transaction, fault_report const&,
                       std::function<void()> const& pause);

}  // namespace petstore::storage::lmdb
