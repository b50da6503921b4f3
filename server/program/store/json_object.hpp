// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/json.hpp"

namespace petstore::program {

/// Writes one JSON object, member by member. An empty optional is left out.
class json_object {
 public:
  json_object& add(std::string_view name, std::string_view value) {
    begin(name);
    append_json_string(text_, value);
    return *this;
  }
  json_object& add(std::string_view name, std::integral auto value) {
    begin(name);
    text_ += std::to_string(value);
    return *this;
  }
  template <class T>
  json_object& add(std::string_view name, std::optional<T> const& value) {
    return value ? add(name, *value) : *this;
  }
  std::string text() const { return text_ + '}'; }

 private:
  void begin(std::string_view name) {
    if (text_.size() > 1) text_ += ',';
    append_json_string(text_, name);
    text_ += ':';
  }

  std::string text_ = "{";
};

}  // namespace petstore::program
