// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "petstore/pet.hpp"

namespace petstore {

/// [placed] --> [approved] --> [delivered]; placed or approved --> [cancelled]. Open means placed or approved.
enum class order_status : std::uint8_t { placed = 1, approved = 2, delivered = 3, cancelled = 4 };

std::string_view to_string(order_status) noexcept;
std::optional<order_status> parse_order_status(std::string_view) noexcept;

constexpr bool is_open(order_status s) noexcept { return s == order_status::placed || s == order_status::approved; }

/// Whether updateOrder may go from one status to the other. A step to the same status is not one.
constexpr bool may_follow(order_status from, order_status to) noexcept {
  switch (to) {
    case order_status::approved: return from == order_status::placed;
    case order_status::delivered: return from == order_status::approved;
    case order_status::cancelled: return is_open(from);
    case order_status::placed: return false;
  }
  return false;
}

/// What an order's new status makes of its animal's: delivered sells it, cancelled frees it, else it stays.
constexpr std::optional<pet_status> pet_status_after(order_status s) noexcept {
  if (s == order_status::delivered) return pet_status::sold;
  if (s == order_status::cancelled) return pet_status::available;
  return std::nullopt;
}

struct new_order {
  std::int64_t pet_id = 0;
};

struct order_patch {
  std::optional<order_status> status;  ///< absent: the patch changes nothing
};

using unix_ms = std::chrono::sys_time<std::chrono::milliseconds>;

/// An adoption.
struct order {
  std::int64_t id = 0;
  std::int64_t pet_id = 0;
  order_status status = order_status::placed;
  unix_ms created_at{};
  unix_ms updated_at{};

  friend bool operator==(order const&, order const&) = default;
};

}  // namespace petstore
