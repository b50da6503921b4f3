// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <optional>
#include <system_error>

#include "petstore/whole_number.hpp"

namespace petstore::program {
namespace {

/// Splits a text such as `10s` into number and unit, and multiplies. Returns nullopt if the text is not of that form or
/// the product does not fit.
template <std::size_t N>
std::optional<std::int64_t> number_with_unit(std::string_view text,
                                             std::array<std::pair<std::string_view, std::int64_t>, N> const& units) {
  auto const digits = std::min(text.find_first_not_of("0123456789"), text.size());
  auto const number = whole_number(text.substr(0, digits));
  auto const unit = std::ranges::find(units, text.substr(digits), [](auto const& u) { return u.first; });
  std::int64_t product = 0;
  if (!number || unit == units.end() || __builtin_mul_overflow(*number, unit->second, &product)) return std::nullopt;
  return product;
}

/// Writes a duration in days, hours, seconds or milliseconds, in the largest of these units in which it is whole.
std::string to_text(std::chrono::milliseconds d) {
  auto const ms = d.count();
  if (ms != 0 && ms % 86'400'000 == 0) return fmt::format("{}d", ms / 86'400'000);
  if (ms != 0 && ms % 3'600'000 == 0) return fmt::format("{}h", ms / 3'600'000);
  return ms % 1000 == 0 ? fmt::format("{}s", ms / 1000) : fmt::format("{}ms", ms);
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._:[]").find(c) != std::string_view::npos;
}

/// Returns the `host[:port]` behind `http://` or `https://`, or an empty view.
std::string_view authority_of(std::string_view url) {
  for (std::string_view const scheme : {"http://", "https://"}) {
    if (!url.starts_with(scheme)) continue;
    url.remove_prefix(scheme.size());
    auto const authority = url.substr(0, url.find('/'));
    return std::ranges::all_of(authority, is_host_character) ? authority : std::string_view{};
  }
  return {};
}

bool is_plain_path(std::string_view path) {
  return std::ranges::all_of(path, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~/").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::int64_t parse_integer(std::string_view text, std::int64_t min, std::int64_t max) {
  auto const value = whole_number(text);
  if (!value) throw value_error("is not a whole number");
  if (*value < min || *value > max) throw value_error(fmt::format("is outside {} to {}", min, max));
  return *value;
}

bool parse_boolean(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  throw value_error("is neither true nor false");
}

std::chrono::milliseconds parse_duration(std::string_view text, std::chrono::milliseconds min,
                                         std::chrono::milliseconds max) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> units{
      {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
  auto const ms = number_with_unit(text, units);
  if (!ms) throw value_error("is not a duration such as 250ms, 10s, 5m or 24h");
  std::chrono::milliseconds const value{*ms};
  if (value < min || value > max) throw value_error(fmt::format("is outside {} to {}", to_text(min), to_text(max)));
  return value;
}

std::uint64_t parse_size(std::string_view text, std::uint64_t min, std::uint64_t max) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units{
      {{"", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}}};
  auto const bytes = number_with_unit(text, units);
  if (!bytes) throw value_error("is not a size such as 65536, 64KiB or 1MiB");
  auto const value = static_cast<std::uint64_t>(*bytes);
  if (value < min || value > max) throw value_error(fmt::format("is outside {} to {} bytes", min, max));
  return value;
}

boost::asio::ip::tcp::endpoint parse_endpoint(std::string_view text) {
  value_error const fault("is not an address and a port such as 127.0.0.1:8080 or [::1]:8080");
  auto const colon = text.rfind(':');
  if (colon == std::string_view::npos) throw fault;
  auto host = text.substr(0, colon);
  auto const port = whole_number(text.substr(colon + 1));
  bool const bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);

  boost::system::error_code failure;
  auto const address = boost::asio::ip::make_address(std::string(host), failure);
  if (failure || !port || *port < 0 || *port > 65'535 || bracketed != address.is_v6()) throw fault;
  return {address, static_cast<std::uint16_t>(*port)};
}

std::string to_text(boost::asio::ip::tcp::endpoint const& e) {
  auto const host = e.address().to_string();
  return e.address().is_v6() ? fmt::format("[{}]:{}", host, e.port()) : fmt::format("{}:{}", host, e.port());
}

std::vector<std::string> parse_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    auto const comma = std::min(text.find(','), text.size());
    auto part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (part.empty()) throw value_error("has an empty part between commas");
    parts.emplace_back(part);
  }
  return parts;
}

std::string parse_base_url(std::string_view text) {
  auto const authority = authority_of(text);
  auto const path = text.substr(std::min(text.find("://") + 3 + authority.size(), text.size()));
  if (authority.empty() || path.ends_with('/') || !is_plain_path(path)) {
    throw value_error("is not an address such as https://api.example.com/v1");
  }
  return std::string(text);
}

std::string parse_contact(std::string_view text) {
  auto const is_plain = [](char c) { return c > ' ' && c < '\x7f' && c != '"' && c != '<' && c != '>'; };
  auto const at = text.find('@');
  bool const is_url = !authority_of(text).empty();
  bool const is_email = at != 0 && at + 1 < text.size() && at == text.rfind('@') && at != std::string_view::npos &&
                        text.find("://") == std::string_view::npos;
  if (!std::ranges::all_of(text, is_plain) || (!is_url && !is_email))
    throw value_error("is neither an address such as https://example.com/support nor an e-mail address");
  return std::string(text);
}

std::string parse_host_name(std::string_view text) {
  bool const formed = !text.empty() && std::ranges::all_of(text, is_host_character) &&
                      text.find_first_of(":[]") == std::string_view::npos;
  if (!formed) throw value_error("is not a list of host names such as console.pets.example, without scheme and port");
  return std::string(text);
}

std::string parse_origin(std::string_view text) {
  auto const authority = authority_of(text);
  bool const whole = !authority.empty() && authority.data() + authority.size() == text.data() + text.size();
  if (text != "*" && !whole) throw value_error("is not an origin such as https://shop.example.com, nor *");
  return std::string(text);
}

std::string parse_base_path(std::string_view text) {
  bool const formed = text.size() > 1 && text.front() == '/' && text.back() != '/' && is_plain_path(text) &&
                      text.find("//") == std::string_view::npos;
  if (!formed) throw value_error("is not a path such as /v1");
  for (std::string_view const taken : {"/docs", "/livez", "/readyz"}) {
    if (text == taken) throw value_error("is the path of one of the service's own pages");
  }
  return std::string(text);
}

}  // namespace petstore::program
