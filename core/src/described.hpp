// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <boost/describe/members.hpp>
#include <boost/mp11/algorithm.hpp>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

/// Functions over the members of records and bodies that are described with Boost.Describe, in the order of their
/// description. Nothing here allocates.
namespace petstore {

/// A list of descriptors: each has a `pointer` to a member and its `name`.
template <class Record>
using members_of = boost::describe::describe_members<Record, boost::describe::mod_public>;

namespace detail {

template <class Member>
inline constexpr auto json_name_text = [] {
  constexpr std::string_view name{Member::name};
  std::array<char, name.size() - static_cast<std::size_t>(std::ranges::count(name, '_'))> text{};
  std::size_t end = 0;
  for (std::size_t i = 0; i < name.size(); ++i)
    text[end++] = name[i] == '_' ? static_cast<char>(name[++i] - 'a' + 'A') : name[i];
  return text;
}();

}  // namespace detail

/// The name of a member in JSON: `categoryId` for a member `category_id`.
template <class Member>
inline constexpr std::string_view json_name{detail::json_name_text<Member>.data(),
                                            detail::json_name_text<Member>.size()};

/// Calls `act` with each descriptor.
template <class Record, class Act>
constexpr void for_each_member(Act act) {
  boost::mp11::mp_for_each<members_of<Record>>(act);
}

/// The name in JSON of the member at this pointer. In a constant, a member that is not described does not compile.
template <class Record, class Value>
constexpr std::string_view json_name_of(Value Record::*member) {
  std::string_view name;
  for_each_member<Record>([&](auto described) {
    if constexpr (std::is_same_v<decltype(described.pointer), Value Record::*const>)
      if (described.pointer == member) name = json_name<decltype(described)>;
  });
  if (name.empty()) throw std::logic_error{"the member is not described"};
  return name;
}

namespace detail {

template <class T>
void assign(T& to, T&& from) {
  to = std::move(from);
}
template <class T>
void assign(T& to, std::optional<T>&& from) {
  if (from) to = std::move(*from);
}

}  // namespace detail

/// Assigns the members of `from` to the members of `to` with the same names. An empty optional of a patch changes
/// nothing.
template <class To, class From>
void assign_members(To& to, From from) {
  for_each_member<To>([&](auto target) {
    for_each_member<From>([&](auto source) {
      if constexpr (std::string_view{target.name} == source.name)
        detail::assign(to.*target.pointer, std::move(from.*source.pointer));
    });
  });
}

}  // namespace petstore
