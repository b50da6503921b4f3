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

namespace petstore::program {
namespace {

/// An upper bound for all parts of a line except the texts below: names, punctuation, numbers, time and addresses.
constexpr std::size_t frame_bytes_max = 512;
/// The longest form of one byte in a JSON string: \u001f. A redacted key is its prefix and three stars; that is shorter
/// than this bound.
constexpr std::size_t escaped_bytes_max = 6;

/// Returns an upper bound for the length of this record's line.
std::size_t line_bytes_max(server::access_record const& r) {
  auto const& notes = r.response.notes;
  return frame_bytes_max + notes.operation.size() + notes.error_code.size() +
         escaped_bytes_max *
             (r.request.request_id.size() + std::min(r.request.path.size(), access_line::path_bytes_max));
}

/// Writes into memory that is large enough; it checks nothing.
struct buffer_writer {
  char* at;

  template <std::size_t Size>
  void put(char const (&literal)[Size]) {
    std::memcpy(at, literal, Size - 1);
    at += Size - 1;
  }
  void put(std::string_view text) {
    text.copy(at, text.size());  // an empty view may have no pointer, which memcpy must not get
    at += text.size();
  }
  void put(std::unsigned_integral auto number) { at = std::to_chars(at, at + 20, number).ptr; }
  void put_three_digits(unsigned number) {
    *at++ = static_cast<char>('0' + number / 100);
    *at++ = static_cast<char>('0' + number / 10 % 10);
    *at++ = static_cast<char>('0' + number % 10);
  }
};

/// The kinds of bytes in a text. A special byte has to be escaped in a JSON string, or can be a part of an API key
/// (every key has an underscore behind its first letters, unless it is percent-encoded). The other kinds are capital
/// letters and small letters.
enum : unsigned char { special = 1, capital = 2, small = 4 };
constexpr auto kind_of_byte = [] {
  std::array<unsigned char, 256> kinds{};
  kinds.fill(special);
  for (std::size_t c = 0x20; c < 0x7f; ++c) kinds[c] = 0;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) kinds[c] = capital;
  for (std::size_t c = 'a'; c <= 'z'; ++c) kinds[c] = small;
  for (char const c : {'"', '\\', '_', '%'}) kinds[static_cast<unsigned char>(c)] = special;
  return kinds;
}();

/// Whether the text can be written unchanged. This is a quick check: it returns false if there might be a key in the
/// text.
bool is_ordinary(std::string_view text) {
  unsigned char kinds = 0;
  for (char const c : text) kinds |= kind_of_byte[static_cast<unsigned char>(c)];
  if ((kinds & special) != 0) return false;
  return kinds != (capital | small) || text.size() < key_trace_digits_min;
}

/// Writes a text that the client chose.
void put_foreign(buffer_writer& out, std::string_view text, std::string& escaped) {
  if (is_ordinary(text)) {
    out.put("\"");
    out.put(text);
    out.put("\"");
  } else {
    escaped.clear();
    append_json_text(escaped, text);
    out.put(escaped);
  }
}

void put_decision(buffer_writer& out, limits::decision decision) {
  switch (decision) {
    case limits::decision::admitted: return out.put(R"(,"decision":"admitted")");
    case limits::decision::rate_limited: return out.put(R"(,"decision":"rate_limited")");
    case limits::decision::banned: return out.put(R"(,"decision":"banned")");
    case limits::decision::observed: return out.put(R"(,"decision":"observed")");
  }
}

}  // namespace

access_line::access_line() {
  remember_second({});
}

std::string_view access_line::format(log_time time, server::access_record const& r, std::uint32_t stands_for,
                                     std::uint64_t suppressed) {
  auto const second = std::chrono::floor<std::chrono::seconds>(time);
  if (second != second_) remember_second(time);
  if (auto const needed = line_bytes_max(r); bytes_.size() < needed) bytes_.resize(needed);

  buffer_writer out{bytes_.data()};
  out.put(until_second_);
  out.put_three_digits(static_cast<unsigned>((time - second).count()));
  out.put(R"(Z","request_id":)");
  put_foreign(out, r.request.request_id, escaped_);
  if (auto const trace = server::find_trace_context(r.request); trace.is_known()) {
    out.put(R"(,"trace_id":")");
    out.put(trace.trace_id);
    out.put(R"(","parent_id":")");
    out.put(trace.parent_id);
    out.put("\"");
  }
  auto const& notes = r.response.notes;
  if (notes.key != 0) {
    out.put(R"(,"key":"k)");
    out.put(notes.key);
    out.put("\"");
  }
  out.put(R"(,"peer":")");
  out.put(peer_.text(r.request.peer));
  out.put("\"");
  if (notes.client != r.request.peer && notes.client != decltype(notes.client){}) {
    out.put(R"(,"client":")");
    out.put(client_.text(notes.client));
    out.put("\"");
  }
  if (!r.request.target.empty()) {  // else the head could not be parsed
    if (r.request.method != server::method::unknown) {
      out.put(R"(,"method":")");
      out.put(to_string(r.request.method));
      out.put("\"");
    }
    out.put(R"(,"path":)");
    put_foreign(out, shown_path(r.request.path), escaped_);
    if (r.request.path.size() > path_bytes_max) {
      out.put(R"(,"path_bytes":)");
      out.put(r.request.path.size());
    }
  }
  if (!notes.operation.empty()) {
    out.put(R"(,"operation":")");
    out.put(notes.operation);
    out.put("\"");
  }
  out.put(R"(,"status":)");
  out.put(r.response.status);
  if (!notes.error_code.empty()) {
    out.put(R"(,"error":")");
    out.put(notes.error_code);
    out.put("\"");
  }
  put_decision(out, notes.decision);
  out.put(R"(,"bytes":)");
  out.put(r.bytes_sent);
  out.put(R"(,"duration_us":)");
  auto const duration = std::chrono::duration_cast<std::chrono::microseconds>(r.duration).count();
  out.put(static_cast<std::uint64_t>(duration < 0 ? 0 : duration));
  if (stands_for > 1) {
    out.put(R"(,"sample":)");
    out.put(stands_for);
  }
  if (suppressed > 0) {
    out.put(R"(,"suppressed":)");
    out.put(suppressed);
  }
  out.put("}\n");
  return {bytes_.data(), out.at};
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

std::string const& access_line::remembered_address::text(std::array<unsigned char, 16> const& address) {
  if (text_.empty() || address != address_) {
    text_ = server::address_text(address);
    address_ = address;
  }
  return text_;
}

}  // namespace petstore::program
