// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/address.hpp"

#include <arpa/inet.h>

#include <algorithm>

#include "petstore/whole_number.hpp"

namespace petstore::server {
namespace {

constexpr raw_address mapped_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr unsigned mapped_prefix_bits = 96;

bool is_mapped(raw_address const& a) noexcept {
  return std::equal(a.begin(), a.begin() + 12, mapped_prefix.begin());
}

}  // namespace

std::optional<raw_address> parse_address(std::string_view text) noexcept {
  std::array<char, INET6_ADDRSTRLEN> terminated{};
  if (text.size() >= terminated.size() || text.find('\0') != std::string_view::npos) return std::nullopt;
  std::ranges::copy(text, terminated.begin());
  raw_address a = mapped_prefix;
  if (::inet_pton(AF_INET, terminated.data(), a.data() + 12) == 1) return a;
  if (::inet_pton(AF_INET6, terminated.data(), a.data()) == 1) return a;
  return std::nullopt;
}

std::string address_text(raw_address const& a) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  bool const is_v4 = is_mapped(a);
  ::inet_ntop(is_v4 ? AF_INET : AF_INET6, a.data() + (is_v4 ? 12 : 0), text.data(), text.size());
  return text.data();
}

bool is_loopback(raw_address const& a) noexcept {
  constexpr raw_address v6_loopback{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return is_mapped(a) ? a[12] == 127 : a == v6_loopback;
}

bool is_in_any(std::span<address_range const> ranges, raw_address const& a) noexcept {
  return std::ranges::any_of(ranges, [&](auto const& r) { return r.contains(a); });
}

raw_address to_bytes(boost::asio::ip::address const& a) {
  if (a.is_v6()) return a.to_v6().to_bytes();
  return boost::asio::ip::make_address_v6(boost::asio::ip::v4_mapped, a.to_v4()).to_bytes();
}

std::optional<address_range> address_range::parse(std::string_view text) {
  auto const slash = text.find('/');
  auto const address = parse_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  address_range range{*address, 128};
  if (slash == std::string_view::npos) return range;

  unsigned const bits_before = text.find(':') == std::string_view::npos ? mapped_prefix_bits : 0;
  auto const bits = whole_number<unsigned>(text.substr(slash + 1));
  if (!bits || *bits > 128 - bits_before) return std::nullopt;
  range.prefix_bits = *bits + bits_before;
  return range;
}

bool address_range::contains(raw_address const& a) const noexcept {
  std::size_t const whole = prefix_bits / 8;
  if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(whole), first.begin())) return false;
  unsigned const rest = prefix_bits % 8;
  return rest == 0 || ((a[whole] ^ first[whole]) >> (8 - rest)) == 0;
}

}  // namespace petstore::server
