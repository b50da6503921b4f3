// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <boost/describe/enumerators.hpp>
#include <cstddef>
#include <optional>
#include <string_view>

/// Enumerations described with Boost.Describe. The names of the enumerators are the words that clients send and read,
/// so each word is written in one place. Nothing here allocates or throws; any thread.
namespace petstore {

/// A value and its name.
template <class Enum>
struct enumerator {
  Enum value;             ///< the value in the program
  std::string_view word;  ///< the word for clients; static storage
};

namespace detail {

template <class Enum, template <class...> class List, class... Descriptor>
constexpr std::array<enumerator<Enum>, sizeof...(Descriptor)> enumerators_in(List<Descriptor...>) {
  return {{{Descriptor::value, Descriptor::name}...}};
}

}  // namespace detail

/// All enumerators, in the order of their description.
template <class Enum>
inline constexpr auto enumerators = detail::enumerators_in<Enum>(boost::describe::describe_enumerators<Enum>{});

/// The word of a value; empty for a number that is no enumerator.
template <class Enum>
constexpr std::string_view word_of(Enum value) noexcept {
  for (auto const& known : enumerators<Enum>)
    if (known.value == value) return known.word;
  return {};
}

/// The value of a word; nullopt for any other text.
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

/// The error message for a text that is none of the words: `must be one of available, pending, sold`.
template <class Enum>
inline constexpr std::string_view must_be_one_of{detail::rule_text<Enum>.data(), detail::rule_text<Enum>.size()};

}  // namespace petstore
