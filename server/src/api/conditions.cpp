// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/conditions.hpp"

#include <algorithm>
#include <string>

#include "http/field.hpp"
#include "http/grammar.hpp"
#include "petstore/api_key.hpp"
#include "petstore/hex.hpp"
#include "petstore/key_trace.hpp"

namespace petstore::server {
namespace {

constexpr std::size_t idempotency_key_bytes_max = 255;

/// The form of the key that the store keeps: the key itself, or its digest if it looks like an API key, which no file
/// may contain.
std::string kept_form(std::string_view key) {
  return mentions_api_key(key) ? to_hex(sha256(key)) : std::string{key};
}

}  // namespace

result<etag_condition> read_condition(request const& req, known_field which) {
  std::string_view const first = req.find(which);
  if (first.data() == nullptr) return etag_condition{};
  if (req.count(which) == 1) return etag_condition::parse(first);
  std::string joined;
  for (auto const& field : req.fields) {
    if (!equals_ignoring_case(field.name, name_of(which))) continue;
    if (!joined.empty()) joined.append(", ");
    joined.append(field.value);
  }
  return etag_condition::parse(joined);
}

result<std::optional<ports::idempotency>> read_idempotency(request const& req, std::uint64_t identity) {
  std::string_view const sent = req.find(known_field::idempotency_key);
  if (sent.data() == nullptr) return std::optional<ports::idempotency>{};
  if (req.count(known_field::idempotency_key) > 1)
    return error{errc::invalid_request, "Idempotency-Key is given twice.", {}};

  std::string_view const key = unquote(sent);
  bool const is_visible = std::ranges::all_of(key, http::is_visible);
  if (key.empty() || key.size() > idempotency_key_bytes_max || !is_visible) {
    static_assert(idempotency_key_bytes_max == 255, "as the sentence says");
    return error{errc::invalid_request, "Idempotency-Key must be 1 to 255 visible ASCII characters.", {}};
  }
  return std::optional{ports::idempotency{identity, kept_form(key), {}}};
}

}  // namespace petstore::server
