// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logging/json_line.hpp"
#include "petstore/server/log.hpp"

namespace petstore::program {

/// Makes the lines of the access log: one JSON object for an answered request, with time, request_id,
/// trace_id, parent_id, key, peer, method, path, operation, status, error, decision, bytes, duration_us and sample.
/// What is not known is left out, the query is not written, and keys are blotted out. Every request pays for its line,
/// so it is put together by hand, in memory that is kept; what most lines have in common with the one before (the
/// second, the peer) is kept as text.
///
/// Thread safety: one thread.
class access_line {
 public:
  access_line();

  /// The line with its end, valid until the next call. A line that stands for several requests, as the others' were
  /// left out, says for how many (`sample`).
  std::string_view format(log_time, server::access_record const&, std::uint32_t stands_for = 1);

 private:
  void remember_second(log_time);
  void remember_peer(std::array<unsigned char, 16> const&);

  std::vector<char> bytes_;
  std::chrono::sys_seconds second_{};
  std::string until_second_;  ///< the head of the line: {"time":"2026-06-01T12:00:00.
  std::array<unsigned char, 16> peer_{};
  std::string peer_text_;
  std::string escaped_;
};

}  // namespace petstore::program
