// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/order.hpp"

namespace petstore {

std::string_view to_string(order_status s) noexcept {
  switch (s) {
    case order_status::placed: return "placed";
    case order_status::approved: return "approved";
    case order_status::delivered: return "delivered";
    case order_status::cancelled: return "cancelled";
  }
  return "";
}

std::optional<order_status> parse_order_status(std::string_view text) noexcept {
  for (auto s : {order_status::placed, order_status::approved, order_status::delivered, order_status::cancelled})
    if (text == to_string(s)) return s;
  return std::nullopt;
}

}  // namespace petstore
