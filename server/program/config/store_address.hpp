// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace petstore::program {

/// What a setting `store` names. The store of each kind is opened by its row in store/open_store.cpp.
enum class store_kind : std::uint8_t { lmdb, memory, postgres };

/// What the rest of the program has to know of a kind of store.
struct store_traits {
  bool has_directory = false;        ///< its data is in files of this machine, and quotas may lie beside it
  bool is_shared = false;            ///< several nodes may serve it at once
  bool is_gone_with_server = false;  ///< no other process sees it
};

/// Where the data is: `lmdb:DIR`, `postgres://…`, or `memory:` for data that is gone with the process.
struct store_address {
  store_kind kind = store_kind::memory;
  std::filesystem::path directory = {};  ///< of a kind that has one
  std::string uri = {};                  ///< of the others, as it was written; may hold a password

  store_traits const& traits() const noexcept;
  friend bool operator==(store_address const&, store_address const&) = default;
};

/// Throws value_error for an address of no kind.
store_address parse_store_address(std::string_view);

}  // namespace petstore::program
