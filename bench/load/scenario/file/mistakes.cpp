// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/file/mistakes.hpp"

#include <algorithm>
#include <tuple>

namespace petstore::load {
namespace {

constexpr std::string_view template_begin = "{{";

/// The position of the byte at this offset.
file_place place_at(std::string_view text, std::size_t offset) {
  file_place at;
  for (char const c : text.substr(0, offset)) {
    if (c == '\n') {
      ++at.line;
      at.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {  // the first byte of a character
      ++at.column;
    }
  }
  return at;
}

std::size_t offset_of(std::string_view text, file_place place) {
  file_place at;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (at.line > place.line || (at.line == place.line && at.column >= place.column)) return i;
    auto const next = place_at(text.substr(i), 1);
    at = next.line > 1 ? file_place{at.line + 1, 1} : file_place{at.line, at.column + next.column - 1};
  }
  return text.size();
}

std::size_t openings_in(std::string_view text) {
  std::size_t count = 0;
  for (auto at = text.find(template_begin); at != text.npos; at = text.find(template_begin, at + template_begin.size()))
    ++count;
  return count;
}

std::string sentence(std::string_view file, file_place at, std::string_view what) {
  return std::string(file)
      .append(":")
      .append(std::to_string(at.line))
      .append(":")
      .append(std::to_string(at.column))
      .append(": ")
      .append(what);
}

}  // namespace

void mistake_list::add(file_place at, std::string_view what) {
  told_.push_back({at, sentence(file_, at, what)});
}

void mistake_list::add(file_place string_begin, std::string_view value, template_mistake const& wrong) {
  // Escapes and line ends make a string in the file longer than its value. But braces are not written as escapes, so
  // the n-th braces of the value are the n-th braces of the file.
  auto at = text_.find(template_begin, offset_of(text_, string_begin));
  for (auto before = openings_in(value.substr(0, wrong.offset)); before > 0 && at != text_.npos; --before)
    at = text_.find(template_begin, at + template_begin.size());
  add(at == text_.npos ? string_begin : place_at(text_, at), wrong.what);
}

void mistake_list::add_in(std::string_view file, std::string_view contents, template_mistake const& wrong) {
  told_.push_back({{}, sentence(file, place_at(contents, wrong.offset), wrong.what)});
}

std::vector<std::string> mistake_list::sentences() const {
  auto in_order = told_;
  std::ranges::stable_sort(in_order, {}, [](told const& t) { return std::tuple(t.at.line, t.at.column); });
  std::vector<std::string> all;
  for (auto& t : in_order) all.push_back(std::move(t.sentence));
  return all;
}

}  // namespace petstore::load
