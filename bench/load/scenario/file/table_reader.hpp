// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A table of a TOML file while it is read: hands out its members, and knows which ones nobody asked for.
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

/// Every function that finds something wrong says so in the list and returns nothing.
class table_reader {
 public:
  table_reader(toml::table const& table, mistake_list& wrong) : table_(table), wrong_(wrong) {}

  /// Null when there is none. The name is known from now on.
  toml::node const* find(std::string_view name);

  std::optional<std::string> text(std::string_view name);
  std::optional<bool> flag(std::string_view name);
  std::optional<std::uint64_t> whole(std::string_view name, std::uint64_t least, std::uint64_t most);
  std::optional<double> number(std::string_view name, double more_than, double most);
  toml::table const* table(std::string_view name);
  std::vector<toml::table const*> tables(std::string_view name);  ///< `[[name]]`

  /// A string, or a number as it would be written in one, read by `parse`.
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

  /// Tells of every member that was not asked for.
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
