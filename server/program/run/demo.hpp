// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "petstore/ports/store.hpp"

namespace petstore::program {

/// The plan of the demo key. It is large enough for anybody who tries the server.
inline constexpr std::string_view demo_plan = "business";

/// Puts sample animals, categories and an order into a store that never had a record. Returns whether it did; not if
/// another node has put records into it meanwhile.
bool fill_with_samples(ports::store&, unix_ms now);

/// Returns a new key of the identity `demo`; the previous one stops working at once. Keys of an identity of that name
/// that an operator has made are left alone.
std::string renew_demo_key(ports::store&, unix_ms now);

/// Returns the demo key that an earlier start kept in the file. If the file has no key with which the demo works, it
/// returns a new one and keeps it there; only the owner may read the file. `report` gets a sentence that says why a key
/// was replaced, or why it cannot be kept. An empty path keeps nothing: the key is new each time.
std::string keep_demo_key(ports::store&, std::filesystem::path const& file, unix_ms now,
                          std::function<void(std::string_view)> const& report);

}  // namespace petstore::program
