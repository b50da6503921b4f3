// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fuzz/http/fields.hpp"

namespace petstore::fuzz {

/// A request as Beast's parser reads it.
struct beast_message {
  std::string_view bytes;
  std::size_t size = 0;  ///< the size in bytes
  std::string method, target, body;
  bool http_1_0 = false, keep_alive = false, chunked = false;
  field_list fields;
};

/// The rules by which this service is stricter than Beast, as RFC 9112 allows or demands. They share no code with the
/// service, so that the two cannot share a mistake.
struct stricter_rule {
  std::string_view name;
  bool (*is_broken)(beast_message const&);
};

/// The first rule that the message breaks; nullptr if it breaks none.
stricter_rule const* find_broken_rule(beast_message const&);

}  // namespace petstore::fuzz
