// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace petstore::program {

/// The kinds of stores that the setting `store` can name. Each has a row in `store_schemes`, and one in
/// store/backends.hpp, which opens it.
enum class store_kind : std::uint8_t { lmdb, memory, postgres };

/// What the rest of the program has to know about a kind of store.
struct store_traits {
  bool has_directory = false;        ///< its data is in files on this machine, and quotas may be stored beside it
  bool is_shared = false;            ///< several nodes may serve it at once
  bool is_gone_with_server = false;  ///< no other process sees it
};

/// The beginning of an address, and the kind of store that it names. A kind may have several.
struct store_scheme {
  std::string_view prefix;
  store_kind kind;
  store_traits traits;
};
inline constexpr std::array store_schemes{
    store_scheme{"lmdb:", store_kind::lmdb, {.has_directory = true}},
    store_scheme{"memory:", store_kind::memory, {.is_gone_with_server = true}},
    store_scheme{"postgres://", store_kind::postgres, {.is_shared = true}},
    store_scheme{"postgresql://", store_kind::postgres, {.is_shared = true}},
};

/// Where the data is: `lmdb:DIR`, `postgres://…`, or `memory:` for data that is lost when the process ends.
struct store_address {
  store_kind kind = store_kind::memory;
  std::filesystem::path directory = {};  ///< for kinds that have one
  std::string uri = {};                  ///< for `postgres`, as the user wrote it; may contain a password

  store_traits const& traits() const noexcept;
  friend bool operator==(store_address const&, store_address const&) = default;
};

/// Throws value_error if the address is of no known kind.
store_address parse_store_address(std::string_view);

}  // namespace petstore::program
