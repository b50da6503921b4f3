// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

namespace petstore::tests {

/// A header of version 2 of the PROXY protocol, as a proxy would send it: what stands in it may be anything.
inline std::string binary_proxy_header(int command, int family, std::string_view rest) {
  std::string header{"\r\n\r\n\0\r\nQUIT\n", 12};
  for (std::size_t const byte :
       {static_cast<std::size_t>(command), static_cast<std::size_t>(family), rest.size() / 256, rest.size() % 256})
    header.push_back(static_cast<char>(byte));
  return header.append(rest);
}

/// From 192.0.2.1:4660 to 198.51.100.9:80.
inline constexpr std::string_view addresses_v4{"\xc0\x00\x02\x01\xc6\x33\x64\x09\x12\x34\x00\x50", 12};

}  // namespace petstore::tests
