// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Reads a table of a TOML file, and knows which members were not read.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsed.hpp"
#include "scenario/file/mistakes.hpp"

namespace petstore::load {

file_place place_of(toml::node const&);

/// A function that finds a mistake adds it to the list and returns an empty result.
class table_reader {
 public:
  table_reader(toml::table const& table, mistake_list& wrong) : table_(table), wrong_(wrong) {}

  /// Null if there is none. The name counts as known from now on.
  toml::node const* find(std::string_view name);

  std::optional<std::string> text(std::string_view name);
  std::optional<bool> flag(std::string_view name);
  std::optional<std::uint64_t> whole(std::string_view name, std::uint64_t least, std::uint64_t most);
  std::optional<double> number(std::string_view name, double more_than, double most);
  toml::table const* table(std::string_view name);
  std::vector<toml::table const*> tables(std::string_view name);  ///< `[[name]]`

  /// A value that `parse` reads from a string, or from a number as text.
  template <class Parse>
  auto read(std::string_view name, Parse parse) -> decltype(parse(std::string_view()).value) {
    auto const* const node = find(name);
    if (node == nullptr) return std::nullopt;
    auto const written = text_or_number(*node);
    if (!written) {
      add(*node, name, "is a string");
      return std::nullopt;
    }
    auto outcome = parse(std::string_view(*written));
    if (!outcome.value) wrong_.add(place_of(*node), outcome.mistake);
    return std::move(outcome.value);
  }

  /// Adds a mistake for every member whose name is not known.
  void finish();

  file_place place() const { return place_of(table_); }
  mistake_list& wrong() const noexcept { return wrong_; }

 private:
  static std::optional<std::string> text_or_number(toml::node const&);
  void add(toml::node const&, std::string_view name, std::string_view what);

  toml::table const& table_;
  mistake_list& wrong_;
  std::vector<std::string_view> known_;
};

}  // namespace petstore::load
