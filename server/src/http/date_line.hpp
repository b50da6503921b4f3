// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <chrono>
#include <string_view>

namespace petstore::server::http {

/// The Date field, formatted once a second. One thread.
class date_line {
 public:
  /// `Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n`, valid until the next call.
  std::string_view at(std::chrono::system_clock::time_point now) noexcept;

 private:
  void write(std::chrono::sys_seconds) noexcept;

  std::chrono::sys_seconds written_for_ = std::chrono::sys_seconds::min();
  std::array<char, 37> text_{};
};

}  // namespace petstore::server::http
