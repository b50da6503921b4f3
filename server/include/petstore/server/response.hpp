// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/server/address_range.hpp"
#include "petstore/server/body_stream.hpp"

namespace petstore::server {

struct mount;

/// One answer. Sessions reuse its memory, so that they allocate nothing in the steady state. The session adds the
/// status line, Date, Content-Length, Connection and X-Request-Id. For HEAD the handler writes the body as for GET, and
/// the session leaves it out.
struct PETSTORE_EXPORT response {
  unsigned status = 200;  ///< 200 to 599
  std::string fields;     ///< complete lines: `Name: value\r\n`
  std::string body;       ///< as it is sent; its memory is reused, so append to it
  bool close = false;     ///< end the connection after this answer
  /// The rest of the body, sent after `body`. The answer then has no Content-Length, and the connection ends with it.
  /// Not used with the statuses 204 and 304.
  std::unique_ptr<body_stream> stream;

  /// Data for the access log and the metrics; never sent.
  struct notes {
    std::string_view operation;  ///< static storage; empty when no operation was matched
    std::uint64_t key = 0;       ///< the number of the key; 0 without a valid key
    raw_address client{};        ///< the client's address, behind trusted proxies; zeros: not known
    limits::decision decision = limits::decision::observed;  ///< of the limiter
    std::string_view error_code;                             ///< static storage; empty for an answer that is no error
    std::string cause;                                       ///< of an internal fault
    server::mount const* mount = nullptr;                    ///< the mount that answers; nullptr: the service itself
    std::chrono::nanoseconds handling{0};                    ///< the time that the handler needed; 0: not measured
    std::chrono::nanoseconds quota_wait{0};                  ///< the part of it that it waited for the quotas
  } notes;                                                   ///< cleared by `clear`

  /// Appends a field. It checks nothing: name and value must not hold CR or LF.
  void add(std::string_view name, std::string_view value) {
    fields.append(name).append(": ").append(value).append("\r\n");
  }

  /// Resets every member, and keeps the memory.
  void clear() {
    status = 200;
    fields.clear();
    body.clear();
    close = false;
    stream.reset();
    // One by one: to assign an empty `notes` takes a hundred instructions more.
    notes.operation = {};
    notes.key = 0;
    notes.client = {};
    notes.decision = limits::decision::observed;
    notes.error_code = {};
    notes.cause.clear();
    notes.mount = nullptr;
    notes.handling = notes.quota_wait = std::chrono::nanoseconds{0};
  }
};

}  // namespace petstore::server
