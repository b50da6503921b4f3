// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/client_hello.hpp"

#include <array>

namespace petstore::server::tls {
namespace {

constexpr std::size_t record_header_size = 5;  // type, version, length
constexpr std::size_t record_payload_max = 16 * 1024;
constexpr unsigned char handshake_record = 22;
constexpr std::size_t message_header_size = 4;  // type, length
constexpr unsigned char client_hello_message = 1;

unsigned byte_at(std::string_view bytes, std::size_t i) noexcept {
  return static_cast<unsigned char>(bytes[i]);
}

}  // namespace

bool is_whole_client_hello(std::string_view bytes) noexcept {
  if (bytes.size() >= client_hello_bytes_max) return true;
  std::array<char, message_header_size> header;
  std::size_t header_size = 0;
  std::size_t message_size = 0;
  for (;;) {
    if (bytes.empty()) return false;
    if (byte_at(bytes, 0) != handshake_record) return true;
    if (bytes.size() < record_header_size) return false;
    std::size_t const length = byte_at(bytes, 3) << 8 | byte_at(bytes, 4);
    if (length == 0 || length > record_payload_max) return true;

    auto const payload = bytes.substr(record_header_size, length);
    for (std::size_t i = 0; i < payload.size() && header_size < header.size(); ++i) header[header_size++] = payload[i];
    message_size += payload.size();
    std::string_view const h{header.data(), header_size};
    if (h.size() > 0 && byte_at(h, 0) != client_hello_message) return true;
    if (h.size() == message_header_size) {
      std::size_t const body_size = byte_at(h, 1) << 16 | byte_at(h, 2) << 8 | byte_at(h, 3);
      if (message_size >= message_header_size + body_size) return true;
    }
    if (payload.size() < length) return false;
    bytes.remove_prefix(record_header_size + length);
  }
}

}  // namespace petstore::server::tls
