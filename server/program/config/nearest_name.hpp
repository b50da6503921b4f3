// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <string_view>

namespace petstore {

/// How many letters have to be added, left out or changed, or neighbours swapped, to make one of the other: the optimal
/// string alignment distance (Damerau 1964, each part edited once). Names of more than 64 letters are near nothing.
std::size_t edits_between(std::string_view a, std::string_view b);

/// The name that was meant: the one that is nearest of those at most two edits away, and fewer than half of its
/// letters. Empty: none is. A view of what is in `known`. The program and the load test say so of words that they do
/// not know.
template <std::ranges::input_range Names>
std::string_view nearest_name(std::string_view name, Names const& known) {
  std::string_view nearest;
  std::size_t least = 3;
  for (std::string_view const each : known) {
    std::size_t const edits = edits_between(name, each);
    if (edits >= least || 2 * edits >= std::max(name.size(), each.size())) continue;
    least = edits;
    nearest = each;
  }
  return nearest;
}

}  // namespace petstore
