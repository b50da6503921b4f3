// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/nearest_name.hpp"

#include <limits>
#include <vector>

namespace petstore {

std::size_t edits_between(std::string_view a, std::string_view b) {
  constexpr std::size_t length_max = 64;
  if (a.size() > length_max || b.size() > length_max) return std::numeric_limits<std::size_t>::max() / 2;

  std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) edits[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) edits[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      auto const changed = edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      edits[i][j] = std::min({changed, edits[i - 1][j] + 1, edits[i][j - 1] + 1});
      bool const are_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (are_swapped) edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  return edits[a.size()][b.size()];
}

}  // namespace petstore
