// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "access/client_address.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <string>
#include <vector>

#include "fuzz/http/sent_request.hpp"
#include "fuzz/require.hpp"
#include "fuzz/server/percent_reference.hpp"
#include "fuzz/target.hpp"

/// The client's address behind proxies. The first line of an input is the peer, and also a range to parse; the other
/// lines are tried as values of X-Forwarded-For and of Forwarded. The result is compared with a simple walk over all
/// elements: it splits them from left to right, and Asio parses their addresses.
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
  // A zone has no meaning on another machine, and Asio stops at a zero byte.
  if (text.find_first_of(std::string_view{"%\0", 2}) != std::string_view::npos) return std::nullopt;
  boost::system::error_code ec;
  auto const address = ip::make_address(text, ec);
  if (ec) return std::nullopt;
  return (address.is_v6() ? address.to_v6() : ip::make_address_v6(ip::v4_mapped, address.to_v4())).to_bytes();
}

/// An element may have a port: `a.b.c.d:port`, `[v6]:port`.
std::optional<raw_address> parse_element(std::string_view text) {
  if (text.starts_with('[')) {
    auto const end = text.find(']');
    if (end == std::string_view::npos || (end + 1 < text.size() && text[end + 1] != ':')) return std::nullopt;
    return parse_by_asio(text.substr(1, end - 1));
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

/// Splits at each separator outside quotes; nullopt if quotes are not closed, or contain an escape.
std::optional<std::vector<std::string_view>> split_quoted(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  bool is_quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') return std::nullopt;
    if (text[i] == '"') is_quoted = !is_quoted;
    if (text[i] != separator || is_quoted) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  if (is_quoted) return std::nullopt;
  parts.push_back(text.substr(begin));
  return parts;
}

std::optional<raw_address> parse_forwarded_element(std::string_view element) {
  std::vector<std::string_view> nodes;
  auto const parts = split_quoted(element, ';').value();
  for (auto const part : parts) {
    auto const pair = trimmed(part);
    if (pair.size() < 3 || (pair[0] | 0x20) != 'f' || (pair[1] | 0x20) != 'o' || (pair[2] | 0x20) != 'r') continue;
    if (pair.size() == 3 || pair[3] == '=') nodes.push_back(pair.substr(std::min<std::size_t>(4, pair.size())));
  }
  if (nodes.size() != 1) return std::nullopt;
  auto node = nodes.front();
  if (node.size() >= 2 && node.front() == '"' && node.back() == '"') node = node.substr(1, node.size() - 2);
  return parse_element(node);
}

/// nullopt if reading from the right may find other elements than reading from the left.
std::optional<raw_address> find_plainly(server::request const& req, server::service_options const& options) {
  bool const is_forwarded = options.forwarded_by == server::forwarding_field::forwarded;
  std::vector<std::string_view> elements;
  for (auto const line : values_of(req, is_forwarded ? "Forwarded" : "X-Forwarded-For")) {
    auto const parts = is_forwarded ? split_quoted(line, ',') : split(line, ',');
    if (!parts) return std::nullopt;
    for (auto const part : *parts)
      if (auto const element = trimmed(part); !element.empty()) elements.push_back(element);
  }
  auto client = req.peer;
  while (is_trusted(options.trusted_proxies, client) && !elements.empty()) {
    auto const next = is_forwarded ? parse_forwarded_element(elements.back()) : parse_element(elements.back());
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

void check_field(server::forwarding_field field, std::string_view name, std::string_view peer, std::string_view lines) {
  sent_request sent{name, lines};
  if (!sent.is_taken()) return;
  auto& req = sent.request();
  req.peer = parse_by_asio(peer).value_or(ip::make_address_v6(ip::v4_mapped, ip::address_v4::loopback()).to_bytes());
  server::service_options options;
  options.forwarded_by = field;
  require(find_client_address(req, options) == req.peer, "without proxies, the peer is the client", lines);
  auto const& trusted = options.trusted_proxies = trusted_proxies();
  auto const client = find_client_address(req, options);
  auto const plainly = find_plainly(req, options);
  require(!plainly || client == *plainly, "the client is the first from the right that is not trusted", lines);
  require(is_trusted(trusted, client) == server::is_in_any(trusted, client), "a range means its first bits", lines);

  // An untrusted client cannot change its address by elements further left.
  if (is_trusted(trusted, client) || client == req.peer) return;
  for (std::string const before : {"198.51.100.1, ", "for=\"198.51.100.1, ", "for=\"\\, "}) {
    std::string forged = before;
    for (auto const line : values_of(req, name)) forged.append(line).append(", ");
    forged.resize(forged.size() - 2);
    sent_request again{name, forged};
    if (!again.is_taken()) continue;
    again.request().peer = req.peer;
    require(find_client_address(again.request(), options) == client, "what was written further left counts for nothing",
            lines);
  }
}

}  // namespace

void check(std::string_view input) {
  auto const first = input.substr(0, input.find('\n'));
  check_range(first);
  auto const lines = input.substr(std::min(first.size() + 1, input.size()));
  check_field(server::forwarding_field::x_forwarded_for, "X-Forwarded-For", first, lines);
  check_field(server::forwarding_field::forwarded, "Forwarded", first, lines);
}

}  // namespace petstore::fuzz
