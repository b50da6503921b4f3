// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>

namespace petstore::load {

/// What was read of something that a person wrote, or what is wrong with it.
template <class T>
struct parsed {
  std::optional<T> value;
  std::string mistake;  ///< where there is no value: a sentence that says what would be right
};

}  // namespace petstore::load
