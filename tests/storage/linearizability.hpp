// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "petstore/order.hpp"
#include "petstore/pet.hpp"

/// Whether what many threads saw of the orders for one animal can be explained by one order of their calls: each call
/// taking effect at one moment between its beginning and its end (Herlihy and Wing). Animals do not depend on each
/// other, so that a history is judged animal by animal.
namespace petstore::tests {

enum class call : std::uint8_t { place, step, read_animal, read_order };

/// One call as its thread saw it. `begun` and `ended` are numbers of one counter, so no two are equal.
struct observed_call {
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
  call what = call::place;
  std::int64_t order = 0;                    ///< which one; of a `place` that went well, the one it made
  order_status to = order_status::placed;    ///< of a `step`
  bool went_well = false;                    ///< else a conflict, or there is no such order
  std::optional<pet_status> animal{};        ///< what `read_animal` saw
  order_status seen = order_status::placed;  ///< what `read_order` saw
};

/// The orders for one animal, without threads: the specification.
struct adoption {
  pet_status animal = pet_status::available;
  std::map<std::int64_t, order_status> orders{};

  friend auto operator<=>(adoption const&, adoption const&) = default;

  /// The state after the call, if it could have been answered so.
  std::optional<adoption> after(observed_call const&) const;
};

/// At most 64 calls.
bool is_linearizable(std::vector<observed_call> const& history);

}  // namespace petstore::tests
