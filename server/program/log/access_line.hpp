// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "log/json_line.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/address_range.hpp"
#include "petstore/server/log.hpp"

namespace petstore::program {

/// Makes the lines of the access log. A line is one JSON object for an answered request, with time, request_id,
/// trace_id, parent_id, key, peer, client (if there is a proxy), method, path, path_bytes (if the path is cut),
/// operation, status, error, decision, bytes, duration_us, sample and suppressed. Unknown members are left out, the
/// query is not written, and API keys are redacted. Every request pays for its line, so the line is built by hand,
/// where the caller wants it. The parts that most lines share with the line before (the second, the peer) are kept as
/// text.
///
/// Thread safety: one thread.
class access_line {
 public:
  access_line();

  static constexpr std::size_t path_bytes_max = 256;

  /// An upper bound for the length of this record's line.
  static std::size_t bytes_max(server::access_record const&) noexcept;
  /// Writes the line with its line end, and returns its end. `to` has space for `bytes_max`. With sampling, one line
  /// stands for `stands_for` requests (`sample`). `suppressed` is the number of requests before this one that got no
  /// line.
  char* write(char* to, log_time, server::access_record const&, std::uint32_t stands_for = 1,
              std::uint64_t suppressed = 0);

 private:
  void remember_second(log_time);
  std::string_view shown_path(std::string_view path);

  std::chrono::sys_seconds second_{};
  std::string until_second_;  ///< the beginning of the line: {"time":"2026-06-01T12:00:00.
  /// Keeps the text of the last address, which is likely to be the next one, too.
  class remembered_address {
   public:
    std::string const& text(server::raw_address const&);

   private:
    server::raw_address address_{};
    std::string text_;
  };
  remembered_address peer_;
  remembered_address client_;
  std::string path_;
  std::string escaped_;
};

}  // namespace petstore::program
