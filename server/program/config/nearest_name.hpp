// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <string_view>

namespace petstore {

/// Returns how many letters have to be inserted, deleted, changed or swapped with their neighbour to turn one name into
/// the other: the optimal string alignment distance (Damerau 1964, each part edited once). The distance of a name with
/// more than 64 letters is a very large number.
std::size_t edits_between(std::string_view a, std::string_view b);

/// Returns the known name that the user probably meant: the nearest one of those that are at most two edits away, where
/// the edits are fewer than half of the letters. It is a view into `known`; empty if there is none. The program and the
/// load test suggest it for words that they do not know.
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
