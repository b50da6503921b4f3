// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/list_query.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::storage::lmdb {

/// The answers to list queries that are asked again and again, as they are in one state of the file. Copying such a
/// list is a tenth of the work of reading it. It is kept from the second time it is asked for, so that a walk through
/// all records, which asks for each part once, costs no copies and displaces nothing. One thread.
class list_cache {
 public:
  static constexpr std::size_t lists_max = 8;
  static constexpr std::size_t list_bytes_max = 16 * 1024;  ///< larger lists are not kept

  struct kept_list {
    list_query query;
    ports::page_end end;
    std::string json;
    std::uint64_t last_use = 0;  ///< 0: nothing is kept here
  };

  /// Returns the list, or nullptr if it is not kept.
  kept_list const* find(list_query const&) noexcept;
  /// Offers a list that was read because it was not found.
  void offer(list_query const&, ports::page_end, std::string_view json);
  /// Another state begins. Its lists are kept from the first time on if they were asked for in the states before.
  void clear() noexcept;

 private:
  std::array<kept_list, lists_max> lists_;
  std::uint64_t uses_ = 0;
  std::array<std::uint64_t, 64> asked_{};  ///< hashes of the queries that were asked last
};

}  // namespace petstore::storage::lmdb
