// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/refusal.hpp"
#include "http/target.hpp"
#include "petstore/server/request.hpp"

namespace petstore::server::http {

/// The parsed head of a request, as views into the bytes it was read from. One head is used for many requests, so that
/// its memory is reused. One thread.
struct head {
  server::request request;  ///< without body and request id; its fields are those below
  bool keep_alive = false;
  bool chunked = false;
  bool expects_continue = false;
  target_form form = target_form::malformed;
  std::uint64_t content_length = 0;
  std::string_view authority;  ///< of a target that has one

  std::vector<header_field> fields;
  field_index known;
  std::string joined_target;  ///< of an absolute-form with an empty path before a query, as its parts are not adjacent

  /// Moves the views: the bytes that were at `from` are now at `to`.
  void follow(std::string_view from, char const* to) noexcept;
  /// Clears it for the next head. It releases the memory if there were more fields than most requests have.
  void clear() noexcept;
};

/// Checks a head whose lines are well-formed, and completes `h` from its fields. The order of the checks is part of the
/// behaviour: first those of where the request ends and which host it is for, then those of what this server supports.
std::optional<refusal> check_head(head& h);

}  // namespace petstore::server::http
