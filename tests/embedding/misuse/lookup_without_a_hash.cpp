// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// To look up another type than the key, the hash must accept that type.
// says: needs a Hash and an Equal that take it
#include <petstore/limits/limiter.hpp>

#include <string>
#include <string_view>

using namespace petstore::limits;

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view s) const noexcept { return std::hash<std::string_view>{}(s); }
};

#ifdef MISUSE
using by_name = limiter<std::string>;
#else
using by_name = limiter<std::string, text_hash, std::equal_to<>>;
#endif

verdict take(by_name& quota, std::string_view name) {
  return quota.charge(name, now());
}
