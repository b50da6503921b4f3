// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "page_check.hpp"
#include "read_only.hpp"

namespace petstore::storage::lmdb {

struct record_check {
  std::uint64_t records = 0;
  std::uint64_t index_entries = 0;
};

/// Compares every record with its checksum, its key and its indexes, every index entry with its record, and the
/// counters with the ids. Tables in `unread` are left out; every other table must be open. `pause` is called now and
/// then.
record_check check_records(read_only&, std::set<std::string> const& unread, fault_report const&,
                           std::function<void()> const& pause);

}  // namespace petstore::storage::lmdb
