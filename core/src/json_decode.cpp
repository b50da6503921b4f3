// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <array>
#include <boost/mp11/list.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "described.hpp"
#include "object_reader.hpp"
#include "petstore/json.hpp"
#include "petstore/key_request.hpp"

namespace petstore {
namespace {

/// Whether a member is an id, which must be at least 1.
template <auto Member>
constexpr bool is_id = false;
template <>
constexpr bool is_id<&pet::id> = true;
template <>
constexpr bool is_id<&category::id> = true;
template <>
constexpr bool is_id<&order::id> = true;
template <>
constexpr bool is_id<&order::pet_id> = true;

/// Whether a member is a string without the rules for names.
template <auto Member>
constexpr bool is_plain_text = false;
template <>
constexpr bool is_plain_text<&new_key::plan> = true;
template <>
constexpr bool is_plain_text<&key_patch::plan> = true;

template <class T>
concept enumeration = std::is_enum_v<T>;

/// @{
/// Read a member, depending on its type.
void read(object_reader& in, std::string_view name, std::int64_t& out) {
  out = in.integer(name);
}
void read(object_reader& in, std::string_view name, std::string& out) {
  out = in.checked_name(name);
}
void read(object_reader& in, std::string_view name, unix_ms& out) {
  out = in.time(name);
}
template <enumeration Enum>
void read(object_reader& in, std::string_view name, Enum& out) {
  out = in.choice<Enum>(name);
}
void read(object_reader& in, std::string_view name, std::optional<std::int64_t>& out) {
  out = in.optional_integer(name);
}
void read(object_reader& in, std::string_view name, std::optional<std::string>& out) {
  out = in.optional_name(name);
}
/// Only bodies of requests have such a member, and people write them.
void read(object_reader& in, std::string_view name, std::optional<unix_ms>& out) {
  out = in.optional_time_of_any_form(name);
}
template <enumeration Enum>
void read(object_reader& in, std::string_view name, std::optional<Enum>& out) {
  out = in.optional_choice<Enum>(name);
}
void read_text(object_reader& in, std::string_view name, std::string& out) {
  out = in.string(name);
}
void read_text(object_reader& in, std::string_view name, std::optional<std::string>& out) {
  out = in.optional_string(name);
}
/// A member of a patch: null removes an optional value (RFC 7396).
template <class T>
void read(object_reader& in, std::string_view name, std::optional<std::optional<T>>& out) {
  if (in.is_null(name)) {
    out.emplace();
  } else if (std::optional<T> value; read(in, name, value), value) {
    out.emplace(std::move(value));
  }
}
/// @}

template <class... Member>
constexpr std::array<std::string_view, sizeof...(Member)> names_in(boost::mp11::mp_list<Member...>) {
  return {json_name<Member>...};
}

}  // namespace

template <class Record>
result<Record> decode_json(std::string_view body) {
  static constexpr auto names = names_in(boost::mp11::mp_rename<members_of<Record>, boost::mp11::mp_list>{});
  object_reader in{body, names};
  Record record;
  for_each_member<Record>([&]<class Member>(Member) {
    if constexpr (is_id<Member::pointer>) {
      record.*Member::pointer = in.id(json_name<Member>);
    } else if constexpr (is_plain_text<Member::pointer>) {
      read_text(in, json_name<Member>, record.*Member::pointer);
    } else {
      read(in, json_name<Member>, record.*Member::pointer);
    }
  });
  return in.finish(std::move(record));
}

template result<new_pet> decode_json(std::string_view);
template result<pet_patch> decode_json(std::string_view);
template result<new_category> decode_json(std::string_view);
template result<new_order> decode_json(std::string_view);
template result<order_patch> decode_json(std::string_view);
template result<new_key> decode_json(std::string_view);
template result<key_patch> decode_json(std::string_view);
template result<key_rotation> decode_json(std::string_view);
template result<key_ban> decode_json(std::string_view);
template result<pet> decode_json(std::string_view);
template result<category> decode_json(std::string_view);
template result<order> decode_json(std::string_view);

}  // namespace petstore
