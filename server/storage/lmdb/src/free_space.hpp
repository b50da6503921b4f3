// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "environment.hpp"
#include "petstore/ports/store.hpp"

/// How much room there is in the map. A transaction never writes over a page: it takes free ones even to remove a
/// record, and gives back what it replaced when no reader looks at it any more. So a map that is filled to the last
/// page could not even be emptied, and a part of it is kept for writes that make room.
namespace petstore::storage::lmdb {

/// Pages that the next transaction could take: those never used, and free ones that no reader may still look at.
/// Counting ends at `enough`.
std::size_t pages_left(environment const&, std::size_t enough = std::numeric_limits<std::size_t>::max());

/// The map, and what of it no transaction could take.
ports::store_space space_of(environment const&);

/// Of those, how many are kept for writes that make room.
std::size_t pages_in_reserve(environment const&);

/// The most that one write takes from the transaction it shares with others.
std::size_t pages_per_write(environment const&);

/// Whether there is room enough to say, after it was short, that it is not any more.
bool has_space_again(environment const&);

/// What reading one state of the store for long may cost. While it is read, pages that are freed cannot be used again,
/// and what is written meanwhile takes others. A reader of the whole store looks now and then whether it has cost half
/// of the room there was, and then gives up, so that it is not the writers who find none.
class reading_allowance {
 public:
  explicit reading_allowance(environment const& e) : environment_(e), left_at_begin_(pages_left(e)) {}

  void check();  ///< throws reading_too_long

 private:
  environment const& environment_;
  std::size_t const left_at_begin_;
  std::size_t newest_seen_ = 0;  ///< transaction: when none is newer, nothing was used up
};

/// Which process reads so old a state that it keeps freed pages from use, as the rest of a sentence; empty: none does.
std::string describe_long_reader(environment const&);

}  // namespace petstore::storage::lmdb
