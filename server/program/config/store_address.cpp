// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/store_address.hpp"

#include <algorithm>
#include <iterator>

#include "config/values.hpp"

namespace petstore::program {
namespace {

struct row {
  std::string_view prefix;  ///< of the address
  store_kind kind;
  store_traits traits;
};

constexpr row rows[] = {
    {"lmdb:", store_kind::lmdb, {.has_directory = true}},
    {"memory:", store_kind::memory, {.is_gone_with_server = true}},
    {"postgres://", store_kind::postgres, {.is_shared = true}},
    {"postgresql://", store_kind::postgres, {.is_shared = true}},
};

}  // namespace

store_traits const& store_address::traits() const noexcept {
  return std::ranges::find(rows, kind, &row::kind)->traits;
}

store_address parse_store_address(std::string_view text) {
  auto const found = std::ranges::find_if(rows, [&](row const& one) { return text.starts_with(one.prefix); });
  if (found != std::end(rows)) {
    auto const rest = text.substr(found->prefix.size());
    if (found->traits.has_directory && !rest.empty()) return {.kind = found->kind, .directory = rest};
    if (found->traits.is_gone_with_server && rest.empty()) return {.kind = found->kind};
    if (found->traits.is_shared) return {.kind = found->kind, .uri = std::string{text}};
  }
  throw value_error("is none of lmdb:DIRECTORY, postgres://… and memory:");
}

}  // namespace petstore::program
