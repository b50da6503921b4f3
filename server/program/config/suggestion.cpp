// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/suggestion.hpp"

#include "config/nearest_name.hpp"

namespace petstore::program {

std::string suggestion_for(std::string_view name, std::vector<std::string> const& known) {
  auto const nearest = nearest_name(name, known);
  return nearest.empty() ? std::string{} : "; did you mean `" + std::string{nearest} + "`?";
}

}  // namespace petstore::program
