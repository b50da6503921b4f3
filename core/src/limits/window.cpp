// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/window.hpp"

#include "period_name.hpp"

namespace petstore::limits {

std::string name_of(period p) {
  detail::period_name const name(p);
  return {name.text.data(), name.size};
}

}  // namespace petstore::limits
