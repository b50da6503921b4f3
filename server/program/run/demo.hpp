// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "petstore/ports/store.hpp"
#include "store/keys.hpp"

namespace petstore::program {

/// The plan of the demo key. It is large enough for anybody who tries the server.
inline constexpr std::string_view demo_plan = "business";

/// Puts sample animals, categories and an order into a store that never had a record. Returns whether it did.
bool fill_with_samples(ports::store&, unix_ms now);

/// Returns a new key of the identity `demo`; the previous one stops working at once.
std::string renew_demo_key(ports::store&, caller const&);

}  // namespace petstore::program
