// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace petstore {

enum class pet_status : std::uint8_t { available = 1, pending = 2, sold = 3 };

std::string_view to_string(pet_status) noexcept;
std::optional<pet_status> parse_pet_status(std::string_view) noexcept;

/// The body of createPet, checked.
struct new_pet {
  std::string name;
  std::int64_t category_id = 0;
  std::optional<pet_status> status;  ///< a request without one makes an animal without one
};

/// An animal up for adoption.
struct pet {
  std::int64_t id = 0;
  std::string name;
  std::int64_t category_id = 0;
  std::optional<pet_status> status;

  friend bool operator==(pet const&, pet const&) = default;
};

/// The body of updatePet (JSON Merge Patch, RFC 7396), checked. A member that is absent changes nothing;
/// `status` set to nullopt removes the status.
struct pet_patch {
  std::optional<std::string> name;
  std::optional<std::int64_t> category_id;
  std::optional<std::optional<pet_status>> status;
};

pet apply(pet, pet_patch const&);

}  // namespace petstore
