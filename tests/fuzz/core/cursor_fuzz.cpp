// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/cursor.hpp"

#include <string>

#include "fuzz/require.hpp"
#include "fuzz/target.hpp"

/// Cursors: each has exactly one text; a text with a character changed, added or removed is not a cursor.
namespace petstore::fuzz {
namespace {

void require_one_text(cursor const& c) {
  auto const text = to_string(c);
  auto const parsed = parse_cursor(text);
  require(parsed && *parsed == c, "a cursor comes back from its text", text);

  // Each input tries a few positions; all inputs together try all.
  for (std::size_t i = static_cast<std::size_t>(c.after) % 8; i < text.size(); i += 8) {
    require(!parse_cursor(text.substr(0, i)), "a shorter text is no cursor", text);
    auto changed = text;
    // The position chooses the other character, so that different positions try different characters.
    constexpr std::string_view others = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ ";
    changed[i] = others[(others.find(text[i]) + 1 + i) % others.size()];
    require(changed == text || !parse_cursor(changed), "a changed text is no cursor", text, changed);
  }
  for (char const more : {'A', '=', ' '}) require(!parse_cursor(text + more), "a longer text is no cursor", text);
}

cursor make_cursor(std::string_view bytes) {
  auto const take = [&bytes](std::size_t width) {
    std::uint64_t number = 0;
    for (; width != 0 && !bytes.empty(); --width, bytes.remove_prefix(1))
      number = number << 8 | static_cast<unsigned char>(bytes.front());
    return number;
  };
  cursor c;
  c.kind = static_cast<record_kind>(1 + take(1) % 3);
  auto const bits = take(1);
  auto const filters = filters_of(c.kind);
  for (std::size_t i = 0; i < filters.size(); ++i)
    if ((bits >> i & 1) != 0) c.filters[i] = static_cast<std::int64_t>(take(filters[i].width));
  c.after = static_cast<std::int64_t>(take(8));
  return c;
}

}  // namespace

void check(std::string_view input) {
  if (auto const c = parse_cursor(input)) require(to_string(*c) == input, "a cursor has one text", input);
  require_one_text(make_cursor(input));
}

}  // namespace petstore::fuzz
