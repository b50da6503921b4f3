// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/json_line.hpp"

#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/address_v6.hpp>

#include "petstore/json.hpp"
#include "petstore/key_trace.hpp"

namespace petstore::program {
namespace {

std::string_view level_name(server::severity level) {
  switch (level) {
    case server::severity::debug: return "debug";
    case server::severity::info: return "info";
    case server::severity::warning: return "warning";
    case server::severity::error: break;
  }
  return "error";
}

bool is_plain(std::string_view text) {
  for (char const c : text)
    if (c < 0x20 || c == 0x7f) return false;  // negative: a byte of a longer UTF-8 sequence
  return true;
}

/// The bytes of the UTF-8 sequence at the head of the text, 0 when there is none (RFC 3629, table 3-7 of Unicode).
std::size_t sequence_length(std::string_view text) {
  auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto const continues = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  unsigned const first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4 || !continues(1)) return 0;
  if (first < 0xe0) return 2;
  bool const overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  bool const not_a_character = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
  if (overlong || not_a_character || !continues(2)) return 0;
  if (first < 0xf0) return 3;
  return continues(3) ? 4 : 0;
}

std::string with_replacements(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    auto const length = sequence_length(text);
    length == 0 ? out.append("\xEF\xBF\xBD") : out.append(text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

void append_member(std::string& out, std::string_view name, std::string_view value) {
  out.append(",\"").append(name).append("\":");
  append_json_text(out, value);
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  std::string safe;
  append_without_keys(safe, is_plain(text) ? text : with_replacements(text));
  append_json_string(out, safe);
}

void append_log_line(std::string& out, log_time time, server::severity level, std::string_view event,
                     std::string_view detail, server::log_origin const& origin) {
  out += "{\"time\":\"";
  append_rfc3339(out, time);
  out.append("\",\"level\":\"").append(level_name(level)).append("\"");
  append_member(out, "event", event);
  if (!detail.empty()) append_member(out, "detail", detail);
  if (!origin.request_id.empty()) append_member(out, "request_id", origin.request_id);
  if (origin.trace.is_known()) {
    append_member(out, "trace_id", origin.trace.trace_id);
    append_member(out, "parent_id", origin.trace.parent_id);
  }
  out += '}';
}

std::string address_text(std::array<unsigned char, 16> const& bytes) {
  boost::asio::ip::address_v6 const address(bytes);
  return address.is_v4_mapped() ? boost::asio::ip::make_address_v4(boost::asio::ip::v4_mapped, address).to_string()
                                : address.to_string();
}

}  // namespace petstore::program
