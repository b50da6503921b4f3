// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/order.hpp"

#include "petstore/enumeration.hpp"

namespace petstore {

std::string_view to_string(order_status s) noexcept {
  return word_of(s);
}

std::optional<order_status> parse_order_status(std::string_view text) noexcept {
  return parse_word<order_status>(text);
}

}  // namespace petstore
