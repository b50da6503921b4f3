// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/request.hpp"

#include "http/field.hpp"
#include "http/known_names.hpp"

namespace petstore::server {

std::string_view name_of(known_field f) noexcept {
  return known_names[static_cast<std::size_t>(f)];
}

std::string_view header_fields::find(std::string_view name) const noexcept {
  for (auto const& field : all_)
    if (equals_ignoring_case(field.name, name)) return field.value;
  return {};
}

std::size_t header_fields::count(std::string_view name) const noexcept {
  std::size_t n = 0;
  for (auto const& field : all_) n += equals_ignoring_case(field.name, name) ? 1u : 0u;
  return n;
}

}  // namespace petstore::server
