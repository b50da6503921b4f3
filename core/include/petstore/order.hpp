// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/pet.hpp"

namespace petstore {

/// [placed] --> [approved] --> [delivered]; placed or approved --> [cancelled]. Open means placed or approved.
enum class order_status : std::uint8_t { placed = 1, approved = 2, delivered = 3, cancelled = 4 };
BOOST_DESCRIBE_ENUM(order_status, placed, approved, delivered, cancelled)

/// @{
/// Converts to `placed`, `approved`, `delivered` or `cancelled`, and back; nullopt for any other text.
PETSTORE_EXPORT std::string_view to_string(order_status) noexcept;
PETSTORE_EXPORT std::optional<order_status> parse_order_status(std::string_view) noexcept;
/// @}

/// Whether the order still reserves its animal.
constexpr bool is_open(order_status s) noexcept {
  return s == order_status::placed || s == order_status::approved;
}

/// Whether updateOrder may change one status to the other. The same status is not allowed as a step.
constexpr bool may_follow(order_status from, order_status to) noexcept {
  switch (to) {
    case order_status::approved: return from == order_status::placed;
    case order_status::delivered: return from == order_status::approved;
    case order_status::cancelled: return is_open(from);
    case order_status::placed: return false;
  }
  return false;
}

/// The animal's status after an order's new status: delivered sells it, cancelled makes it available; otherwise
/// nullopt.
constexpr std::optional<pet_status> pet_status_after(order_status s) noexcept {
  if (s == order_status::delivered) return pet_status::sold;
  if (s == order_status::cancelled) return pet_status::available;
  return std::nullopt;
}

/// The body of createOrder, checked.
struct PETSTORE_EXPORT new_order {
  std::int64_t pet_id = 0;  ///< the animal to adopt
};
BOOST_DESCRIBE_STRUCT(new_order, (), (pet_id))

/// The body of updateOrder, checked.
struct PETSTORE_EXPORT order_patch {
  std::optional<order_status> status;  ///< absent: the patch changes nothing
};
BOOST_DESCRIBE_STRUCT(order_patch, (), (status))

/// A time of the wall clock as it is stored and sent: milliseconds since 1970-01-01T00:00:00Z.
using unix_ms = std::chrono::sys_time<std::chrono::milliseconds>;

/// An adoption.
struct PETSTORE_EXPORT order {
  std::int64_t id = 0;                         ///< from 1, never used again
  std::int64_t pet_id = 0;                     ///< the animal to adopt
  order_status status = order_status::placed;  ///< the state of the adoption
  unix_ms created_at{};                        ///< by the wall clock
  unix_ms updated_at{};                        ///< the time of the last change of its status

  friend bool operator==(order const&, order const&) = default;
};
BOOST_DESCRIBE_STRUCT(order, (), (id, pet_id, status, created_at, updated_at))

}  // namespace petstore
