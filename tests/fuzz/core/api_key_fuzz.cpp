// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/api_key.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "fuzz/require.hpp"
#include "fuzz/target.hpp"
#include "petstore/key_trace.hpp"

/// API keys: a key made from any secret is valid in its environment only; a key with a typing mistake is not valid; and
/// every valid key is recognised in texts that must not repeat it.
namespace petstore::fuzz {
namespace {

constexpr std::string_view alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

void require_key(std::string const& key, environment mine, environment other) {
  require(key.size() == api_key_size, "a key has one length", key);
  require(is_well_formed_api_key(key, mine), "a key that was made is one", key);
  require(!is_well_formed_api_key(key, other), "a key belongs to one environment", key);
  require(mentions_api_key("x" + key + "x"), "a key is recognised inside other text", key);
}

void require_slips_are_seen(std::string key, environment mine, std::size_t at, char typed) {
  auto const right = key[at];
  key[at] = typed;
  require(typed == right || !is_well_formed_api_key(key, mine), "a wrong character makes it no key", key);
  key[at] = right;
  if (at + 1 < key.size()) {
    std::swap(key[at], key[at + 1]);
    require(key[at] == right || !is_well_formed_api_key(key, mine), "swapped characters make it no key", key);
    std::swap(key[at], key[at + 1]);
  }
  require(!is_well_formed_api_key(key + typed, mine), "one character more makes it no key", key);
  key.erase(at, 1);
  require(!is_well_formed_api_key(key, mine), "one character less makes it no key", key);
}

}  // namespace

void check(std::string_view input) {
  constexpr std::array environments{environment::production, environment::staging};
  for (auto const e : environments) {
    if (!is_well_formed_api_key(input, e)) continue;
    constexpr std::size_t prefix_size = 8;
    require(mentions_api_key(input), "what is taken for a key is recognised", input);
    require(std::ranges::all_of(input.substr(prefix_size), [](char c) { return alphabet.find(c) != alphabet.npos; }),
            "a key is prefix and base62", input);
  }

  std::array<unsigned char, 32> secret{};
  std::ranges::transform(input.substr(0, secret.size()), secret.begin(),
                         [](char c) { return static_cast<unsigned char>(c); });
  auto const key = make_api_key(environments[0], secret);
  require_key(key, environments[0], environments[1]);
  require_key(make_api_key(environments[1], secret), environments[1], environments[0]);
  // Each input tries a few positions; all inputs together try all.
  for (std::size_t i = input.size() % 8; i < key.size(); i += 8) {
    char const typed = i < input.size() ? input[i] : alphabet[i % alphabet.size()];
    require_slips_are_seen(key, environments[0], i, typed);
  }
}

}  // namespace petstore::fuzz
