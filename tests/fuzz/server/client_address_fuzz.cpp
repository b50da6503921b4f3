// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client_address.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <string>
#include <vector>

#include "fuzz/http1/sent_request.hpp"
#include "fuzz/require.hpp"
#include "fuzz/server/percent_reference.hpp"
#include "fuzz/target.hpp"

/// Who a request is charged to, behind proxies. The first line of an input is the peer, or a range to parse; each other
/// line is an X-Forwarded-For. Held against a plain walk over all elements, whose addresses Asio parses.
namespace petstore::fuzz {
namespace {

namespace ip = boost::asio::ip;
using server::address_range;
using server::raw_address;

std::vector<address_range> trusted_proxies() {
  std::vector<address_range> ranges;
  for (auto const text : {"127.0.0.0/8", "::1", "10.1.0.0/15", "192.0.2.7", "2001:db8::/33", "fd00::/7"})
    ranges.push_back(address_range::parse(text).value());
  return ranges;
}

std::optional<raw_address> parse_by_asio(std::string_view text) {
  // A zone means nothing to others, and Asio reads no further than a zero.
  if (text.find_first_of(std::string_view{"%\0", 2}) != std::string_view::npos) return std::nullopt;
  boost::system::error_code ec;
  auto const address = ip::make_address(text, ec);
  if (ec) return std::nullopt;
  return (address.is_v6() ? address.to_v6() : ip::make_address_v6(ip::v4_mapped, address.to_v4())).to_bytes();
}

/// An element may carry a port: `a.b.c.d:port`, `[v6]:port`.
std::optional<raw_address> parse_element(std::string_view text) {
  if (text.starts_with('[')) {
    auto const end = text.find(']');
    return end == std::string_view::npos ? std::nullopt : parse_by_asio(text.substr(1, end - 1));
  }
  if (std::ranges::count(text, ':') == 1) text = text.substr(0, text.find(':'));
  return parse_by_asio(text);
}

bool is_trusted(std::vector<address_range> const& ranges, raw_address const& a) {
  return std::ranges::any_of(ranges, [&](auto const& r) {
    for (unsigned bit = 0; bit < r.prefix_bits; ++bit)
      if (((r.first[bit / 8] ^ a[bit / 8]) >> (7 - bit % 8) & 1) != 0) return false;
    return true;
  });
}

raw_address find_plainly(server::request const& req, std::vector<address_range> const& trusted) {
  std::vector<std::string_view> elements;
  for (auto const line : values_of(req, "X-Forwarded-For"))
    for (auto const part : split(line, ','))
      if (auto const element = trimmed(part); !element.empty()) elements.push_back(element);
  auto client = req.peer;
  while (is_trusted(trusted, client) && !elements.empty()) {
    auto const next = parse_element(elements.back());
    if (!next) break;
    client = *next;
    elements.pop_back();
  }
  return client;
}

void check_range(std::string_view text) {
  auto const address = server::parse_address(text);
  require(address == parse_by_asio(text), "both parsers read one address", text);
  auto const range = address_range::parse(text);
  require(!address || (range && range->prefix_bits == 128 && range->contains(*address)),
          "an address is a range of itself alone", text);
  if (!range) return;
  require(range->prefix_bits <= 128 && range->contains(range->first), "a range contains what it is named by", text);
  for (unsigned bit = 0; bit < 128; ++bit) {
    auto other = range->first;
    other[bit / 8] = static_cast<unsigned char>(other[bit / 8] ^ (0x80 >> bit % 8));
    require(range->contains(other) == (bit >= range->prefix_bits), "a range is told by its first bits alone", text);
  }
}

}  // namespace

void check(std::string_view input) {
  auto const first = input.substr(0, input.find('\n'));
  check_range(first);

  sent_request sent{"X-Forwarded-For", input.substr(std::min(first.size() + 1, input.size()))};
  if (!sent.is_taken()) return;
  auto& req = sent.request();
  req.peer = parse_by_asio(first).value_or(ip::make_address_v6(ip::v4_mapped, ip::address_v4::loopback()).to_bytes());
  auto const trusted = trusted_proxies();
  auto const client = find_client_address(req, trusted);
  require(client == find_plainly(req, trusted), "the client is the first from the right that is not trusted", input);
  require(find_client_address(req, {}) == req.peer, "without proxies, the peer is the client", input);
  require(is_trusted(trusted, client) == server::is_in_any(trusted, client), "a range means its first bits", input);

  // Whoever is not trusted cannot change who they are by what they wrote before.
  if (is_trusted(trusted, client) || client == req.peer) return;
  std::string forged{"198.51.100.1, "};
  for (auto const line : values_of(req, "X-Forwarded-For")) forged.append(line).append(", ");
  forged.resize(forged.size() - 2);
  sent_request again{"X-Forwarded-For", forged};
  if (!again.is_taken()) return;
  again.request().peer = req.peer;
  require(find_client_address(again.request(), trusted) == client, "what was written further left counts for nothing",
          input);
}

}  // namespace petstore::fuzz
