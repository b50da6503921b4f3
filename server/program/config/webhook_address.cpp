// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/webhook_address.hpp"

#include <algorithm>
#include <boost/asio/ip/address_v6.hpp>

#include "config/values.hpp"

namespace petstore::program {
namespace {

constexpr std::string_view plain_scheme = "http://";
constexpr std::string_view encrypted_scheme = "https://";

bool may_be_in_a_target(char c) {
  return c > ' ' && c < '\x7f' && std::string_view{"\"<>#`"}.find(c) == std::string_view::npos;
}

bool may_be_in_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

bool is_literal_v6(std::string const& host) {
  boost::system::error_code failed;
  boost::asio::ip::make_address_v6(host, failed);
  return !failed;
}

}  // namespace

webhook_address parse_webhook_address(std::string_view text) {
  value_error const fault{"is not an address such as https://hooks.example.com/petstore"};
  webhook_address out;
  out.is_encrypted = text.starts_with(encrypted_scheme);
  if (!out.is_encrypted && !text.starts_with(plain_scheme)) throw fault;
  text.remove_prefix(out.is_encrypted ? encrypted_scheme.size() : plain_scheme.size());

  auto const end = std::min(text.find_first_of("/?"), text.size());
  out.authority = text.substr(0, end);
  out.target = text.substr(end);
  if (!out.target.starts_with('/')) out.target.insert(0, 1, '/');
  if (!std::ranges::all_of(out.target, may_be_in_a_target)) throw fault;
  if (out.authority.find('@') != out.authority.npos) throw value_error{"has a user name, which cannot be sent"};

  auto const bracket = out.authority.find(']');
  bool const is_v6 = out.authority.starts_with('[') && bracket != out.authority.npos;
  auto const colon = out.authority.find(':', is_v6 ? bracket : 0);
  auto const host_end = is_v6 ? bracket + 1 : std::min(colon, out.authority.size());
  out.host = is_v6 ? out.authority.substr(1, bracket - 1) : out.authority.substr(0, host_end);
  std::string_view const rest = std::string_view{out.authority}.substr(host_end);
  bool const is_named = !out.host.empty() && std::ranges::all_of(out.host, may_be_in_a_name);
  if (is_v6 ? !is_literal_v6(out.host) : !is_named) throw fault;
  if (rest.empty()) {
    out.port = out.is_encrypted ? 443 : 80;
  } else if (rest.starts_with(':')) {
    out.port = parse_integer_as<std::uint16_t>(rest.substr(1), 1, 65'535);
  } else {
    throw fault;
  }
  return out;
}

}  // namespace petstore::program
