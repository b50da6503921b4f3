// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A program that reads and writes the records of the shop and recognises its keys.
#include <petstore/api_key.hpp>
#include <petstore/json.hpp>
#include <petstore/limits/address_table.hpp>

#include <cstdio>

int main() {
  auto const body = petstore::decode_json<petstore::new_pet>(R"({"name":"Bella","categoryId":3})");
  if (!body) return 1;
  petstore::pet const bella{.id = 7, .name = body->name, .category_id = body->category_id, .status = body->status};
  std::string const json = petstore::to_json(bella);
  std::puts(json.c_str());

  auto const fault = petstore::decode_json<petstore::new_pet>(R"({"name":""})");
  std::string const key = petstore::generate_api_key(petstore::environment::production);
  bool const is_right = json == R"({"id":7,"name":"Bella","categoryId":3})" && !fault &&
                        petstore::is_well_formed_api_key(key, petstore::environment::production) &&
                        !petstore::is_well_formed_api_key(key, petstore::environment::staging);
  return is_right ? 0 : 1;
}
