// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/limits/verdict.hpp"

namespace petstore::server {

/// One answer. A session keeps one and reuses its memory, so a steady state allocates nothing. The session adds the
/// status line, Date, Content-Length, Connection and X-Request-Id; a HEAD's body is written by the handler as for GET
/// and left out by the session.
struct response {
  unsigned status = 200;
  std::string fields;  ///< complete lines: `Name: value\r\n`
  std::string body;
  bool close = false;  ///< end the connection after this answer

  /// For the access log and the metrics, never sent.
  struct notes {
    std::string_view operation;  ///< static storage; empty when no operation was matched
    std::uint64_t key = 0;       ///< the number of the key, 0 without a valid one
    limits::decision decision = limits::decision::observed;
    std::string_view error_code;  ///< static storage; empty for an answer that is no error
    std::string cause;            ///< of a fault of ours
  } notes;

  void add(std::string_view name, std::string_view value) {
    fields.append(name).append(": ").append(value).append("\r\n");
  }

  void clear() {
    status = 200;
    fields.clear();
    body.clear();
    close = false;
    notes.operation = {};
    notes.key = 0;
    notes.decision = limits::decision::observed;
    notes.error_code = {};
    notes.cause.clear();
  }
};

}  // namespace petstore::server
