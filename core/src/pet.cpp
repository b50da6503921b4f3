// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/pet.hpp"

#include "petstore/enumeration.hpp"

namespace petstore {

std::string_view to_string(pet_status s) noexcept {
  return word_of(s);
}

std::optional<pet_status> parse_pet_status(std::string_view text) noexcept {
  return parse_word<pet_status>(text);
}

pet apply(pet p, pet_patch const& patch) {
  if (patch.name) p.name = *patch.name;
  if (patch.category_id) p.category_id = *patch.category_id;
  if (patch.status) p.status = *patch.status;
  return p;
}

}  // namespace petstore
