// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <stdexcept>
#include <string>

#include "petstore/error.hpp"

namespace petstore::storage::lmdb {

/// A failed call of LMDB. The code is LMDB's or errno's.
class mdb_fault : public std::runtime_error {
 public:
  mdb_fault(int code, std::string const& doing);
  int code() const noexcept { return code_; }

 private:
  int code_;
};

/// Throws mdb_fault when `code` is not zero.
void check(int code, char const* doing);

/// A stored record differs from what was written. The text names it.
struct damaged_record : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A reader of the whole store gave up, so that writers have free space.
struct reading_too_long : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether the pages of the file contradict each other.
bool is_damage(int code) noexcept;

/// Whether there was too little space: in the map, on the disk, in the disk quota, in memory. Nothing happened, and a
/// retry may succeed.
bool is_lack_of_space(int code) noexcept;

/// The error for callers after a fault that did not change the store.
error describe_fault(mdb_fault const&);
error describe_fault(damaged_record const&);
error describe_fault(reading_too_long const&);

}  // namespace petstore::storage::lmdb
