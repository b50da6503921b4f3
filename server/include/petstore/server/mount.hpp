// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "petstore/export.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

namespace petstore::server {

namespace asio = boost::asio;

/// A page of the host beside the service. It answers every request for `path` and for the paths below it (`path` +
/// "/…").
///
/// Cancellation: the coroutine has a cancellation state of its own. It gets a signal of the type terminal when its
/// client has ended its direction of the connection or the connection is broken, when `time_limit` is over, and when
/// the time-out of a drain is over. What it awaits then throws operation_aborted, as in any coroutine of Asio; an
/// exception after the signal is answered 503 and not logged. At the end of one of the two times, the coroutine gets a
/// turn of at least 5 ms and at most about 250 ms. If it has not answered by then, it is left behind: its connection is
/// closed (at the end of `time_limit` with a reset), the log says which mount it was (`mount_left_behind`), and the
/// coroutine goes on for itself. Both times are looked at every 250 ms, so the signal may come that much later.
///
/// Lifetime: request, answer and this function live until the coroutine has ended, even if it was left behind and the
/// application has been destroyed. What it refers to must live as long.
struct PETSTORE_EXPORT mount {
  /// "/hello" matches this path and the paths below it ("/hello/…"), compared as they were sent. "" matches every path
  /// that begins with a slash, so all but the "*" of OPTIONS; "/" matches only "/" itself and paths that begin with
  /// "//". The first mount that matches answers.
  std::string path;
  /// Fills in the answer. Request and answer are valid until the returned awaitable has completed. An exception becomes
  /// a 500. Nothing is charged and no key is required. Called on the executor of the connection.
  std::function<asio::awaitable<void>(request const&, response&)> answer;
  /// The longest duration of `answer`. 0: no limit.
  std::chrono::milliseconds time_limit{0};
};

}  // namespace petstore::server
