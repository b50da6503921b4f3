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

/// What was read of a request's head. Views into the bytes it was read from. Kept and read into again, so that its
/// memory is reused. One thread.
struct head {
  server::request request;  ///< without body and request id; its fields are those below
  bool keep_alive = false;
  bool chunked = false;
  bool expects_continue = false;
  bool is_method_known = false;
  target_form form = target_form::malformed;
  std::uint64_t content_length = 0;
  std::string_view authority;  ///< of a target that has one

  std::vector<header_field> fields;
  field_index known;
  std::string joined_target;  ///< of an absolute-form whose path is empty before a query, as its parts do not adjoin

  /// The bytes that were at `from` are at `to` now.
  void follow(std::string_view from, char const* to) noexcept;
  /// For the next head. The memory of more fields than most requests have is given back.
  void clear() noexcept;
};

/// What is wrong with a head whose lines are in order. The sequence is part of the behaviour: first what makes it
/// unclear where the request ends or whom it is for, then what this server does not do. Completes `h` by what the
/// fields say.
std::optional<refusal> judge_head(head& h);

/// All of it at once: reads and judges a whole head. When it is refused, `out` holds what was understood until then.
std::optional<refusal> parse_head(std::string_view bytes, head& out);

}  // namespace petstore::server::http
