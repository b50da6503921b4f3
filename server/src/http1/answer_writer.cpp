// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http1/answer_writer.hpp"

#include <array>
#include <charconv>

namespace petstore::server::http1 {
namespace {

/// RFC 9110, 15. A status that is not here is sent with an empty reason, which is allowed.
constexpr std::string_view reason_phrase(unsigned status) noexcept {
  switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return {};
  }
}

constexpr bool has_body(unsigned status) noexcept {
  return status != 204 && status != 304;
}

void append_number(std::string& out, std::size_t n) {
  std::array<char, 20> digits;
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr;
  out.append(digits.data(), end);
}

}  // namespace

void append_answer(std::string& out, response const& answer, answer_frame const& frame) {
  out.append("HTTP/1.1 ");
  append_number(out, answer.status);
  out.append(" ").append(reason_phrase(answer.status)).append("\r\n");
  out.append(frame.date_line);
  if (has_body(answer.status)) {
    out.append("Content-Length: ");
    append_number(out, answer.body.size());
    out.append("\r\n");
  }
  switch (frame.persistence) {
    case persistence::keep: break;
    case persistence::keep_and_say: out.append("Connection: keep-alive\r\n"); break;
    case persistence::close: out.append("Connection: close\r\n"); break;
  }
  out.append("X-Request-Id: ").append(frame.request_id).append("\r\n");
  out.append(answer.fields).append("\r\n");
  if (has_body(answer.status) && !frame.to_head) out.append(answer.body);
}

}  // namespace petstore::server::http1
