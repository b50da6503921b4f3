// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore {

/// Whether an animal can be adopted.
enum class pet_status : std::uint8_t { available = 1, pending = 2, sold = 3 };
BOOST_DESCRIBE_ENUM(pet_status, available, pending, sold)

/// @{
/// Converts to `available`, `pending` or `sold`, and back; nullopt for any other text.
PETSTORE_EXPORT std::string_view to_string(pet_status) noexcept;
PETSTORE_EXPORT std::optional<pet_status> parse_pet_status(std::string_view) noexcept;
/// @}

/// The body of createPet, checked.
struct PETSTORE_EXPORT new_pet {
  std::string name;                  ///< 1 to 255 code points: `find_name_fault`
  std::int64_t category_id = 0;      ///< any int64; the store checks whether the category exists
  std::optional<pet_status> status;  ///< a request without it makes an animal without a status
};
BOOST_DESCRIBE_STRUCT(new_pet, (), (name, category_id, status))

/// An animal up for adoption.
struct PETSTORE_EXPORT pet {
  std::int64_t id = 0;               ///< from 1, never used again
  std::string name;                  ///< as it was sent
  std::int64_t category_id = 0;      ///< of its category, which must exist only if that is required
  std::optional<pet_status> status;  ///< nullopt: no status

  friend bool operator==(pet const&, pet const&) = default;
};
BOOST_DESCRIBE_STRUCT(pet, (), (id, name, category_id, status))

/// The body of updatePet (JSON Merge Patch, RFC 7396), checked. A member that is absent changes nothing;
/// `status` set to nullopt removes the status.
struct PETSTORE_EXPORT pet_patch {
  std::optional<std::string> name;                  ///< nullopt: unchanged
  std::optional<std::int64_t> category_id;          ///< nullopt: unchanged
  std::optional<std::optional<pet_status>> status;  ///< nullopt: unchanged; a nullopt inside removes the status
};
BOOST_DESCRIBE_STRUCT(pet_patch, (), (name, category_id, status))

/// @{
/// Makes an animal from a body, and applies a patch to an animal. Pure; any thread.
PETSTORE_EXPORT pet make_pet(std::int64_t id, new_pet);
PETSTORE_EXPORT pet apply(pet, pet_patch const&);
/// @}

}  // namespace petstore
