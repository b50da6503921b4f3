// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/file/table_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "scenario/near_name.hpp"

namespace petstore::load {
namespace {

std::string digits_of(double n) {
  std::array<char, 32> digits;
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr;
  return {digits.data(), end};
}

}  // namespace

file_place place_of(toml::node const& node) {
  return {node.source().begin.line, node.source().begin.column};
}

toml::node const* table_reader::find(std::string_view name) {
  known_.push_back(name);
  return table_.get(name);
}

void table_reader::add(toml::node const& node, std::string_view name, std::string_view what) {
  wrong_.add(place_of(node), "`" + std::string(name) + "` " + std::string(what));
}

std::optional<std::string> table_reader::text_or_number(toml::node const& node) {
  if (auto const* const text = node.as_string()) return text->get();
  if (auto const* const whole = node.as_integer()) return std::to_string(whole->get());
  if (auto const* const number = node.as_floating_point()) return digits_of(number->get());
  return std::nullopt;
}

std::optional<std::string> table_reader::text(std::string_view name) {
  auto const* const node = find(name);
  if (node == nullptr) return std::nullopt;
  if (auto const* const text = node->as_string()) return text->get();
  add(*node, name, "is a string");
  return std::nullopt;
}

std::optional<bool> table_reader::flag(std::string_view name) {
  auto const* const node = find(name);
  if (node == nullptr) return std::nullopt;
  if (auto const* const truth = node->as_boolean()) return truth->get();
  add(*node, name, "is true or false");
  return std::nullopt;
}

std::optional<std::uint64_t> table_reader::whole(std::string_view name, std::uint64_t least, std::uint64_t most) {
  auto const* const node = find(name);
  if (node == nullptr) return std::nullopt;
  auto const* const number = node->as_integer();
  if (number != nullptr && number->get() >= 0) {
    auto const n = static_cast<std::uint64_t>(number->get());
    if (n >= least && n <= most) return n;
  }
  add(*node, name, "is a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return std::nullopt;
}

std::optional<double> table_reader::number(std::string_view name, double more_than, double most) {
  auto const* const node = find(name);
  if (node == nullptr) return std::nullopt;
  auto const n = node->value<double>();
  if (n && *n > more_than && *n <= most) return n;
  add(*node, name, "is a number of more than " + digits_of(more_than) + " and at most " + digits_of(most));
  return std::nullopt;
}

toml::table const* table_reader::table(std::string_view name) {
  auto const* const node = find(name);
  if (node == nullptr || node->is_table()) return node == nullptr ? nullptr : node->as_table();
  add(*node, name, "is a table: [" + std::string(name) + "] on a line of its own, with its members below");
  return nullptr;
}

std::vector<toml::table const*> table_reader::tables(std::string_view name) {
  std::vector<toml::table const*> found;
  auto const* const node = find(name);
  if (node == nullptr) return found;
  auto const* const array = node->as_array();
  bool sound = array != nullptr;
  for (std::size_t i = 0; sound && i < array->size(); ++i) {
    found.push_back(array->get(i)->as_table());
    sound = found.back() != nullptr;
  }
  if (sound) return found;
  add(*node, name, "is written as [[" + std::string(name) + "]], once for each");
  return {};
}

void table_reader::finish() {
  for (auto const& [key, node] : table_) {
    if (std::ranges::find(known_, key.str()) != known_.end()) continue;
    wrong_.add({key.source().begin.line, key.source().begin.column}, unknown_name(key.str(), known_));
  }
}

}  // namespace petstore::load
