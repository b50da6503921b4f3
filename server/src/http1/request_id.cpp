// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http1/request_id.hpp"

#include <algorithm>
#include <random>

#include "field.hpp"
#include "http1/grammar.hpp"
#include "petstore/api_key.hpp"

namespace petstore::server::http1 {

request_id_source::request_id_source() : state_{0} {
  std::random_device random;
  state_ = std::uint64_t{random()} << 32 | random();
}

// The generator is SplitMix64: each state is visited once in 2^64 steps, so a source does not repeat itself.
request_id_text request_id_source::next() noexcept {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  request_id_text text;
  for (char& digit : text) {
    digit = "0123456789abcdef"[z >> 60];
    z <<= 4;
  }
  return text;
}

std::string_view find_request_id(request const& req) noexcept {
  constexpr std::size_t size_max = 128;
  std::string_view found;
  for (auto const& field : req.fields) {
    if (!equals_ignoring_case(field.name, "X-Request-Id")) continue;
    if (found.data() != nullptr) return {};
    found = field.value;
  }
  bool const is_valid = found.size() <= size_max && std::ranges::all_of(found, is_visible);
  return is_valid && !mentions_api_key(found) ? found : std::string_view{};
}

}  // namespace petstore::server::http1
