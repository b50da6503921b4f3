// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>

namespace petstore::tests {

/// The disk as the store sees it: this program's own `fdatasync`, `pwrite`, `writev` and `fallocate` stand before the C
/// library's.
/// Thread safety: set while the store is at rest.
struct disk {
  static void on_sync(std::function<int()>);        ///< returns an errno to fail with; 0: do it
  static void on_write(std::function<int()>);       ///< the same; -1: write all but the last bytes
  static void on_allocation(std::function<int()>);  ///< an errno to fail with; 0: do it
  static void heal();
};

}  // namespace petstore::tests
