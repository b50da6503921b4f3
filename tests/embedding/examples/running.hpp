// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <string_view>

#include "support/running_context.hpp"
#include "support/test_client.hpp"

/// Common parts of the tests of the examples: a context with a thread, and a blocking client.
namespace examples {

namespace asio = boost::asio;

using petstore::tests::running_context;

inline asio::ip::tcp::endpoint any_port() {
  return {asio::ip::address_v4::loopback(), 0};
}

/// Sends one request on a new connection; returns the whole answer.
inline std::string ask(asio::ip::tcp::endpoint const& server, std::string_view method, std::string_view path,
                       std::string_view more_fields = {}, std::string_view body = {}) {
  std::string request{method};
  request.append(" ").append(path).append(" HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n").append(more_fields);
  if (!body.empty()) request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  request.append("\r\n").append(body);
  auto client = petstore::tests::test_client::in_the_clear();
  client.connect(server.port());
  client.send(request);
  return client.receive_rest();
}

inline unsigned status_of(std::string const& answer) {
  return answer.size() < 12 ? 0 : static_cast<unsigned>(std::stoul(answer.substr(9, 3)));
}

}  // namespace examples
