// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "petstore/server/header_fields.hpp"

/// Finds the known_field of a field name. Any thread.
namespace petstore::server {

namespace detail {

/// The names of the enumerators with hyphens, concatenated.
inline constexpr auto known_name_text = [] {
  constexpr std::size_t size = [] {
    std::size_t sum = 0;
    for (auto const& field : enumerators<known_field>) sum += field.word.size();
    return sum;
  }();
  std::array<char, size> text{};
  auto end = text.begin();
  for (auto const& field : enumerators<known_field>) end = std::ranges::replace_copy(field.word, end, '_', '-').out;
  return text;
}();

}  // namespace detail

/// In the order of the enumeration; lower-case letters and hyphens.
inline constexpr auto known_names = [] {
  std::array<std::string_view, known_field_count> names;
  char const* begin = detail::known_name_text.data();
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = {begin, enumerators<known_field>[i].word.size()};
    begin += names[i].size();
  }
  return names;
}();

namespace detail {

inline constexpr std::size_t name_slots = 64;
inline constexpr std::size_t name_size_min = 4;

/// A hash of size and first letter, independent of case.
constexpr std::size_t name_slot(std::string_view name, std::size_t multiplier) noexcept {
  return (name.size() * multiplier + static_cast<unsigned char>(name[0] | 0x20)) % name_slots;
}

/// The multiplier that gives each name a slot of its own. If there is none, this does not compile.
consteval std::size_t find_name_multiplier() {
  for (std::size_t m = 1; m < name_slots; ++m) {
    std::array<bool, name_slots> taken{};
    bool is_unique = true;
    for (auto const name : known_names) {
      auto& slot = taken[name_slot(name, m)];
      is_unique = is_unique && !slot;
      slot = true;
    }
    if (is_unique) return m;
  }
  throw "two names share a slot";
}
inline constexpr std::size_t name_multiplier = find_name_multiplier();

consteval auto make_name_table() {
  std::array<std::uint8_t, name_slots> table;
  table.fill(known_field_count);
  for (std::size_t i = 0; i < known_field_count; ++i) {
    if (known_names[i].size() < name_size_min) throw "too short to be compared by words";
    table[name_slot(known_names[i], name_multiplier)] = static_cast<std::uint8_t>(i);
  }
  return table;
}
inline constexpr auto name_table = make_name_table();

/// Whether sizeof(Word) characters are equal after lowering `token`. Setting the bit 0x20 lowers a letter, does not
/// change a hyphen, and turns no other character of a token into one of these.
template <class Word>
bool is_same_word(char const* token, char const* lowered) noexcept {
  Word a, b;
  std::memcpy(&a, token, sizeof a);
  std::memcpy(&b, lowered, sizeof b);
  return (a | static_cast<Word>(0x2020202020202020)) == b;
}

/// Compares word by word; the last word overlaps the one before it.
template <class Word>
bool is_same_by_words(std::string_view token, std::string_view lowered) noexcept {
  std::size_t const last = lowered.size() - sizeof(Word);
  for (std::size_t i = 0; i < last; i += sizeof(Word))
    if (!is_same_word<Word>(token.data() + i, lowered.data() + i)) return false;
  return is_same_word<Word>(token.data() + last, lowered.data() + last);
}

}  // namespace detail

/// `token` must be a token (RFC 9110, 5.6.2), as every field name is.
inline std::optional<known_field> find_known_field(std::string_view token) noexcept {
  std::size_t const i = detail::name_table[detail::name_slot(token, detail::name_multiplier)];
  if (i == known_field_count || known_names[i].size() != token.size()) return std::nullopt;
  bool const is_same = token.size() >= sizeof(std::uint64_t)
                           ? detail::is_same_by_words<std::uint64_t>(token, known_names[i])
                           : detail::is_same_by_words<std::uint32_t>(token, known_names[i]);
  return is_same ? std::optional{static_cast<known_field>(i)} : std::nullopt;
}

}  // namespace petstore::server
