// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "http/request_reader.hpp"

namespace petstore::fuzz {

/// A request read by request_reader, with one field of the given name for each line of `values`. So a target sees only
/// values that the reader accepts.
class sent_request {
 public:
  sent_request(std::string_view field_name, std::string_view values) {
    std::string bytes{"GET / HTTP/1.1\r\nHost: a\r\n"};
    while (!values.empty()) {
      auto const line = values.substr(0, values.find('\n'));
      bytes.append(field_name).append(": ").append(line).append("\r\n");
      values.remove_prefix(std::min(line.size() + 1, values.size()));
    }
    bytes.append("\r\n");
    std::string_view rest = bytes;
    auto progress = reader_.advance();
    while (progress == reader::progress::needs_bytes && !rest.empty()) {
      auto const buffer = reader_.prepare();
      auto const piece = rest.substr(0, buffer.size());
      std::ranges::copy(piece, buffer.begin());
      reader_.commit(piece.size());
      rest.remove_prefix(piece.size());
      progress = reader_.advance();
    }
    is_taken_ = progress == reader::progress::request;
  }

  /// Whether the reader accepted it; the lines may have bytes that no head may have.
  bool is_taken() const noexcept { return is_taken_; }
  server::request& request() noexcept { return reader_.request(); }

 private:
  using reader = server::http::request_reader;
  reader reader_{server::connection_limits{}};
  bool is_taken_ = false;
};

/// The values of all fields of that name, in their order.
inline std::vector<std::string_view> values_of(server::request const& req, std::string_view name) {
  std::vector<std::string_view> values;
  for (auto const& f : req.fields)
    if (f.name == name) values.push_back(f.value);
  return values;
}

/// The text without spaces and tabs at both ends.
inline std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

}  // namespace petstore::fuzz
