// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "log/json_line.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/log.hpp"

namespace petstore::program {

/// Makes the lines of the access log: one JSON object for an answered request, with time, request_id, trace_id,
/// parent_id, key, peer, client (where a proxy is between), method, path, path_bytes (where the path is cut),
/// operation, status, error, decision, bytes, duration_us, sample and suppressed. What is not known is left out, the
/// query is not written, and keys are blotted out. Every request pays for its line, so it is put together by hand, in
/// memory that is kept; what most lines have in common with the one before (the second, the peer) is kept as text.
///
/// Thread safety: one thread.
class access_line {
 public:
  access_line();

  static constexpr std::size_t path_bytes_max = 256;

  /// The line with its end, valid until the next call. A line that stands for several requests, as the others' were
  /// left out, says for how many (`sample`); `suppressed` requests before this one have no line.
  std::string_view format(log_time, server::access_record const&, std::uint32_t stands_for = 1,
                          std::uint64_t suppressed = 0);

 private:
  void remember_second(log_time);
  std::string_view shown_path(std::string_view path);

  std::vector<char> bytes_;
  std::chrono::sys_seconds second_{};
  std::string until_second_;  ///< the head of the line: {"time":"2026-06-01T12:00:00.
  /// The text of an address that is likely to come again.
  class remembered_address {
   public:
    std::string const& text(std::array<unsigned char, 16> const&);

   private:
    std::array<unsigned char, 16> address_{};
    std::string text_;
  };
  remembered_address peer_;
  remembered_address client_;
  std::string path_;
  std::string escaped_;
};

}  // namespace petstore::program
