// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "petstore/storage/lmdb.hpp"
#include "storage/test_store.hpp"

namespace petstore::tests {

inline storage::lmdb_options options_for(std::filesystem::path const& directory) {
  return {.directory = directory,
          .environment = environment::production,
          .serve = true,
          .map_bytes_max = std::size_t{64} << 20,
          .write_queue_max = 64,
          .report = {}};
}

inline test_store open_store(storage::lmdb_options options) {
  return test_store(storage::open_lmdb_store(std::move(options)));
}
inline test_store open_store(std::filesystem::path const& directory) {
  return open_store(options_for(directory));
}

/// Why it cannot be opened; empty when it can.
inline std::string refusal_of(storage::lmdb_options options) {
  try {
    (void)storage::open_lmdb_store(std::move(options));
    return {};
  } catch (storage::open_error const& e) {
    return e.what();
  }
}

}  // namespace petstore::tests
