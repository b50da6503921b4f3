// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/chunked_body.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "fuzz/cuts.hpp"
#include "fuzz/require.hpp"
#include "fuzz/target.hpp"

/// chunked_body: the result is the same however the chunks are cut; the body is within the limits; bytes after the body
/// are not consumed; the body, encoded again, decodes to the same body. head_differential_fuzz compares it with Beast.
namespace petstore::fuzz {
namespace {

using server::http::chunked_body;
using state = chunked_body::state;

constexpr std::size_t body_bytes_max = 64;
constexpr server::http::head_limits limits{.request_line_bytes_max = 0, .header_bytes_max = 48, .header_fields_max = 3};

struct outcome {
  state end = state::unfinished;
  std::size_t consumed = 0;
  std::string body;
  errc code{};
  std::string_view message;

  friend bool operator==(outcome const&, outcome const&) = default;
};

outcome decode(chunked_body& decoder, std::string_view raw, std::string_view plan) {
  outcome out;
  cuts pieces{plan};
  while (out.end == state::unfinished && out.consumed < raw.size()) {
    std::size_t const size = std::min(pieces.next(), raw.size() - out.consumed);
    // A heap block of exactly this size, so that a sanitizer detects a read past the piece.
    auto const piece = std::make_unique_for_overwrite<char[]>(size);
    std::ranges::copy(raw.substr(out.consumed, size), piece.get());
    out.end = decoder.decode({piece.get(), size}, out.body);
    require(decoder.consumed() <= size, "no more is consumed than given");
    require(out.end != state::unfinished || decoder.consumed() == size, "an unfinished body takes everything");
    require(out.body.size() <= body_bytes_max, "a body is limited");
    out.consumed += decoder.consumed();
  }
  if (out.end == state::refused) {
    out.code = decoder.refusal().code;
    out.message = decoder.refusal().message;
  }
  return out;
}

std::string encode(std::string_view body, std::size_t chunk_size) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string raw;
  while (!body.empty()) {
    auto const chunk = body.substr(0, chunk_size);
    raw.append({digits[chunk.size() >> 4], digits[chunk.size() & 15]}).append("\r\n").append(chunk).append("\r\n");
    body.remove_prefix(chunk.size());
  }
  return raw.append("0\r\n\r\n");
}

}  // namespace

void check(std::string_view input) {
  cut_input const in{input};
  chunked_body decoder{body_bytes_max, limits};
  auto const whole = decode(decoder, in.bytes, {});
  decoder.restart();
  require(decode(decoder, in.bytes, bytewise) == whole, "bytes that come one by one make the same body");
  decoder.restart();
  require(decode(decoder, in.bytes, in.plan) == whole, "the cuts change nothing");

  if (whole.end == state::refused) {
    require(whole.code == errc::malformed_http || whole.code == errc::headers_too_large, "a refusal is documented");
    require(!whole.message.empty(), "a refusal says why");
  }
  if (whole.end != state::complete) return;
  require(in.bytes.substr(0, whole.consumed).ends_with("\r\n"), "a body ends with an empty line");
  decoder.restart();
  auto const less = decode(decoder, in.bytes.substr(0, whole.consumed - 1), {});
  require(less.end == state::unfinished && less.body == whole.body, "a body needs its last byte");
  for (std::size_t const size : {1u, 5u, 64u}) {
    decoder.restart();
    auto const again = decode(decoder, encode(whole.body, size) + "G", in.plan);
    require(again.end == state::complete && again.body == whole.body, "what is encoded again decodes to the same");
    require(again.consumed == encode(whole.body, size).size(), "what follows a body is left alone");
  }
}

}  // namespace petstore::fuzz
