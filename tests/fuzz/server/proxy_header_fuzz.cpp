// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/proxy_header.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <string>
#include <vector>

#include "fuzz/require.hpp"
#include "fuzz/target.hpp"

/// The first bytes of a proxy's connection, compared with a simple reading of the protocol: version 1 is a line of
/// words, version 2 a structure with fixed offsets.
namespace petstore::fuzz {
namespace {

namespace ip = boost::asio::ip;
using server::proxy_header;
using server::raw_address;
using progress = proxy_header::progress;

std::string const signature{"\r\n\r\n\0\r\nQUIT\n", 12};

unsigned byte(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

/// Checks a complete line: the client is the address that Asio parses from its third word.
void check_line(std::string_view line, proxy_header const& h) {
  require(line.size() <= 107 && line.ends_with("\r\n") && line.starts_with("PROXY "), "a line has bounds", line);
  std::vector<std::string> words{""};
  for (char const c : line.substr(0, line.size() - 2)) {
    if (c == ' ')
      words.emplace_back();
    else
      words.back().push_back(c);
  }
  if (words[1] == "UNKNOWN") return require(!h.client, "UNKNOWN names nobody", line);
  require(words.size() == 6 && (words[1] == "TCP4" || words[1] == "TCP6"), "a line has six words", line);
  bool const is_v6 = words[1] == "TCP6";
  auto const source = ip::make_address(words[2]);
  require(source.is_v6() == is_v6 && ip::make_address(words[3]).is_v6() == is_v6, "addresses are of the family", line);
  auto const v6 = is_v6 ? source.to_v6() : ip::make_address_v6(ip::v4_mapped, source.to_v4());
  require(h.client == v6.to_bytes(), "the source is the client", line);
  for (std::size_t const i : {4u, 5u})
    require(std::to_string(std::stoul(words[i])) == words[i] && std::stoul(words[i]) < 65'536, "a port is one", line);
}

void check_structure(std::string_view bytes, proxy_header const& h) {
  require(bytes.size() == 16 + 256 * byte(bytes, 14) + byte(bytes, 15), "the length is what it says", bytes);
  require(byte(bytes, 12) == 0x20 || byte(bytes, 12) == 0x21, "it is of version 2", bytes);
  bool const is_local = byte(bytes, 12) == 0x20;
  unsigned const family = byte(bytes, 13);
  std::size_t const n = is_local ? 0 : family == 0x11 ? 4 : family == 0x21 ? 16 : 0;
  require(h.client.has_value() == (n != 0), "who is named has an address of TCP", bytes);
  if (n == 0) return;
  require(bytes.size() >= 16 + 2 * n + 4, "there is room for two addresses", bytes);
  for (std::size_t i = 0; i < n; ++i)
    require((*h.client)[16 - n + i] == byte(bytes, 16 + i), "the source is the client", bytes);
}

}  // namespace

void check(std::string_view input) {
  auto const whole = server::parse_proxy_header(input);
  // Each part is copied to memory of its size, so that a sanitizer detects a read past its end.
  for (std::size_t n = 0; n < std::min<std::size_t>(input.size(), 300); ++n) {
    std::vector<char> const part(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(n));
    auto const h = server::parse_proxy_header({part.data(), n});
    bool const is_same = h.state == whole.state && h.size == whole.size && h.client == whole.client;
    require(h.state == progress::unfinished || is_same, "no cut changes what a header says", input);
    require(h.state != progress::complete || h.size <= n, "nothing is complete before it is there", input);
  }
  if (whole.state != progress::complete) {
    require(whole.state != progress::unfinished || input.size() < server::proxy_header_bytes_max, "a header has an end",
            input);
    return;
  }
  require(whole.size <= input.size() && whole.size <= server::proxy_header_bytes_max, "a header has an end", input);
  auto const header = input.substr(0, whole.size);
  header.starts_with(signature) ? check_structure(header, whole) : check_line(header, whole);
}

}  // namespace petstore::fuzz
