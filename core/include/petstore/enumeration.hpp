// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <boost/describe/enumerators.hpp>
#include <cstddef>
#include <optional>
#include <string_view>

/// Enumerations that Boost.Describe knows: the names of the enumerators are the words that clients send and read, so
/// that they stand in one place. Nothing here allocates or throws; any thread.
namespace petstore {

/// A value and the name it was described by.
template <class Enum>
struct enumerator {
  Enum value;             ///< as the program knows it
  std::string_view word;  ///< as clients know it; static storage
};

namespace detail {

template <class Enum, template <class...> class List, class... Descriptor>
constexpr std::array<enumerator<Enum>, sizeof...(Descriptor)> enumerators_in(List<Descriptor...>) {
  return {{{Descriptor::value, Descriptor::name}...}};
}

}  // namespace detail

/// In the order in which they were described.
template <class Enum>
inline constexpr auto enumerators = detail::enumerators_in<Enum>(boost::describe::describe_enumerators<Enum>{});

/// Empty for a number that is none of the enumerators'.
template <class Enum>
constexpr std::string_view word_of(Enum value) noexcept {
  for (auto const& known : enumerators<Enum>)
    if (known.value == value) return known.word;
  return {};
}

/// nullopt for a text that is none of the words.
template <class Enum>
constexpr std::optional<Enum> parse_word(std::string_view text) noexcept {
  for (auto const& known : enumerators<Enum>)
    if (known.word == text) return known.value;
  return std::nullopt;
}

namespace detail {

inline constexpr std::string_view rule_begin = "must be one of ";
inline constexpr std::string_view rule_comma = ", ";

template <class Enum>
constexpr std::size_t rule_size() {
  std::size_t size = rule_begin.size() + rule_comma.size() * (enumerators<Enum>.size() - 1);
  for (auto const& known : enumerators<Enum>) size += known.word.size();
  return size;
}

template <class Enum>
inline constexpr auto rule_text = [] {
  std::array<char, rule_size<Enum>()> text{};
  auto end = std::ranges::copy(rule_begin, text.begin()).out;
  for (bool is_first = true; auto const& known : enumerators<Enum>) {
    if (!is_first) end = std::ranges::copy(rule_comma, end).out;
    end = std::ranges::copy(known.word, end).out;
    is_first = false;
  }
  return text;
}();

}  // namespace detail

/// What is said of a text that is none of the words: `must be one of available, pending, sold`.
template <class Enum>
inline constexpr std::string_view must_be_one_of{detail::rule_text<Enum>.data(), detail::rule_text<Enum>.size()};

}  // namespace petstore
