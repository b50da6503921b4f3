// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace petstore::program {

/// Where events are sent.
struct webhook_address {
  bool is_encrypted = false;  ///< https
  std::string host;           ///< a name, or an address without brackets
  std::uint16_t port = 0;
  std::string authority;  ///< host and port as they were written, for the field Host
  std::string target;     ///< path and query; the query may be a secret
};

/// Parses `http://HOST[:PORT][/PATH][?QUERY]`, or the same with https. Throws value_error, which shows nothing of the
/// text.
webhook_address parse_webhook_address(std::string_view);

}  // namespace petstore::program
