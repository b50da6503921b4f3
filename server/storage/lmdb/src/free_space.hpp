// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "database.hpp"
#include "petstore/ports/store.hpp"

/// The free space in the map. A transaction never overwrites a page: it takes free pages even to remove a record, and
/// the pages it replaced become free when no reader uses them any more. So a map that is completely full could not even
/// be emptied, and a part of it is reserved for writes that free space.
namespace petstore::storage::lmdb {

/// The number of pages that the next transaction can take: those never used, and free ones that no reader can still
/// use. Counting ends at `enough`.
std::size_t pages_left(database const&, std::size_t enough = std::numeric_limits<std::size_t>::max());

/// The size of the map, and the part of it that no transaction can take.
ports::store_space space_of(database const&);

/// The number of pages that are reserved for writes that free space.
std::size_t pages_in_reserve(database const&);

/// The maximum that one write takes of the transaction it shares with others.
std::size_t pages_per_write(database const&);

/// Whether there is enough space again to report, after a lack of space, that it is over.
bool has_space_again(database const&);

/// Limits the cost of reading one state of the store for a long time. While it is read, freed pages cannot be reused,
/// so new writes take other pages. A reader of the whole store checks now and then whether it has cost half of the
/// space that was free, and then gives up, so that the writers do not run out of space.
class reading_allowance {
 public:
  explicit reading_allowance(database const& d) : database_(d), left_at_begin_(pages_left(d)) {}

  void check();  ///< throws reading_too_long

 private:
  database const& database_;
  std::size_t const left_at_begin_;
  std::size_t newest_seen_ = 0;  ///< transaction: if none is newer, nothing was used up
};

/// Names the process that reads so old a state that freed pages cannot be reused, as the rest of a sentence; empty:
/// there is none.
std::string describe_long_reader(database const&);

}  // namespace petstore::storage::lmdb
