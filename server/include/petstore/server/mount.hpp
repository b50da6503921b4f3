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

/// A page of the host's beside the service: every request for `path`, or for something below it (`path` + "/…").
struct PETSTORE_EXPORT mount {
  /// "/hello": this path and what is below it ("/hello/…"), compared as it was sent. "" is every path; "/" only "/"
  /// itself and what begins with "//". The first one that matches answers.
  std::string path;
  /// Fills in the answer. Request and answer are valid until what is returned has completed. What is thrown becomes a
  /// 500. Nothing is charged and no key is asked for. Called on the executor of the connection; kept as long as the
  /// shop.
  std::function<asio::awaitable<void>(request const&, response&)> answer;
};

}  // namespace petstore::server
