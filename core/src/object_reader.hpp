// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parse_members.hpp"
#include "petstore/enumeration.hpp"
#include "petstore/error.hpp"
#include "petstore/order.hpp"

namespace petstore {

/// Reads the members of one JSON object. The constructor parses. Then the caller reads each member once, in the order
/// of the contract; a member that does not fit adds a fault. `finish` returns the record, or all faults
/// together. A bad body throws nothing. One thread.
class object_reader {
 public:
  enum class unknown_members : std::uint8_t { ignored, refused };

  object_reader(std::string_view body, std::span<std::string_view const> names,
                unknown_members = unknown_members::ignored);
  object_reader(std::string_view body, std::initializer_list<std::string_view> names,
                unknown_members unknown = unknown_members::ignored)
      : object_reader{body, std::span{names.begin(), names.size()}, unknown} {}

  /// Required members. After a fault the returned value is not used.
  std::int64_t integer(std::string_view name);
  std::int64_t id(std::string_view name);  ///< an integer from 1
  std::string string(std::string_view name);
  std::string checked_name(std::string_view name);  ///< a string that follows the rules for names
  unix_ms time(std::string_view name);

  /// Optional members, which must not be null.
  std::optional<std::int64_t> optional_integer(std::string_view name);
  std::optional<std::int64_t> optional_id(std::string_view name);
  std::optional<std::string> optional_string(std::string_view name);
  std::optional<std::string> optional_name(std::string_view name);
  std::optional<unix_ms> optional_time(std::string_view name);
  std::optional<unix_ms> optional_time_of_any_form(std::string_view name);  ///< `parse_any_rfc3339`

  /// A string that is parsed into a value, for example one of a few words. `rule` completes the message of a fault:
  /// "must be one of …".
  template <class Value>
  std::optional<Value> optional_choice(std::string_view name, std::optional<Value> (*parse)(std::string_view) noexcept,
                                       std::string_view rule) {
    auto const* member = optional_member(name);
    if (!member) return std::nullopt;
    auto const chosen = member->holds == member_value::kind::string ? parse(member->text) : std::nullopt;
    if (!chosen) fault(name, rule);
    return chosen;
  }
  template <class Value>
  Value choice(std::string_view name, std::optional<Value> (*parse)(std::string_view) noexcept, std::string_view rule) {
    if (!required_member(name)) return Value{};
    return optional_choice(name, parse, rule).value_or(Value{});
  }

  /// @{
  /// One of the words of an enumeration.
  template <class Enum>
  std::optional<Enum> optional_choice(std::string_view name) {
    return optional_choice<Enum>(name, parse_word<Enum>, must_be_one_of<Enum>);
  }
  template <class Enum>
  Enum choice(std::string_view name) {
    return choice<Enum>(name, parse_word<Enum>, must_be_one_of<Enum>);
  }
  /// @}

  bool is_null(std::string_view name) const noexcept;

  /// Adds a fault found by the caller: "<name> <rule>".
  void fault(std::string_view name, std::string_view rule);

  template <class Record>
  result<Record> finish(Record record) {
    if (auto message = describe_faults(); !message.empty()) {
      return error{.code = errc::invalid_request, .message = std::move(message), .cause = {}};
    }
    return record;
  }

 private:
  member_value const* find(std::string_view name) const noexcept;
  /// nullptr if the member is absent, or if a fault was added for it.
  member_value const* optional_member(std::string_view name);
  member_value const* required_member(std::string_view name);
  void add_unknown_faults();
  std::string describe_faults();

  std::string broken_;  ///< why the body is not a JSON object; then this is the whole message
  std::vector<member_value> members_;
  std::vector<std::string> unknown_names_;
  unknown_members unknown_;
  std::string faults_;
};

}  // namespace petstore
