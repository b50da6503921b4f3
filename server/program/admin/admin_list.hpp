// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/enumeration.hpp"
#include "petstore/error.hpp"
#include "petstore/server/query_parameters.hpp"

namespace petstore::program {

/// The position of an entry in a list.
struct list_position {
  std::uint64_t number = 0;  ///< of the entry
  std::uint64_t rank = 0;    ///< in a list that is not in the order of numbers: what comes before the number
};

/// The part of a list that a request asks for.
struct admin_page {
  std::uint32_t limit = 50;            ///< 1 .. admin_page::limit_max
  std::optional<list_position> after;  ///< of the last entry of the page before; nullopt: the first page

  static constexpr std::uint32_t limit_max = 200;
};

/// Reads the query of a list of the administration API: `limit`, `cursor`, and the filters of that list. A cursor is
/// opaque: a version, a checksum of list and filters, a position, and a checksum of all that, in hexadecimal digits. So
/// it is valid on every node, and only for the list and the filters that it was made with. One thread.
class admin_list {
 public:
  /// `name` of the list, and the names of its filters; all in static storage.
  admin_list(std::string_view name, std::vector<std::string_view> const& filters, std::string_view query);

  /// @{
  /// Returns the value of a filter: a text, or one of the words of an enumeration; nullopt if it is not given.
  std::optional<std::string> text(std::string_view filter) const;
  template <class Enum>
  std::optional<Enum> word(std::string_view filter) {
    auto const sent = text(filter);
    if (!sent) return std::nullopt;
    auto const value = parse_word<Enum>(*sent);
    if (!value) add_fault(filter, must_be_one_of<Enum>);
    return value;
  }
  /// @}
  /// Adds a fault that the caller has found: "<name> <what>".
  void add_fault(std::string_view name, std::string_view what) { faults_.add(name, what); }

  /// Returns the page, or invalid_request with every fault. Call it last.
  result<admin_page> finish();
  /// Returns the query of the page after that entry: the known parameters, and no others.
  std::string next_query(list_position last) const;

 private:
  struct parameter {
    std::string_view name;
    std::optional<std::string> value;
  };
  parameter const& find(std::string_view name) const;
  std::uint32_t checksum() const;

  std::string_view const name_;
  std::vector<parameter> parameters_;  ///< `limit`, `cursor`, then the filters
  server::query_faults faults_;
};

}  // namespace petstore::program
