// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>

namespace petstore::load {

/// The value of a text that a user wrote, or what is wrong with the text.
template <class T>
struct parsed {
  std::optional<T> value;
  std::string mistake;  ///< if there is no value: a sentence that says what would be right
};

}  // namespace petstore::load
