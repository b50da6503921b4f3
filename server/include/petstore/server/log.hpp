// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/describe/enum.hpp>
#include <cstdint>
#include <functional>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/server/trace_context.hpp"

namespace petstore::server {

struct request;

/// The severity of a log line.
enum class severity : std::uint8_t { debug, info, warning, error };
BOOST_DESCRIBE_ENUM(severity, debug, info, warning, error)

/// The request that a log line is about; empty if the line is about no request. Views, valid during the call.
struct PETSTORE_EXPORT log_origin {
  /// No request.
  log_origin() = default;
  /// The request with that id.
  log_origin(std::string_view id) noexcept : request_id{id} {}  // NOLINT: an id is one
  /// This request.
  explicit log_origin(request const&) noexcept;

  std::string_view request_id;  ///< as in request::request_id
  trace_context trace;          ///< from the field `traceparent`
};

/// Receives the events that operators should know. Called from any thread. `event` is a short static name
/// (`store_failed`), `detail` a sentence. An application ignores what it throws; elsewhere it must not throw.
using log_function =
    std::function<void(severity, std::string_view event, std::string_view detail, log_origin const& origin)>;

}  // namespace petstore::server
