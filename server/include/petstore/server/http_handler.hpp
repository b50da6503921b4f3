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

/// What answers the requests of a listener: the service itself, or the admin pages.
///
/// Thread safety: used by the connections of one thread (or strand); a handler per thread.
class PETSTORE_EXPORT http_handler {
 public:
  virtual ~http_handler() = default;

  /// Fills in `out`, which is clear: by the time it returns, when what it returns is not valid(), else within the
  /// awaitable. So what needs no waiting needs no coroutine. May throw, either way: the session answers 500 and logs
  /// it.
  virtual asio::awaitable<void> handle(request const&, response& out) = 0;

  /// The answer to what never became a request (malformed HTTP, time-outs, limits, overload) or to a handler that
  /// threw. `partial` holds what is known: always the peer and the request id, maybe the method and target.
  /// An `Allow` field is the handler's to add for method_not_allowed.
  virtual void refuse(errc, std::string_view message, request const& partial, response& out) = 0;
};

}  // namespace petstore::server
