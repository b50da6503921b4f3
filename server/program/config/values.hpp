// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "petstore/enumeration.hpp"

/// Parse the texts of flags, variables and files. Each function throws value_error if the text is not of its form.
namespace petstore::program {

/// The fault of a value, worded to follow the value: `is not a duration such as 250ms, 10s or 24h`.
struct value_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

std::int64_t parse_integer(std::string_view, std::int64_t min, std::int64_t max);

/// The same, converted to a type that can hold the whole range.
template <std::integral T>
T parse_integer_as(std::string_view text, std::int64_t min, std::int64_t max) {
  return static_cast<T>(parse_integer(text, min, max));
}

bool parse_boolean(std::string_view);

/// Parses a whole number and its unit: ms, s, m, h or d.
std::chrono::milliseconds parse_duration(std::string_view, std::chrono::milliseconds min,
                                         std::chrono::milliseconds max);

/// Parses a number of bytes, or a whole number of KiB, MiB or GiB.
std::uint64_t parse_size(std::string_view, std::uint64_t min, std::uint64_t max);

/// Parses `127.0.0.1:8080` or `[::1]:8080`. It looks up no names, so that the server binds exactly the address that the
/// user wrote.
boost::asio::ip::tcp::endpoint parse_endpoint(std::string_view);

/// The inverse of parse_endpoint.
std::string to_text(boost::asio::ip::tcp::endpoint const&);

/// Splits a text at its commas, and removes the spaces around the parts. An empty text is an empty list.
std::vector<std::string> parse_list(std::string_view);

/// Parses one of these words.
template <class T>
T parse_choice(std::string_view text, std::initializer_list<std::pair<std::string_view, T>> choices) {
  std::string known;
  for (auto const& [name, value] : choices) {
    if (name == text) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw value_error("is none of " + known);
}

/// Parses a word of an enumeration that is described (petstore/enumeration.hpp). `other`: a word that the caller takes
/// itself; the error names it first.
template <class Enum>
Enum parse_enumerator(std::string_view text, std::string_view other = {}) {
  if (auto const value = parse_word<Enum>(text)) return *value;
  std::string known{other};
  for (auto const& each : enumerators<Enum>) known.append(known.empty() ? "" : ", ").append(each.word);
  throw value_error("is none of " + known);
}

/// Parses an http or https address, with or without a path, but without query, fragment or trailing slash.
std::string parse_base_url(std::string_view);

/// Parses an http or https address, or an e-mail address.
std::string parse_contact(std::string_view);

/// Parses a name such as `console.pets.example`, which a browser sends as Host, without the port.
std::string parse_host_name(std::string_view);

/// Parses what a browser sends as Origin: scheme://host[:port], or `*` for any.
std::string parse_origin(std::string_view);

/// Parses a path such as `/v1`, which starts with a slash, does not end with one, and needs no percent-encoding.
std::string parse_base_path(std::string_view);

}  // namespace petstore::program
