// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "petstore/export.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

namespace petstore::server {

namespace asio = boost::asio;

/// A page of the host beside the service. It answers every request for `path` and for the paths below it (`path` +
/// "/…").
struct PETSTORE_EXPORT mount {
  /// "/hello" matches this path and the paths below it ("/hello/…"), compared as they were sent. "" matches every path;
  /// "/" matches only "/" itself and paths that begin with "//". The first mount that matches answers.
  std::string path;
  /// Fills in the answer. Request and answer are valid until the returned awaitable has completed. An exception becomes
  /// a 500. Nothing is charged and no key is required. Called on the executor of the connection; kept as long as the
  /// application.
  std::function<asio::awaitable<void>(request const&, response&)> answer;
};

}  // namespace petstore::server
