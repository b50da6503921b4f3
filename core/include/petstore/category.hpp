// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <string>

#include "petstore/export.hpp"

namespace petstore {

/// The body of createCategory, checked.
struct PETSTORE_EXPORT new_category {
  std::string name;  ///< 1 to 255 code points: `find_name_fault`
};
BOOST_DESCRIBE_STRUCT(new_category, (), (name))

/// A kind of animal.
struct PETSTORE_EXPORT category {
  std::int64_t id = 0;  ///< from 1, never used again
  std::string name;     ///< unique, case-sensitively

  friend bool operator==(category const&, category const&) = default;
};
BOOST_DESCRIBE_STRUCT(category, (), (id, name))

}  // namespace petstore
