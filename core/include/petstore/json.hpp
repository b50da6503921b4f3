// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/category.hpp"
#include "petstore/error.hpp"
#include "petstore/export.hpp"
#include "petstore/order.hpp"
#include "petstore/pet.hpp"

/// Request bodies in, canonical JSON out. Decoders take one JSON text (RFC 8259, UTF-8, no BOM) that must be a single
/// object with nothing after it but white space, refuse a member given twice (after unescaping) at the top level, take
/// integers only as JSON integers within int64, ignore unknown members, and name *every* fault they found in `message`.
/// Any thread; no state is shared.
namespace petstore {

/// How deep arrays and objects may nest in a body, the body's own object included. Deeper is invalid_request.
inline constexpr std::size_t json_depth_max = 32;

/// How long a name may be, in code points.
inline constexpr std::size_t name_code_points_max = 255;

/// A body of a request (new_pet, pet_patch, new_category, new_order, order_patch), or a whole record (pet, category,
/// order) as export and the stores write it: its ids are from 1. Faults are an invalid_request whose message names all
/// of them.
template <class Record>
PETSTORE_EXPORT result<Record> decode_json(std::string_view body);

/// @{
/// Canonical JSON: members in the contract's order, no white space, minimal escapes, `status` left out when absent.
/// A store keeps these bytes, and a list is a copy of them.
PETSTORE_EXPORT void append_json(std::string& out, pet const&);
PETSTORE_EXPORT void append_json(std::string& out, category const&);
PETSTORE_EXPORT void append_json(std::string& out, order const&);
/// @}
/// One record as a text of its own. `Record`: what `append_json` takes.
template <class Record>
std::string to_json(Record const& r) {
  std::string out;
  append_json(out, r);
  return out;
}

/// Appends a JSON string literal, quotes included. `text` must be valid UTF-8.
PETSTORE_EXPORT void append_json_string(std::string& out, std::string_view text);

/// A pet's and a category's name: 1 to 255 code points of valid UTF-8, one at least not White_Space, none of Cc.
/// Returns the fault as a sentence, empty when there is none.
PETSTORE_EXPORT std::string_view find_name_fault(std::string_view name) noexcept;

/// RFC 3339, UTC, milliseconds: 2026-06-01T12:00:00.000Z, this one form alone. A time outside the years 1 to 9999 is
/// written as the nearest inside.
PETSTORE_EXPORT void append_rfc3339(std::string& out, unix_ms);
/// The same as a text of its own.
PETSTORE_EXPORT std::string to_rfc3339(unix_ms);
/// The way back; nullopt for any other form.
PETSTORE_EXPORT std::optional<unix_ms> parse_rfc3339(std::string_view) noexcept;

/// An integer of a path or query: `0|-?[1-9][0-9]*` within int64.
PETSTORE_EXPORT std::optional<std::int64_t> parse_int64(std::string_view) noexcept;

}  // namespace petstore
