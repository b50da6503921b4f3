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

/// Parses request bodies and writes canonical JSON. Decoders take one JSON text (RFC 8259, UTF-8, no BOM), a single
/// object followed only by white space. They refuse a member given twice (after unescaping) at the top level, take
/// integers only as JSON integers within int64, ignore unknown members, and name *every* fault they found in `message`.
/// Any thread; no state is shared.
namespace petstore {

/// The maximum depth of arrays and objects in a body, including the body's own object. Deeper is invalid_request.
inline constexpr std::size_t json_depth_max = 32;

/// The maximum length of a name, in code points.
inline constexpr std::size_t name_code_points_max = 255;

/// Decodes the body of a request (new_pet, pet_patch, new_category, new_order, order_patch), or a complete record (pet,
/// category, order) in the format of export and stores, whose ids are from 1. Returns invalid_request with a message
/// that names all faults.
template <class Record>
PETSTORE_EXPORT result<Record> decode_json(std::string_view body);

/// @{
/// Appends canonical JSON: members in the contract's order, no white space, minimal escapes, without an absent
/// `status`. A store keeps these bytes, and a list is a copy of them.
PETSTORE_EXPORT void append_json(std::string& out, pet const&);
PETSTORE_EXPORT void append_json(std::string& out, category const&);
PETSTORE_EXPORT void append_json(std::string& out, order const&);
/// @}
/// The canonical JSON of one record. `Record` is a type that `append_json` takes.
template <class Record>
std::string to_json(Record const& r) {
  std::string out;
  append_json(out, r);
  return out;
}

/// Appends a JSON string literal, quotes included. `text` must be valid UTF-8.
PETSTORE_EXPORT void append_json_string(std::string& out, std::string_view text);

/// Checks the name of a pet or category: 1 to 255 code points of valid UTF-8, at least one of them not White_Space,
/// none of them in Cc. Returns the fault as a sentence, empty if there is none.
PETSTORE_EXPORT std::string_view find_name_fault(std::string_view name) noexcept;

/// Appends the time in RFC 3339, in UTC with milliseconds, always in this form: 2026-06-01T12:00:00.000Z. A time
/// outside the years 1 to 9999 is written as the nearest one inside.
PETSTORE_EXPORT void append_rfc3339(std::string& out, unix_ms);
/// The same as a text of its own.
PETSTORE_EXPORT std::string to_rfc3339(unix_ms);
/// Parses that form; nullopt for any other form.
PETSTORE_EXPORT std::optional<unix_ms> parse_rfc3339(std::string_view) noexcept;
/// Parses every form of RFC 3339: with an offset, small letters, a fraction of any length or none. Parts of a
/// millisecond are cut off; a leap second is the second after it. nullopt for any other text, and outside the years 1
/// to 9999.
PETSTORE_EXPORT std::optional<unix_ms> parse_any_rfc3339(std::string_view) noexcept;

/// Parses an integer of a path or query: `0|-?[1-9][0-9]*` within int64.
PETSTORE_EXPORT std::optional<std::int64_t> parse_int64(std::string_view) noexcept;

}  // namespace petstore
