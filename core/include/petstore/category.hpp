// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>

namespace petstore {

struct new_category {
  std::string name;
};

struct category {
  std::int64_t id = 0;
  std::string name;  ///< unique, case-sensitively

  friend bool operator==(category const&, category const&) = default;
};

}  // namespace petstore
