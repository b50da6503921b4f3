// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client/target.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <charconv>
#include <cstring>
#include <optional>
#include <sstream>

#include "client/head_lines.hpp"

namespace petstore::load {
namespace {

namespace asio = boost::asio;

constexpr std::uint16_t http_port = 80;
constexpr std::uint16_t https_port = 443;

std::optional<std::uint16_t> parse_port(std::string_view text) noexcept {
  std::uint16_t port = 0;
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (fault != std::errc{} || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

/// Whether a text has only characters that do not end or split the line or field that it is written into.
bool is_visible(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c < 0x7f; });
}

asio::ip::tcp::endpoint endpoint_of(address const& a) noexcept {
  asio::ip::tcp::endpoint endpoint;
  std::memcpy(endpoint.data(), &a.storage, a.size);
  return endpoint;
}

}  // namespace

std::string target::name() const {
  return (is_tls ? "https://" : "http://") + authority;
}

std::string target::url() const {
  return path == "/" ? name() : name() + path;
}

parsed<target> parse_target(std::string_view url) {
  auto const mistake = [&](std::string_view why) -> parsed<target> {
    return {{}, std::string(why) + ": '" + std::string(url) + "'"};
  };
  if (!is_visible(url)) return mistake("a URL consists of visible ASCII characters");
  target t;
  auto rest = url;
  if (auto const colon = rest.find("://"); colon != rest.npos) {
    auto const scheme = rest.substr(0, colon);
    t.is_tls = is_name(scheme, "https");
    if (!t.is_tls && !is_name(scheme, "http")) return mistake("a URL begins with http:// or https://");
    rest.remove_prefix(colon + 3);
  }
  if (rest.find('#') != rest.npos) return mistake("a fragment is never sent to a server");
  auto const authority = rest.substr(0, rest.find_first_of("/?"));
  rest.remove_prefix(authority.size());
  t.path = rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
  if (authority.find('@') != authority.npos) return mistake("user information in a URL is not sent; use a header");

  auto port = std::optional(t.is_tls ? https_port : http_port);
  auto const is_own_port = port;
  auto host = authority;
  bool const is_bracketed = host.starts_with('[');
  if (is_bracketed) {
    auto const end = host.find(']');
    if (end == host.npos) return mistake("an address of IPv6 ends with ]");
    auto const after = host.substr(end + 1);
    host = host.substr(1, end - 1);
    if (!after.empty()) port = after.front() == ':' ? parse_port(after.substr(1)) : std::nullopt;
  } else if (auto const colon = host.find(':'); colon != host.npos) {
    port = parse_port(host.substr(colon + 1));
    host = host.substr(0, colon);
  }
  if (host.empty()) return mistake("a URL names a host");
  if (!port) return mistake("a port is a number from 1 to 65535");
  t.host = host;
  t.port = *port;
  t.authority = is_bracketed ? "[" + t.host + "]" : t.host;
  if (port != is_own_port) t.authority += ":" + std::to_string(t.port);
  return {std::move(t), {}};
}

bool address::is_loopback() const noexcept {
  auto const ip = endpoint_of(*this).address();
  if (ip.is_v6() && ip.to_v6().is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, ip.to_v6()).is_loopback();
  return ip.is_loopback();
}

std::string address::text() const {
  std::ostringstream text;
  text << endpoint_of(*this);
  return text.str();
}

parsed<std::vector<address>> resolve(target const& t) {
  asio::io_context io;
  asio::ip::tcp::resolver resolver(io);
  boost::system::error_code fault;
  auto const found = resolver.resolve(t.host, std::to_string(t.port), asio::ip::resolver_base::numeric_service, fault);
  if (fault) return {{}, "the host " + t.host + " has no address: " + fault.message()};
  std::vector<address> addresses;
  for (auto const& entry : found) {
    address a;
    auto const endpoint = entry.endpoint();
    a.size = static_cast<socklen_t>(endpoint.size());
    std::memcpy(&a.storage, endpoint.data(), endpoint.size());
    addresses.push_back(a);
  }
  return {std::move(addresses), {}};
}

}  // namespace petstore::load
