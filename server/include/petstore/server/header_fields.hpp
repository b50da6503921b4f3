// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/describe/enum.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "petstore/enumeration.hpp"
#include "petstore/export.hpp"

namespace petstore::server {

/// One header field of a message.
struct PETSTORE_EXPORT header_field {
  std::string_view name;   ///< as it was sent, in upper or lower case
  std::string_view value;  ///< without surrounding white space
};

/// The fields that this server itself evaluates. Each name is as on the wire, with `_` in place of `-`.
// clang-format off
BOOST_DEFINE_FIXED_ENUM_CLASS(known_field, std::uint8_t,
  access_control_request_method,
  authorization,
  connection,
  content_encoding,
  content_length,
  content_type,
  expect,
  forwarded,
  host,
  idempotency_key,
  if_match,
  if_none_match,
  origin,
  traceparent,
  transfer_encoding,
  x_forwarded_for,
  x_request_id
)
// clang-format on
/// The number of known fields.
inline constexpr std::size_t known_field_count = enumerators<known_field>.size();

/// The name of the field, in lower case.
PETSTORE_EXPORT std::string_view name_of(known_field) noexcept;

/// The positions of the known fields among the fields of a request. It is filled in while a head is parsed, so that
/// nothing has to search for a known field later.
class PETSTORE_EXPORT field_index {
 public:
  /// The maximum number of fields, since a position has 16 bits.
  static constexpr std::size_t fields_max = 65'535;

  /// Notes that the field at `position` has that name.
  void note(known_field f, std::size_t position) noexcept {
    auto& s = slots_[static_cast<std::size_t>(f)];
    if (s.count++ == 0) s.first = static_cast<std::uint16_t>(position);
  }
  /// The number of fields with that name.
  std::size_t count(known_field f) const noexcept { return slots_[static_cast<std::size_t>(f)].count; }
  /// The position of the first one; only valid if there is one.
  std::size_t first(known_field f) const noexcept { return slots_[static_cast<std::size_t>(f)].first; }

 private:
  struct slot {
    std::uint16_t first = 0;
    std::uint16_t count = 0;
  };
  std::array<slot, known_field_count> slots_{};
};

/// The fields of a request in the order in which they were sent. It is a view: the fields themselves are stored
/// elsewhere. Any thread.
class PETSTORE_EXPORT header_fields {
 public:
  header_fields() = default;
  /// Makes a view of fields that were put together by hand. Each search compares names.
  template <class Fields>
  requires(!std::same_as<Fields, header_fields>) &&
      std::constructible_from<std::span<header_field const>, Fields const&> header_fields(Fields const& all) noexcept
      : all_{all} {}
  /// Makes a view of the fields of a parsed head. `known` has the positions of the known fields, so that finding one
  /// needs no search.
  header_fields(std::span<header_field const> all, field_index const& known) noexcept
      : all_{all}, known_{known}, is_indexed_{true} {}

  /// @{
  /// The fields as a range, in the order in which they were sent.
  auto begin() const noexcept { return all_.begin(); }
  auto end() const noexcept { return all_.end(); }
  auto rbegin() const noexcept { return all_.rbegin(); }
  auto rend() const noexcept { return all_.rend(); }
  std::size_t size() const noexcept { return all_.size(); }
  bool empty() const noexcept { return all_.empty(); }
  header_field const& operator[](std::size_t i) const noexcept { return all_[i]; }
  /// @}

  /// The value of the first field with that name, or an empty view with a null pointer.
  std::string_view find(known_field f) const noexcept {
    if (!is_indexed_) return find(name_of(f));
    return known_.count(f) == 0 ? std::string_view{} : all_[known_.first(f)].value;
  }
  /// The number of fields with that name.
  std::size_t count(known_field f) const noexcept { return is_indexed_ ? known_.count(f) : count(name_of(f)); }

  /// The same for any name, in upper or lower case.
  std::string_view find(std::string_view name) const noexcept;
  /// The number of fields with that name, in upper or lower case.
  std::size_t count(std::string_view name) const noexcept;

 private:
  std::span<header_field const> all_;
  field_index known_;
  bool is_indexed_ = false;
};

}  // namespace petstore::server
