// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/store_address.hpp"

#include <algorithm>

#include "config/values.hpp"

namespace petstore::program {
store_traits const& store_address::traits() const noexcept {
  return std::ranges::find(store_schemes, kind, &store_scheme::kind)->traits;
}

store_address parse_store_address(std::string_view text) {
  auto const found = std::ranges::find_if(store_schemes, [&](auto const& one) { return text.starts_with(one.prefix); });
  if (found != store_schemes.end()) {
    auto const rest = text.substr(found->prefix.size());
    if (found->traits.has_directory && !rest.empty()) return {.kind = found->kind, .directory = rest};
    if (found->traits.is_gone_with_server && rest.empty()) return {.kind = found->kind};
    if (found->traits.is_shared) return {.kind = found->kind, .uri = std::string{text}};
  }
  throw value_error("is none of lmdb:DIRECTORY, postgres://… and memory:");
}

}  // namespace petstore::program
