// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>

namespace petstore::program {

/// The kernel's figures of this process. A figure that cannot be read is 0.
struct process_figures {
  double start_unix_s = 0;
  double cpu_s = 0;
  double resident_bytes = 0;
  double open_files = 0;
  double open_files_max = 0;
};
process_figures read_process_figures();

/// The memory of this process that is resident and belongs to no file; 0 when it cannot be read.
std::size_t resident_anonymous_bytes();

/// Raises the limit of open files to the most the process may have, and returns it.
std::size_t raise_open_files_max();

}  // namespace petstore::program
