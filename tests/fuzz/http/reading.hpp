// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/http/fields.hpp"
#include "http/refusal.hpp"
#include "http/request_reader.hpp"

namespace petstore::fuzz {

using server::http::request_reader;

/// A copy of a request that was read.
struct message {
  server::method method{};
  std::string target, path, query;
  bool http_1_0 = false;
  field_list fields;
  std::string body;
  bool has_body = false, body_too_large = false;
  bool keep_alive = false, chunked = false, expects_continue = false;

  friend bool operator==(message const&, message const&) = default;
};

/// Everything that was read from the bytes of one connection.
struct reading {
  std::vector<message> messages;
  std::vector<std::size_t> ends;  ///< the number of bytes read when each message was complete
  request_reader::stage stage{};  ///< the stage at the end of the bytes
  bool refused = false;
  server::http::refusal refusal;
  message partial;  ///< the parsed part of a refused request
};

/// Reads pipelined requests until the bytes end, a request is refused, or a body is too large, which ends its
/// connection. `plan` says how the bytes are cut (see cuts.hpp).
reading read_connection(std::string_view bytes, server::connection_limits const&, std::string_view plan);

std::string to_text(message const&);
std::string to_text(reading const&);

}  // namespace petstore::fuzz
