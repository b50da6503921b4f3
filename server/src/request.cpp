// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/request.hpp"

#include "field.hpp"

namespace petstore::server {

std::string_view to_string(method m) noexcept {
  constexpr std::array<std::string_view, method_count> names{"GET",    "HEAD",    "POST",    "PUT",  "PATCH",
                                                             "DELETE", "OPTIONS", "CONNECT", "TRACE"};
  return names[static_cast<std::size_t>(m)];
}

std::string_view request::find(std::string_view name) const noexcept {
  for (auto const& field : fields)
    if (equals_ignoring_case(field.name, name)) return field.value;
  return {};
}

std::size_t request::count(std::string_view name) const noexcept {
  std::size_t n = 0;
  for (auto const& field : fields) n += equals_ignoring_case(field.name, name) ? 1u : 0u;
  return n;
}

}  // namespace petstore::server
