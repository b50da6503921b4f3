// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/pet.hpp"

#include "described.hpp"
#include "petstore/enumeration.hpp"

namespace petstore {

std::string_view to_string(pet_status s) noexcept {
  return word_of(s);
}

std::optional<pet_status> parse_pet_status(std::string_view text) noexcept {
  return parse_word<pet_status>(text);
}

pet make_pet(std::int64_t id, new_pet body) {
  pet p;
  p.id = id;
  assign_members(p, std::move(body));
  return p;
}

pet apply(pet p, pet_patch const& patch) {
  assign_members(p, patch);
  return p;
}

}  // namespace petstore
