// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/redis/address.hpp"

#include <optional>
#include <utility>

#include "parsing.hpp"

namespace petstore::redis {
namespace {

constexpr std::uint16_t server_port = 6379;
constexpr std::uint16_t sentinel_port = 26379;
constexpr std::size_t address_bytes_max = 4096;
constexpr std::size_t nodes_max = 64;
constexpr std::uint32_t database_max = 65535;

failure wrong(char const* sentence) {
  return {errc::bad_address, sentence};
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

int value_of_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Decodes percent-encoding. Returns nullopt for a malformed escape, and for a zero byte, which would end the text in
/// the C libraries below.
std::optional<std::string> decode(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (text.size() - i < 3) return {};
      int const high = value_of_digit(text[i + 1]);
      int const low = value_of_digit(text[i + 2]);
      if (high < 0 || low < 0) return {};
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (c == '\0') return {};
    plain.push_back(c);
  }
  return plain;
}

bool is_host(std::string_view host) {
  if (host.empty() || host.size() > 253) return false;
  for (char const c : host) {
    bool const is_fine =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '_';
    if (!is_fine) return false;
  }
  return true;
}

bool is_bracketed_host(std::string_view host) {
  return !host.empty() && host.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

result<node> parse_node(std::string_view text, std::uint16_t default_port) {
  node one;
  if (take_prefix(text, "[")) {
    if (text.find(']') == std::string_view::npos)
      return wrong("A host that begins with a bracket does not end with one.");
    one.host = take_until(text, ']');
    if (!is_bracketed_host(one.host)) return wrong("What stands in brackets is no address of IPv6.");
    if (!text.empty() && !text.starts_with(':'))
      return wrong("Behind a host in brackets stands something else than a port.");
  } else {
    one.host = text.substr(0, text.find(':'));
    text.remove_prefix(one.host.size());
    if (one.host.empty()) return wrong("A host is missing.");
    if (!is_host(one.host)) return wrong("A host is not a name or an address.");
  }
  one.port = default_port;
  if (take_prefix(text, ":")) {
    auto const port = parse_port(text);
    if (!port) return wrong("A port is not a number from 1 to 65535.");
    one.port = *port;
  }
  return one;
}

/// The scheme says the topology and whether to use TLS.
bool take_scheme(std::string_view& text, address& out) {
  if (take_prefix(text, "rediss")) {
    out.tls = true;
  } else if (!take_prefix(text, "redis")) {
    return false;
  }
  if (take_prefix(text, "+sentinel")) {
    out.kind = address::topology::sentinel;
  } else if (take_prefix(text, "+cluster")) {
    out.kind = address::topology::cluster;
  }
  return take_prefix(text, "://");
}

result<void> parse_credentials(std::string_view text, address& out) {
  auto const user = decode(take_until(text, ':'));
  auto const password = decode(text);
  if (!user || !password) return wrong("In the user or the password, an escape is not % and two hexadecimal digits.");
  if (password->empty() && !user->empty()) return wrong("There is a user and no password.");
  out.user = *user;
  out.password = *password;
  return {};
}

result<void> parse_nodes(std::string_view text, address& out) {
  auto const port = out.kind == address::topology::sentinel ? sentinel_port : server_port;
  do {
    auto one = parse_node(take_until(text, ','), port);
    if (!one) return one.error();
    if (out.nodes.size() == nodes_max) return wrong("There are more than 64 hosts.");
    out.nodes.push_back(std::move(*one));
  } while (!text.empty());
  if (out.kind == address::topology::single && out.nodes.size() > 1) {
    return wrong("Several hosts need redis+sentinel:// or redis+cluster://.");
  }
  return {};
}

result<void> parse_path(std::string_view path, address& out) {
  if (out.kind == address::topology::sentinel) {
    auto const name = decode(take_until(path, '/'));
    if (!name || name->empty()) return wrong("After the sentinels, the name of the master is missing.");
    out.master_name = *name;
  }
  if (path.empty()) return {};
  auto const database = parse_number<std::uint32_t>(path, database_max);
  if (!database) return wrong("The database is not a number from 0 to 65535.");
  if (out.kind == address::topology::cluster && *database != 0) return wrong("A cluster has database 0 alone.");
  out.database = *database;
  return {};
}

result<void> parse_query(std::string_view query, address& out) {
  while (!query.empty()) {
    auto pair = take_until(query, '&');
    auto const name = take_until(pair, '=');
    auto const value = decode(pair);
    if (!value || value->empty()) return wrong("A parameter behind the question mark has no value.");
    std::string* const target = name == "ca"            ? &out.ca
                                : name == "cert"        ? &out.certificate
                                : name == "key"         ? &out.key
                                : name == "server_name" ? &out.server_name
                                                        : nullptr;
    if (!target) return wrong("Behind the question mark, only ca, cert, key and server_name are known.");
    if (!target->empty()) return wrong("A parameter behind the question mark is there twice.");
    if (!out.tls) return wrong("Certificates need rediss://.");
    *target = *value;
  }
  if (out.certificate.empty() != out.key.empty()) return wrong("cert and key belong together.");
  return {};
}

}  // namespace

std::string to_string(node const& one) {
  auto const host = one.host.find(':') == std::string::npos ? one.host : '[' + one.host + ']';
  return host + ':' + std::to_string(one.port);
}

result<address> parse_address(std::string_view text) {
  if (text.size() > address_bytes_max) return wrong("It is longer than 4096 bytes.");
  address out;
  if (!take_scheme(text, out)) {
    return wrong("It does not begin with redis://, rediss://, or one of these with +sentinel or +cluster.");
  }
  // The last @ ends the password, which may contain a question mark or a slash that the user forgot to escape.
  auto const at = text.rfind('@');
  if (at != std::string_view::npos) {
    if (auto const done = parse_credentials(text.substr(0, at), out); !done) return done.error();
    text.remove_prefix(at + 1);
  }
  auto query = text;
  text = take_until(query, '?');
  auto path = text;
  text = take_until(path, '/');
  if (auto const done = parse_nodes(text, out); !done) return done.error();
  if (auto const done = parse_path(path, out); !done) return done.error();
  if (auto const done = parse_query(query, out); !done) return done.error();
  return out;
}

std::string to_string(address const& where) {
  std::string text = where.tls ? "rediss" : "redis";
  if (where.kind == address::topology::sentinel) text += "+sentinel";
  if (where.kind == address::topology::cluster) text += "+cluster";
  text += "://";
  for (auto const& one : where.nodes) {
    if (!text.ends_with('/')) text += ',';
    text += to_string(one);
  }
  if (!where.master_name.empty()) text.append("/").append(where.master_name);
  if (where.database != 0) text.append("/").append(std::to_string(where.database));
  return text;
}

}  // namespace petstore::redis
