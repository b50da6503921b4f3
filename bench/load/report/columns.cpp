// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/columns.hpp"

#include <algorithm>
#include <cstdint>

namespace petstore::load {
namespace {

constexpr std::size_t gap = 2;

/// The length of the first character, 1 to 4; 0 if it is not valid UTF-8 (RFC 3629).
std::size_t character_length(std::string_view text) noexcept {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  auto const lead = byte(0);
  auto const length = lead < 0x80 ? 1U : lead < 0xc2 ? 0U : lead < 0xe0 ? 2U : lead < 0xf0 ? 3U : lead < 0xf5 ? 4U : 0U;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Overlong forms, surrogates, and numbers above the last code point.
  if ((lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xed && byte(1) > 0x9f) || (lead == 0xf0 && byte(1) < 0x90) ||
      (lead == 0xf4 && byte(1) > 0x8f))
    return 0;
  return length;
}

bool is_control(std::string_view character) noexcept {
  auto const lead = static_cast<unsigned char>(character[0]);
  if (lead < 0x20 || lead == 0x7f) return true;
  return lead == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;  // U+0080 to U+009F
}

/// Counts the bytes that begin a character. Escape sequences take no column.
template <class Visitor>
void for_each_column(std::string_view text, Visitor&& visit) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size() - 1);
      continue;
    }
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) visit(i);
  }
}

}  // namespace

std::string painted(std::string_view text, ink with, bool colour) {
  if (!colour || with == ink::plain) return std::string(text);
  auto const* begin = with == ink::strong ? "\x1b[1m" : with == ink::loud ? "\x1b[1;31m" : "\x1b[2m";
  return begin + std::string(text) + "\x1b[0m";
}

std::string shown(std::string_view text) {
  std::string harmless;
  harmless.reserve(text.size());
  while (!text.empty()) {
    auto const length = character_length(text);
    if (length == 0 || is_control(text)) {
      harmless += '?';
    } else {
      harmless.append(text.substr(0, length));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return harmless;
}

std::size_t width_of(std::string_view text) noexcept {
  std::size_t width = 0;
  for_each_column(text, [&](std::size_t) { ++width; });
  return width;
}

std::string fitted(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t seen = 0;
  std::size_t end = text.size();
  for_each_column(text, [&](std::size_t at) {
    if (++seen == width) end = at;
  });
  return std::string(text.substr(0, end)) + "…";
}

std::string columns::text(text_style style) const {
  std::vector<std::size_t> widths(alignments_.size());
  auto const measure = [&](std::vector<std::string> const& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  };
  measure(head_);
  for (auto const& row : rows_) measure(row);
  std::string text;
  if (!head_.empty()) text += painted(row_text(head_, widths, style), ink::quiet, style.colour) + "\n";
  for (auto const& row : rows_) text += row_text(row, widths, style) + "\n";
  return text;
}

std::string columns::row_text(std::vector<std::string> const& cells, std::vector<std::size_t> const& widths,
                              text_style style) const {
  std::string line;
  std::size_t used = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line.append(gap, ' ');
    used += gap;
    auto cell = cells[i];
    bool const last = i + 1 == cells.size();
    if (last && alignments_[i] == left) cell = fitted(cell, style.width > used ? style.width - used : 0);
    auto const width = width_of(cell);
    auto const pad = widths[i] - std::min(widths[i], width);
    if (alignments_[i] == right) line.append(pad, ' ');
    line += cell;
    if (alignments_[i] == left && !last) line.append(pad, ' ');
    used += widths[i];
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace petstore::load
