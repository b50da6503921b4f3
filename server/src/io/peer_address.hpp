// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/asio/ip/address.hpp>

namespace petstore::server::io {

/// IPv4 as ::ffff:a.b.c.d.
inline std::array<unsigned char, 16> to_bytes(boost::asio::ip::address const& a) {
  if (a.is_v6()) return a.to_v6().to_bytes();
  return boost::asio::ip::make_address_v6(boost::asio::ip::v4_mapped, a.to_v4()).to_bytes();
}

}  // namespace petstore::server::io
