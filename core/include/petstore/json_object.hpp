// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "petstore/enumeration.hpp"
#include "petstore/export.hpp"
#include "petstore/order.hpp"

namespace petstore {

/// Appends one JSON object to a text, member by member, without white space. `close` ends it; until then nobody else
/// writes to the text, but for the objects within this one. Names are written as they stand, so nothing in them may
/// need an escape; texts must be valid UTF-8. One thread at a time.
class PETSTORE_EXPORT json_object {
 public:
  /// Begins the object.
  explicit json_object(std::string& out) : out_{out} { out_.push_back('{'); }

  /// @{
  /// Adds a string, an integer, true or false, a time (RFC 3339), a described enumerator's word; leaves out what is
  /// absent.
  json_object& add(std::string_view name, std::string_view value);
  json_object& add(std::string_view name, std::int64_t value);
  json_object& add(std::string_view name, std::uint64_t value);
  json_object& add(std::string_view name, unix_ms value);
  json_object& add(std::string_view name, std::integral auto value) {
    if constexpr (std::same_as<decltype(value), bool>) {
      return add_json(name, value ? "true" : "false");
    } else if constexpr (std::signed_integral<decltype(value)>) {
      return add(name, std::int64_t{value});
    } else {
      return add(name, std::uint64_t{value});
    }
  }
  template <class Enum>
  requires std::is_enum_v<Enum> json_object& add(std::string_view name, Enum value) {
    return add(name, word_of(value));
  }
  template <class T>
  json_object& add(std::string_view name, std::optional<T> const& value) {
    return value ? add(name, *value) : *this;
  }
  /// @}
  /// Adds a value like `add`, or null where there is none.
  template <class T>
  json_object& add_or_null(std::string_view name, std::optional<T> const& value) {
    return value ? add(name, *value) : add_json(name, "null");
  }
  /// Adds a value that is JSON already.
  json_object& add_json(std::string_view name, std::string_view json);
  /// Adds an object, which is to be closed before anything else is added to this one.
  json_object add_object(std::string_view name);

  /// Ends the object.
  void close() { out_.push_back('}'); }

 private:
  void begin(std::string_view name);

  std::string& out_;
};

}  // namespace petstore
