// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

namespace petstore::program {

/// Sends requests to the administration API of a running server, each on a connection of its own. One thread.
class admin_client {
 public:
  struct answer {
    std::string body;  ///< JSON
    std::string next;  ///< the target of the next page of a list; empty: there is none
  };

  /// `url` is that of the admin listener: `http://HOST:PORT`. Throws usage_error for any other text.
  admin_client(std::string_view url, std::string token);

  /// `target` is the path and query below the URL. A body is JSON. Throws usage_error if the server calls the request
  /// invalid, command_error if it refuses the request for another reason or does not answer.
  answer send(std::string_view method, std::string_view target, std::string body = {}) const;

 private:
  std::string host_;
  std::string port_;
  std::string token_;
};

}  // namespace petstore::program
