// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

#include "contract/client.hpp"

namespace contract {

// A fixture for tests that send raw bytes: the beginnings of valid requests, and checks for invalid ones.
struct wire_tap : on_open_node {
  const std::string bearer = "Authorization: Bearer " + api.key() + "\r\n";
  const std::string host = "Host: pets.example\r\n";
  const std::string get = "GET /v1/pets?limit=1 HTTP/1.1\r\n" + host + bearer;
  const std::string post = "POST /v1/pets HTTP/1.1\r\n" + host + bearer + "Content-Type: application/json\r\n";
  // 29 bytes, which is 1d in a chunk's size.
  const std::string rex = R"({"name":"Rex","categoryId":1})";

  // Sends the bytes and expects this one answer and then the end of the connection, although the client keeps its side
  // open. With `good_request`, a valid request follows the bytes and must not be answered; `nothing` is for bytes that
  // end within a message.
  enum class then { good_request, nothing };
  answer expect_refused(const std::string& bytes, int status, std::string_view code,
                        then followed_by = then::good_request);
  answer expect_taken(const std::string& bytes, int status);

  std::int64_t tokens_left();
};

std::string chunk(const std::string& data);

}  // namespace contract
