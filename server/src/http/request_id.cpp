// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/request_id.hpp"

#include <algorithm>
#include <random>

#include "http/grammar.hpp"
#include "petstore/hex.hpp"
#include "petstore/key_trace.hpp"

namespace petstore::server::http {
namespace {

/// The two hexadecimal digits of each byte.
constexpr auto hex_pairs = [] {
  std::array<std::array<char, 2>, 256> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {hex_digits[i / 16], hex_digits[i % 16]};
  return pairs;
}();

}  // namespace

request_id_source::request_id_source() : state_{0} {
  std::random_device random;
  state_ = std::uint64_t{random()} << 32 | random();
}

// The generator is SplitMix64. It visits each state once in 2^64 steps, so the ids of one source do not repeat.
request_id_text request_id_source::next() noexcept {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  // A copy of a pair by memcpy is a call of a checking function where the library is hardened.
  request_id_text text;
  for (std::size_t i = text.size(); i > 0; i -= 2, z >>= 8) {
    text[i - 2] = hex_pairs[z & 0xff][0];
    text[i - 1] = hex_pairs[z & 0xff][1];
  }
  return text;
}

std::string_view find_request_id(request const& req) noexcept {
  constexpr std::size_t size_max = 128;
  if (req.count(known_field::x_request_id) != 1) return {};
  std::string_view const found = req.find(known_field::x_request_id);
  bool const is_valid = found.size() <= size_max && std::ranges::all_of(found, is_visible);
  return is_valid && !mentions_api_key(found) ? found : std::string_view{};
}

}  // namespace petstore::server::http
