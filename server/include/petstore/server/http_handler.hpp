// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/export.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

namespace petstore::server {

namespace asio = boost::asio;

/// Answers the requests of a listener: the service itself, or the admin pages.
///
/// Thread safety: used by the connections of one thread (or strand); make one handler for each thread.
class PETSTORE_EXPORT http_handler {
 public:
  virtual ~http_handler() = default;

  /// Fills in `out`, which is clear at the call. If the returned awaitable is not valid(), `out` is complete on return;
  /// otherwise it is complete when the awaitable is. So an operation that does not wait needs no coroutine. Either way
  /// it may throw: the session answers 500 and logs the exception.
  virtual asio::awaitable<void> handle(request const&, response& out) = 0;

  /// Fills in the answer to input that never became a request (malformed HTTP, time-outs, limits, overload), or to a
  /// handler that threw. `partial` holds what is known: always the peer and the request id, maybe the method and
  /// target. For method_not_allowed, the handler adds the `Allow` field.
  virtual void refuse(errc, std::string_view message, request const& partial, response& out) = 0;
};

}  // namespace petstore::server
