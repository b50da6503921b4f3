// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/cursor.hpp"
#include "petstore/enumeration.hpp"
#include "petstore/error.hpp"

namespace petstore::server {

/// What a list can be asked: which parameters it knows besides `limit` and `cursor`.
struct list_shape {
  list_kind kind;
  std::string_view parent_name;                                             ///< `categoryId`, `petId`; empty: none
  std::optional<std::uint8_t> (*parse_status)(std::string_view) = nullptr;  ///< nullptr: no `status`
  std::string_view status_fault = {};                                       ///< said of a value that is none
};

inline constexpr std::uint32_t page_limit_default = 20;
inline constexpr std::uint32_t page_limit_max = 100;

/// The number of a status, as a list_shape wants it.
template <class Status>
std::optional<std::uint8_t> parse_status_number(std::string_view text) {
  auto const status = parse_word<Status>(text);
  return status ? std::optional{static_cast<std::uint8_t>(*status)} : std::nullopt;
}

/// What one request asks of a list.
struct list_request {
  std::uint32_t limit = page_limit_default;
  std::optional<std::uint8_t> status;
  std::optional<std::int64_t> parent;
  std::int64_t after = 0;
};

template <class Status>
std::optional<Status> status_as(list_request const& wanted) {
  return wanted.status ? std::optional{static_cast<Status>(*wanted.status)} : std::nullopt;
}

/// Reads a query. Unknown parameters are ignored; of the known ones each may come once, with a value. A fault is
/// invalid_request with a message that names every one. Any thread.
result<list_request> parse_list_request(list_shape const&, std::string_view query);

/// Appends the query of the next page up to its cursor: what this one, which parse_list_request has taken, gives of the
/// known parameters. Nothing else that was sent is repeated, so the text is short whatever was asked. Any thread.
void append_next_query(std::string& out, list_shape const&, std::string_view query);

}  // namespace petstore::server
