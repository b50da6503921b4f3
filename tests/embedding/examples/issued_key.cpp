// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A host that issues keys to its customers itself, as `petstore keys create` does for operators.
#include <chrono>

#include "examples.hpp"
#include "petstore/api_key.hpp"

namespace examples {

using namespace petstore;

asio::awaitable<result<std::string>> issue_key(ports::store& store, std::string customer) {
  auto const now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  std::string const key = generate_api_key(store.environment());
  create_key wanted;
  set_key(wanted, key);  // stores its digest: the store does not get the key itself
  wanted.name = customer;
  wanted.plan = "free";
  key_command change{std::move(wanted)};
  auto const made = co_await store.change_keys(std::move(change), now, "sign-up page");
  if (!made) co_return made.error();
  co_return key;
}

}  // namespace examples
