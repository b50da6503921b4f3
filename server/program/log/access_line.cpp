// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/access_line.hpp"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstring>

#include "petstore/json.hpp"
#include "petstore/key_trace.hpp"
#include "petstore/server/address_range.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace petstore::program {
namespace {

/// An upper bound for all parts of a line except the texts below: names, punctuation, numbers, time and addresses.
constexpr std::size_t frame_bytes_max = 512;
/// The longest form of one byte in a JSON string: \u001f. A redacted key is its prefix and three stars; that is shorter
/// than this bound.
constexpr std::size_t escaped_bytes_max = 6;

// Each function writes one part at `to`, where there is space for it, and returns its end.

template <std::size_t Size>
char* put(char* to, char const (&literal)[Size]) noexcept {
  std::memcpy(to, literal, Size - 1);
  return to + (Size - 1);
}
char* put(char* to, std::string_view text) noexcept {
  text.copy(to, text.size());  // an empty view may have no pointer, which memcpy must not get
  return to + text.size();
}
char* put(char* to, std::unsigned_integral auto number) noexcept {
  return std::to_chars(to, to + 20, number).ptr;
}
char* put_three_digits(char* to, unsigned number) noexcept {
  *to++ = static_cast<char>('0' + number / 100);
  *to++ = static_cast<char>('0' + number / 10 % 10);
  *to++ = static_cast<char>('0' + number % 10);
  return to;
}
template <class First, class Second, class... Others>
char* put(char* to, First const& first, Second const& second, Others const&... others) noexcept {
  to = put(put(to, first), second);
  ((to = put(to, others)), ...);
  return to;
}

/// Whether the byte has to be escaped in a JSON string, or can be a part of an API key: every key has an underscore
/// behind its first letters, unless it is percent-encoded.
constexpr bool is_special(char c) noexcept {
  bool const is_control_or_not_ascii = static_cast<signed char>(c) < 0x20 || c == 0x7f;
  return is_control_or_not_ascii || c == '"' || c == '\\' || c == '_' || c == '%';
}

#if defined(__SSE2__)

/// The same for any of 16 bytes.
bool has_special_byte(__m128i bytes) noexcept {
  __m128i found = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f)));
  for (char const c : {'"', '\\', '_', '%'}) found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
  return _mm_movemask_epi8(found) != 0;
}

__m128i load_block(char const* at) noexcept {
  return _mm_loadu_si128(reinterpret_cast<__m128i const*>(at));
}
__m128i load_half_block(char const* at) noexcept {
  return _mm_loadl_epi64(reinterpret_cast<__m128i const*>(at));
}

#endif

/// With SSE2, which every x86-64 processor has, blocks are checked at once; the last one overlaps the one before it.
bool has_special_byte(std::string_view text) noexcept {
#if defined(__SSE2__)
  constexpr std::size_t block = sizeof(__m128i), half = block / 2;
  char const* const end = text.data() + text.size();
  if (text.size() >= block) {
    for (char const* at = text.data(); at < end - block; at += block)
      if (has_special_byte(load_block(at))) return true;
    return has_special_byte(load_block(end - block));
  }
  if (text.size() >= half)
    return has_special_byte(_mm_unpacklo_epi64(load_half_block(text.data()), load_half_block(end - half)));
#endif
  return std::ranges::any_of(text, is_special);
}

bool has_small_and_capital_letters(std::string_view text) noexcept {
  bool const has_small = std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
  return has_small && std::ranges::any_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// Whether the text can be written unchanged. This is a quick check: it returns false if there might be a key in the
/// text.
bool is_ordinary(std::string_view text) noexcept {
  return !has_special_byte(text) && (text.size() < key_trace_digits_min || !has_small_and_capital_letters(text));
}

[[gnu::noinline]] char* put_escaped(char* to, std::string_view text, std::string& escaped) {
  escaped.clear();
  append_json_text(escaped, text);
  return put(to, escaped);
}

/// Writes a text that the client chose.
char* put_foreign(char* to, std::string_view text, std::string& escaped) {
  return is_ordinary(text) ? put(to, "\"", text, "\"") : put_escaped(to, text, escaped);
}

/// The operator of std::array calls a function of the C library.
bool is_same(server::raw_address const& a, server::raw_address const& b) noexcept {
  return std::memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace

access_line::access_line() {
  remember_second({});
}

std::size_t access_line::bytes_max(server::access_record const& r) noexcept {
  auto const& notes = r.response.notes;
  return frame_bytes_max + notes.operation.size() + notes.error_code.size() +
         escaped_bytes_max * (r.request.request_id.size() + std::min(r.request.path.size(), path_bytes_max));
}

char* access_line::write(char* to, log_time time, server::access_record const& r, std::uint32_t stands_for,
                         std::uint64_t suppressed) {
  auto const second = std::chrono::floor<std::chrono::seconds>(time);
  if (second != second_) remember_second(time);

  to = put_three_digits(put(to, until_second_), static_cast<unsigned>((time - second).count()));
  to = put_foreign(put(to, R"(Z","request_id":)"), r.request.request_id, escaped_);
  if (auto const trace = server::find_trace_context(r.request); trace.is_known())
    to = put(to, R"(,"trace_id":")", trace.trace_id, R"(","parent_id":")", trace.parent_id, "\"");
  auto const& notes = r.response.notes;
  if (notes.key != 0) to = put(to, R"(,"key":"k)", notes.key, "\"");
  to = put(to, R"(,"peer":")", peer_.text(r.request.peer), "\"");
  bool const is_behind_proxy = !is_same(notes.client, r.request.peer) && !is_same(notes.client, {});
  if (is_behind_proxy) to = put(to, R"(,"client":")", client_.text(notes.client), "\"");
  if (!r.request.target.empty()) {  // else the head could not be parsed
    if (r.request.method != server::method::unknown)
      to = put(to, R"(,"method":")", std::string_view{to_string(r.request.method)}, "\"");
    to = put_foreign(put(to, R"(,"path":)"), shown_path(r.request.path), escaped_);
    if (r.request.path.size() > path_bytes_max) to = put(to, R"(,"path_bytes":)", r.request.path.size());
  }
  if (!notes.operation.empty()) to = put(to, R"(,"operation":")", notes.operation, "\"");
  to = put(to, R"(,"status":)", r.response.status);
  if (!notes.error_code.empty()) to = put(to, R"(,"error":")", notes.error_code, "\"");
  auto const duration = std::chrono::duration_cast<std::chrono::microseconds>(r.duration).count();
  to = put(to, R"(,"decision":")", limits::name_of(notes.decision), R"(","bytes":)", r.bytes_sent, R"(,"duration_us":)",
           static_cast<std::uint64_t>(std::max(duration, decltype(duration){0})));
  if (stands_for > 1) to = put(to, R"(,"sample":)", stands_for);
  if (suppressed > 0) to = put(to, R"(,"suppressed":)", suppressed);
  return put(to, "}\n");
}

void access_line::remember_second(log_time time) {
  second_ = std::chrono::floor<std::chrono::seconds>(time);
  until_second_ = R"({"time":")";
  append_rfc3339(until_second_, second_);
  until_second_.resize(until_second_.size() - std::string_view("000Z").size());
}

/// Cuts a long path. Keys are redacted before the cut, since a part of a key would not be recognized.
std::string_view access_line::shown_path(std::string_view path) {
  if (path.size() <= path_bytes_max) return path;
  path_.clear();
  append_without_keys(path_, path);
  return std::string_view(path_).substr(0, path_bytes_max);
}

std::string const& access_line::remembered_address::text(server::raw_address const& address) {
  if (text_.empty() || !is_same(address, address_)) {
    text_ = server::address_text(address);
    address_ = address;
  }
  return text_;
}

}  // namespace petstore::program
