// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

namespace petstore::program {

/// A value of the configuration file, as it is written there.
struct written_value {
  std::string text;
  std::string source;  ///< `petstore.toml:7`
};

}  // namespace petstore::program
