// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace contract {

struct json_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A JSON value. The parser follows RFC 8259 strictly: repeated members, trailing bytes, numbers with leading zeros, raw
// control characters and invalid UTF-8 are errors. It shares no code with the service on purpose, so that the two
// cannot share a mistake. Accessors throw json_error if the value has another type.
class json {
 public:
  using array = std::vector<json>;
  using object = std::vector<std::pair<std::string, json>>;

  static json parse(std::string_view text);

  bool is_null() const;
  bool boolean() const;
  // Throws for fractions and exponents: all numbers of the contract are integers.
  std::int64_t integer() const;
  const std::string& text() const;
  const array& elements() const;
  const object& members() const;
  std::size_t size() const;

  bool has(std::string_view name) const;
  const json& operator[](std::string_view name) const;
  const json& operator[](std::size_t index) const;

 private:
  friend class json_reader;
  struct number {
    std::string digits;
  };
  std::variant<std::nullptr_t, bool, number, std::string, array, object> value_;
};

// The text as a JSON string with its quotes; bytes from 0x80 on are not changed.
std::string json_text(std::string_view text);

}  // namespace contract
