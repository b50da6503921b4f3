// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "object_reader.hpp"

#include <algorithm>
#include <utility>

#include "petstore/json.hpp"
#include "petstore/key_trace.hpp"

namespace petstore {
namespace {

constexpr std::string_view integer_rule = "must be an integer within int64";
constexpr std::string_view id_rule = "must be an integer from 1 to 9223372036854775807";
constexpr std::string_view string_rule = "must be a string";
constexpr std::string_view time_rule = "must be a time like 2026-06-01T12:00:00.000Z";

/// The name of an unknown member is shown up to this size, so that a hostile body is not returned in its own error
/// message. An API key in a name is never shown.
constexpr std::size_t shown_name_bytes_max = 64;
constexpr std::size_t shown_names_max = 8;

std::string shown(std::string_view name) {
  if (name.size() > shown_name_bytes_max) return "a member with a long name";
  std::string out{"\""};
  append_without_keys(out, name);
  return out.append("\"");
}

}  // namespace

object_reader::object_reader(std::string_view body, std::span<std::string_view const> names, unknown_members u)
    : unknown_(u) {
  members_.reserve(names.size());
  for (auto name : names) members_.emplace_back().name = name;

  broken_ = parse_members(body, members_, unknown_names_);
}

member_value const* object_reader::find(std::string_view name) const noexcept {
  auto const member = std::ranges::find(members_, name, &member_value::name);
  return member == members_.end() ? nullptr : &*member;
}

member_value const* object_reader::optional_member(std::string_view name) {
  auto const* member = find(name);
  if (!member || member->holds == member_value::kind::absent) return nullptr;
  if (!member->repeated) return member;
  fault(name, "is given twice");
  return nullptr;
}

member_value const* object_reader::required_member(std::string_view name) {
  auto const* member = find(name);
  if (member && member->holds != member_value::kind::absent) return optional_member(name);
  fault(name, "is missing");
  return nullptr;
}

bool object_reader::is_null(std::string_view name) const noexcept {
  auto const* member = find(name);
  return member && member->holds == member_value::kind::null && !member->repeated;
}

std::optional<std::int64_t> object_reader::optional_integer(std::string_view name) {
  auto const* member = optional_member(name);
  if (!member) return std::nullopt;
  if (member->holds == member_value::kind::integer) return member->integer;
  fault(name, integer_rule);
  return std::nullopt;
}

std::optional<std::int64_t> object_reader::optional_id(std::string_view name) {
  auto const* member = optional_member(name);
  if (!member) return std::nullopt;
  if (member->holds == member_value::kind::integer && member->integer >= 1) return member->integer;
  fault(name, id_rule);
  return std::nullopt;
}

std::optional<std::string> object_reader::optional_string(std::string_view name) {
  auto const* member = optional_member(name);
  if (!member) return std::nullopt;
  if (member->holds == member_value::kind::string) return member->text;
  fault(name, string_rule);
  return std::nullopt;
}

std::optional<std::string> object_reader::optional_name(std::string_view name) {
  auto text = optional_string(name);
  if (!text) return std::nullopt;
  auto const broken_rule = find_name_fault(*text);
  if (broken_rule.empty()) return text;
  fault(broken_rule, {});
  return std::nullopt;
}

std::optional<unix_ms> object_reader::optional_time(std::string_view name) {
  return optional_choice(name, parse_rfc3339, time_rule);
}

std::optional<unix_ms> object_reader::optional_time_of_any_form(std::string_view name) {
  return optional_choice(name, parse_any_rfc3339, time_rule);
}

std::int64_t object_reader::integer(std::string_view name) {
  return required_member(name) ? optional_integer(name).value_or(0) : 0;
}

std::int64_t object_reader::id(std::string_view name) {
  return required_member(name) ? optional_id(name).value_or(0) : 0;
}

std::string object_reader::checked_name(std::string_view name) {
  return required_member(name) ? optional_name(name).value_or("") : "";
}

unix_ms object_reader::time(std::string_view name) {
  return required_member(name) ? optional_time(name).value_or(unix_ms{}) : unix_ms{};
}

std::string object_reader::string(std::string_view name) {
  return required_member(name) ? optional_string(name).value_or("") : "";
}

void object_reader::fault(std::string_view name, std::string_view rule) {
  if (!faults_.empty()) faults_.append("; ");
  faults_.append(name);
  if (!rule.empty()) faults_.append(" ").append(rule);
}

/// Sorts the names and does not hash them, so that no choice of names makes this slow.
void object_reader::add_unknown_faults() {
  std::ranges::sort(unknown_names_);
  std::size_t more = 0;
  std::size_t told = 0;
  for (auto at = unknown_names_.begin(); at != unknown_names_.end();) {
    auto const next = std::find_if(at, unknown_names_.end(), [&](auto const& other) { return other != *at; });
    bool const repeated = next - at > 1;
    if (repeated || unknown_ == unknown_members::refused) {
      if (told == shown_names_max) {
        ++more;
      } else {
        fault(shown(*at), repeated ? "is given twice" : "is not a member of this record");
        ++told;
      }
    }
    at = next;
  }
  if (more != 0) fault(std::to_string(more), "more members are at fault");
}

std::string object_reader::describe_faults() {
  if (!broken_.empty()) return broken_;
  add_unknown_faults();
  return std::exchange(faults_, {});
}

}  // namespace petstore
