// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>

#include "petstore/export.hpp"

namespace petstore::server {

/// Every limit of a connection. All but `accept_wait`, `turn_wait` and `connections_few` are settings of the program. A
/// time of more than a year, such as milliseconds::max(), counts as a year.
struct PETSTORE_EXPORT connection_limits {
  std::chrono::milliseconds header_timeout{10'000};   ///< from the first byte of a head to its end
  std::chrono::milliseconds request_timeout{30'000};  ///< from the first byte of a head to the end of the body
  std::chrono::milliseconds idle_timeout{75'000};     ///< between two requests
  std::chrono::milliseconds write_timeout{30'000};    ///< for one answer, even if a part of it was sent
  std::chrono::milliseconds crowded_timeout{2'000};   ///< for any wait, while another client needs the slot
  std::chrono::milliseconds accept_wait{500};         ///< for a new connection; the kernel drops what would wait longer
  std::chrono::milliseconds turn_wait{500};  ///< for the thread; while requests wait longer, some connections close
  std::size_t connections_few = 256;  ///< of a thread: with no more than these, none is closed because of `turn_wait`
  std::size_t request_line_bytes_max = 8 * 1024;  ///< 414 beyond
  std::size_t header_bytes_max = 8 * 1024;        ///< after the request line; 431 beyond
  std::size_t header_fields_max = 100;            ///< 431 beyond
  std::size_t body_bytes_max = 64 * 1024;         ///< 413 beyond
};

}  // namespace petstore::server
