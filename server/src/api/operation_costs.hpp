// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "api/operations.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// What a request costs, by its operation: the costs of the options, and one token for everything else. Immutable.
class operation_costs {
 public:
  /// Throws std::invalid_argument if a name is not that of an operation that takes tokens.
  explicit operation_costs(service_options const& options) {
    for (auto const& [name, tokens] : options.costs) {
      auto const row = std::ranges::find(operations, name, &operation::name);
      if (row == operations.end() || row->payment != payment::token)
        throw std::invalid_argument{"no operation `" + name + "` takes tokens, so it cannot have a cost"};
      by_operation_[index_of(*row)] = tokens;
    }
  }

  /// Null: a request that matches no operation.
  limits::cost of(operation const* row) const noexcept { return row ? by_operation_[index_of(*row)] : 1; }

 private:
  std::vector<limits::cost> by_operation_ = std::vector<limits::cost>(operations.size(), 1);
};

}  // namespace petstore::server
