// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/pet.hpp"

namespace petstore {

std::string_view to_string(pet_status s) noexcept {
  switch (s) {
    case pet_status::available: return "available";
    case pet_status::pending: return "pending";
    case pet_status::sold: return "sold";
  }
  return "";
}

std::optional<pet_status> parse_pet_status(std::string_view text) noexcept {
  for (auto s : {pet_status::available, pet_status::pending, pet_status::sold})
    if (text == to_string(s)) return s;
  return std::nullopt;
}

pet apply(pet p, pet_patch const& patch) {
  if (patch.name) p.name = *patch.name;
  if (patch.category_id) p.category_id = *patch.category_id;
  if (patch.status) p.status = *patch.status;
  return p;
}

}  // namespace petstore
