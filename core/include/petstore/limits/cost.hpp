// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include "petstore/export.hpp"
#include "petstore/limits/plan.hpp"

namespace petstore::limits {

namespace detail {

/// Only its name is used: the compiler prints it for an invalid cost.
void a_cost_is_1_to_16777215_tokens();

}  // namespace detail

/// The number of tokens that are taken of each quota: 1 .. short_tokens_max. A number in the source converts implicitly
/// and is checked by the compiler; any other number must go through `of`.
class PETSTORE_EXPORT cost {
 public:
  /// A number in the source. It does not compile outside the range.
  consteval cost(std::int64_t written) : tokens_{static_cast<std::uint32_t>(written)} {
    if (written < 1 || written > std::int64_t{short_tokens_max}) detail::a_cost_is_1_to_16777215_tokens();
  }

  /// There are no fractions of a token.
  template <std::floating_point Number>
  cost(Number) = delete;

  /// Any number; nullopt outside the range.
  template <std::integral Number>
  [[nodiscard]] static constexpr std::optional<cost> of(Number tokens) noexcept {
    if (std::cmp_less(tokens, 1) || std::cmp_greater(tokens, short_tokens_max)) return std::nullopt;
    return cost{checked{}, static_cast<std::uint32_t>(tokens)};
  }

  /// 1 .. short_tokens_max.
  [[nodiscard]] constexpr std::uint32_t tokens() const noexcept { return tokens_; }

  friend constexpr bool operator==(cost, cost) = default;

 private:
  struct checked {};
  constexpr cost(checked, std::uint32_t tokens) noexcept : tokens_{tokens} {}

  std::uint32_t tokens_;
};

}  // namespace petstore::limits
