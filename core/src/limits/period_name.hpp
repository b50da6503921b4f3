// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "decimal.hpp"
#include "petstore/limits/window.hpp"

namespace petstore::limits::detail {

/// The name of a period (`name_of`), of fixed size, so that copying it takes one instruction.
struct period_name {
  static constexpr std::size_t size_max = 8;  ///< the longest one is seconds and a letter

  std::array<char, size_max> text{};
  std::size_t size = 0;

  explicit period_name(period p) noexcept {
    switch (p.longest().count()) {
      case 1: set("second"); return;
      case 60: set("minute"); return;
      case 3'600: set("hour"); return;
      case 86'400: set("day"); return;
      case 604'800: set("week"); return;
      default: break;
    }
    if (p.is_month()) {
      set("month");
      return;
    }
    std::array<char, decimal_size_max> digits;
    char const* const end = write_decimal(digits.data(), static_cast<std::uint64_t>(p.longest().count()));
    size = static_cast<std::size_t>(end - digits.data());
    std::memcpy(text.data(), digits.data(), size);
    text[size++] = 's';
  }

 private:
  template <std::size_t Size>
  void set(char const (&name)[Size]) noexcept {
    static_assert(Size - 1 <= size_max);
    std::memcpy(text.data(), name, Size - 1);
    size = Size - 1;
  }
};

}  // namespace petstore::limits::detail
