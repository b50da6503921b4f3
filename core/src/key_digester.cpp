// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_digester.hpp"

#include <algorithm>

#include "constant_time.hpp"

namespace petstore {

/// The comparison takes constant time, so that the time does not tell how many characters of a token are right.
sha256_digest const* key_digester::digest(std::string_view token) {
  bool const may_be_last = has_last_ && token.size() == last_.size();
  if (may_be_last && equals_in_constant_time(token.data(), last_)) return &digest_;
  if (!is_well_formed_api_key(token, environment_)) return nullptr;
  has_last_ = false;
  digest_ = sha256(token);
  std::ranges::copy(token, last_.begin());
  has_last_ = true;
  return &digest_;
}

}  // namespace petstore
