// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/answer_writer.hpp"

#include <charconv>

#include "http/put.hpp"

namespace petstore::server::http {
namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::string_view length_name = "Content-Length: ";
constexpr std::string_view id_name = "X-Request-Id: ";
constexpr std::size_t digits_max = 20;
constexpr std::size_t status_line_max = 64;

/// The status line with the phrase of RFC 9110, 15. A status that is not here is sent with an empty phrase, which is
/// allowed.
constexpr std::string_view known_status_line(unsigned status) noexcept {
  switch (status) {
    case 200: return "HTTP/1.1 200 OK\r\n";
    case 201: return "HTTP/1.1 201 Created\r\n";
    case 202: return "HTTP/1.1 202 Accepted\r\n";
    case 204: return "HTTP/1.1 204 No Content\r\n";
    case 302: return "HTTP/1.1 302 Found\r\n";
    case 304: return "HTTP/1.1 304 Not Modified\r\n";
    case 400: return "HTTP/1.1 400 Bad Request\r\n";
    case 401: return "HTTP/1.1 401 Unauthorized\r\n";
    case 403: return "HTTP/1.1 403 Forbidden\r\n";
    case 404: return "HTTP/1.1 404 Not Found\r\n";
    case 405: return "HTTP/1.1 405 Method Not Allowed\r\n";
    case 408: return "HTTP/1.1 408 Request Timeout\r\n";
    case 409: return "HTTP/1.1 409 Conflict\r\n";
    case 412: return "HTTP/1.1 412 Precondition Failed\r\n";
    case 413: return "HTTP/1.1 413 Content Too Large\r\n";
    case 414: return "HTTP/1.1 414 URI Too Long\r\n";
    case 415: return "HTTP/1.1 415 Unsupported Media Type\r\n";
    case 417: return "HTTP/1.1 417 Expectation Failed\r\n";
    case 429: return "HTTP/1.1 429 Too Many Requests\r\n";
    case 431: return "HTTP/1.1 431 Request Header Fields Too Large\r\n";
    case 500: return "HTTP/1.1 500 Internal Server Error\r\n";
    case 501: return "HTTP/1.1 501 Not Implemented\r\n";
    case 503: return "HTTP/1.1 503 Service Unavailable\r\n";
    case 505: return "HTTP/1.1 505 HTTP Version Not Supported\r\n";
    default: return {};
  }
}

constexpr std::string_view connection_line(persistence p) noexcept {
  switch (p) {
    case persistence::keep: return {};
    case persistence::keep_and_say: return "Connection: keep-alive\r\n";
    case persistence::close: return "Connection: close\r\n";
  }
  return {};
}

char* put_number(char* at, std::size_t n) noexcept {
  return std::to_chars(at, at + digits_max, n).ptr;
}

char* put_status_line(char* at, unsigned status) noexcept {
  if (auto const known = known_status_line(status); !known.empty()) return put(at, known);
  return put(put_number(put(at, "HTTP/1.1 "), status), " \r\n");
}

}  // namespace

// Reserves the most bytes that the text before the body can have, and writes that text in one go.
void append_answer(std::string& out, response const& answer, answer_frame const& frame) {
  std::size_t const begin = out.size();
  std::string_view const connection = connection_line(frame.persistence);
  std::size_t const size_max = status_line_max + frame.date_line.size() + length_name.size() + digits_max +
                               connection.size() + id_name.size() + frame.request_id.size() + answer.fields.size() +
                               3 * line_end.size();
  bool const sends_body = has_body(answer.status) && !frame.answers_head;
  out.reserve(begin + size_max + (sends_body ? answer.body.size() : 0));
  out.resize(begin + size_max);

  char* at = put_status_line(out.data() + begin, answer.status);
  at = put(at, frame.date_line);
  bool const has_length = has_body(answer.status) && !answer.stream;
  if (has_length) at = put(put_number(put(at, length_name), answer.body.size()), line_end);
  at = put(at, connection);
  at = put(put(put(at, id_name), frame.request_id), line_end);
  at = put(put(at, answer.fields), line_end);
  out.resize(static_cast<std::size_t>(at - out.data()));
  if (sends_body) out.append(answer.body);
}

}  // namespace petstore::server::http
