// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client/answer_reader.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "client/head_lines.hpp"

namespace petstore::load {
namespace {

constexpr std::string_view version = "HTTP/1.";
constexpr std::size_t status_at = 9;  ///< after "HTTP/1.1 "
constexpr std::size_t status_line_bytes_min = status_at + 3;
constexpr unsigned switching_protocols = 101;
constexpr unsigned first_final = 200;
constexpr unsigned no_content = 204;
constexpr unsigned not_modified = 304;

/// The end of the head with its empty line, searched from `from`, which may be within a line.
std::optional<std::size_t> head_end(std::string_view text, std::size_t from) noexcept {
  for (auto at = text.find('\n', from); at != text.npos; at = text.find('\n', at + 1)) {
    auto const rest = text.substr(at + 1);
    if (rest.starts_with('\n')) return at + 2;
    if (rest.starts_with("\r\n")) return at + 3;
  }
  return std::nullopt;
}

template <class Number>
std::optional<Number> whole_number(std::string_view text, int base) noexcept {
  Number n{};
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), n, base);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

/// Calls a function for each element of a list such as that of Connection.
template <class Visitor>
void for_each_element(std::string_view list, Visitor visit) {
  while (!list.empty()) {
    auto const comma = std::min(list.find(','), list.size());
    visit(trimmed(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

void note_first(std::string_view& noted, std::string_view value) noexcept {
  if (noted.empty()) noted = value;
}

}  // namespace

void answer_reader::expect(bool request_was_head, bool keep_body) noexcept {
  request_was_head_ = request_was_head;
  keeps_body_ = keep_body;
  part_ = part::head;
  head_.clear();
  body_.clear();
  line_.clear();
  head_bytes_ = 0;
  mistake_ = "";
}

reading answer_reader::read(std::string_view bytes) {
  auto progress = reading::incomplete;
  while (progress == reading::incomplete && !bytes.empty()) progress = read_part(bytes);
  if (progress == reading::complete && !bytes.empty())
    return fail(reading::malformed, "more bytes than the answer says");
  if (progress == reading::incomplete && part_ != part::head && head_.empty()) {
    // The rest of the body comes with a later read, and the caller's bytes with the head do not exist any more then.
    head_ = answer_.head;
    parse_head(head_);
  }
  return progress;
}

reading answer_reader::read_part(std::string_view& bytes) {
  switch (part_) {
    case part::head: return read_head(bytes);
    case part::sized: return read_sized(bytes);
    case part::chunk: return read_chunk(bytes);
    case part::chunk_size:
    case part::chunk_end:
    case part::trailers: return read_line(bytes);
    case part::until_close: return read_until_close(bytes);
    case part::over: break;
  }
  return fail(reading::malformed, "bytes that nobody asked for");
}

reading answer_reader::read_head(std::string_view& bytes) {
  auto const kept = head_.size();
  if (kept > 0) head_.append(bytes.substr(0, head_bytes_max + 1));
  std::string_view const text = kept > 0 ? std::string_view(head_) : bytes;
  // The first part of a line end may have come before.
  auto const end = head_end(text, kept < 2 ? 0 : kept - 2);
  auto const known = std::min(text.size(), version.size());
  if (text.substr(0, known) != version.substr(0, known)) return fail(reading::malformed, "no status line of HTTP/1.1");
  if (end.value_or(text.size()) + head_bytes_ > head_bytes_max) return fail(reading::too_large, "a head beyond 64 KiB");
  if (!end) {
    if (kept == 0) head_ = bytes;
    bytes = {};
    return reading::incomplete;
  }
  bytes.remove_prefix(*end - kept);
  head_.resize(kept > 0 ? *end : 0);
  auto const head = kept > 0 ? std::string_view(head_) : text.substr(0, *end);
  if (auto const progress = parse_head(head); progress != reading::incomplete) return progress;
  return begin_body(head);
}

reading answer_reader::parse_head(std::string_view head) {
  answer_ = {};
  answer_.head = head;
  has_length_ = is_chunked_ = says_close_ = says_keep_alive_ = false;

  auto rest = head;
  auto const line = take_line(rest).value_or(std::string_view{});
  auto const status = whole_number<unsigned>(line.substr(std::min(status_at, line.size()), 3), 10);
  bool const is_status_line = line.size() >= status_line_bytes_min && (line[7] == '1' || line[7] == '0') &&
                              line[8] == ' ' && status && *status >= 100 &&
                              (line.size() == status_line_bytes_min || line[status_line_bytes_min] == ' ');
  if (!is_status_line) return fail(reading::malformed, "no status line of HTTP/1.1");
  answer_.status = *status;
  if (head.find('\0') != head.npos) return fail(reading::malformed, "a NUL in the head");

  while (auto const field = take_line(rest)) {
    if (field->empty()) break;
    auto const colon = field->find(':');
    if (colon == field->npos) return fail(reading::malformed, "a line in the head that is no field");
    auto const name = field->substr(0, colon);
    if (!is_token(name)) return fail(reading::malformed, "a field whose name is no token");
    if (auto const progress = note_field(name, trimmed(field->substr(colon + 1))); progress != reading::incomplete)
      return progress;
  }
  bool const is_http_1_0 = line[7] == '0';
  if (is_chunked_ && has_length_) return fail(reading::malformed, "Content-Length beside Transfer-Encoding");
  if (is_chunked_ && is_http_1_0) return fail(reading::malformed, "Transfer-Encoding in HTTP/1.0");
  keeps_connection_ = !says_close_ && (!is_http_1_0 || says_keep_alive_);
  return reading::incomplete;
}

reading answer_reader::note_field(std::string_view name, std::string_view value) {
  // Few fields are needed. Comparing lengths first makes all others cheap.
  auto& noted = answer_.noted;
  switch (name.size()) {
    case 4:
      if (is_name(name, "date")) note_first(noted.date, value);
      break;
    case 9:
      if (is_name(name, "ratelimit")) note_first(noted.rate_limit, value);
      break;
    case 10:
      if (is_name(name, "connection"))
        for_each_element(value, [&](std::string_view option) {
          says_close_ |= is_name(option, "close");
          says_keep_alive_ |= is_name(option, "keep-alive");
        });
      break;
    case 11:
      if (is_name(name, "retry-after")) note_first(noted.retry_after, value);
      break;
    case 14:
      if (is_name(name, "content-length")) {
        auto const length = whole_number<std::uint64_t>(value, 10);
        if (!length) return fail(reading::malformed, "a Content-Length that is no number");
        if (has_length_ && length_ != *length) return fail(reading::malformed, "two values of Content-Length");
        has_length_ = true;
        length_ = *length;
      }
      break;
    case 16:
      if (is_name(name, "ratelimit-policy")) note_first(noted.rate_limit_policy, value);
      break;
    case 17:
      if (is_name(name, "x-ratelimit-limit")) note_first(noted.limit, value);
      if (is_name(name, "x-ratelimit-reset")) note_first(noted.reset, value);
      if (is_name(name, "transfer-encoding")) {
        if (is_chunked_ || !is_name(value, "chunked"))
          return fail(reading::malformed, "a Transfer-Encoding but chunked");
        is_chunked_ = true;
      }
      break;
    case 20:
      if (is_name(name, "x-ratelimit-resource")) note_first(noted.resource, value);
      break;
    case 21:
      if (is_name(name, "x-ratelimit-remaining")) note_first(noted.remaining, value);
      break;
    default: break;
  }
  return reading::incomplete;
}

reading answer_reader::begin_body(std::string_view head) {
  auto const status = answer_.status;
  if (status == switching_protocols) return fail(reading::malformed, "a change of protocol that nobody asked for");
  if (status < first_final) {
    head_bytes_ += head.size();
    head_.clear();
    return reading::incomplete;
  }
  if (request_was_head_ || status == no_content || status == not_modified) return complete();
  if (is_chunked_) {
    part_ = part::chunk_size;
  } else if (!has_length_) {
    part_ = part::until_close;
  } else if (length_ == 0) {
    return complete();
  } else {
    if (keeps_body_ && length_ > body_bytes_max) return fail(reading::too_large, "a body beyond 8 MiB");
    part_ = part::sized;
    left_ = length_;
  }
  return reading::incomplete;
}

reading answer_reader::read_sized(std::string_view& bytes) {
  auto const taken = bytes.substr(0, left_);
  bytes.remove_prefix(taken.size());
  left_ -= taken.size();
  if (left_ == 0 && body_.empty()) {
    if (keeps_body_) answer_.body = taken;
    return complete();
  }
  keep(taken);
  return left_ == 0 ? complete() : reading::incomplete;
}

reading answer_reader::read_chunk(std::string_view& bytes) {
  auto const taken = bytes.substr(0, left_);
  bytes.remove_prefix(taken.size());
  left_ -= taken.size();
  if (left_ == 0) part_ = part::chunk_end;
  return keep(taken);
}

reading answer_reader::read_until_close(std::string_view& bytes) {
  auto const taken = bytes;
  bytes = {};
  return keep(taken);
}

reading answer_reader::keep(std::string_view of_body) {
  if (!keeps_body_) return reading::incomplete;
  if (of_body.size() > body_bytes_max - body_.size()) return fail(reading::too_large, "a body beyond 8 MiB");
  body_.append(of_body);
  return reading::incomplete;
}

/// Reads a line of a chunked body: the size of a chunk, the line end after its bytes, or a trailer.
reading answer_reader::read_line(std::string_view& bytes) {
  auto const end = bytes.find('\n');
  auto const taken = bytes.substr(0, end == bytes.npos ? end : end + 1);
  if (line_.size() + taken.size() > chunk_line_bytes_max)
    return fail(reading::malformed, "a line of a chunked body beyond 1 KiB");
  line_.append(taken);
  bytes.remove_prefix(taken.size());
  if (end == bytes.npos) return reading::incomplete;

  std::string_view line = line_;
  if (!line.ends_with("\r\n")) return fail(reading::malformed, "a line of a chunked body that does not end with CR LF");
  line.remove_suffix(2);
  auto progress = reading::incomplete;
  if (part_ == part::chunk_size) {
    progress = read_chunk_size(line);
  } else if (part_ == part::chunk_end) {
    if (!line.empty()) return fail(reading::malformed, "a chunk longer than its size");
    part_ = part::chunk_size;
  } else if (line.empty()) {
    progress = complete();
  } else {
    head_bytes_ += line_.size();
    if (head_bytes_ > head_bytes_max) return fail(reading::too_large, "trailers beyond 64 KiB");
  }
  line_.clear();
  return progress;
}

reading answer_reader::read_chunk_size(std::string_view line) {
  auto const size = whole_number<std::uint64_t>(trimmed(line.substr(0, line.find(';'))), 16);
  if (!size) return fail(reading::malformed, "a chunk without a size");
  left_ = *size;
  part_ = left_ == 0 ? part::trailers : part::chunk;
  return reading::incomplete;
}

reading answer_reader::end() {
  if (part_ != part::until_close) return fail(reading::closed, "");
  keeps_connection_ = false;
  return complete();
}

reading answer_reader::complete() noexcept {
  part_ = part::over;
  if (!body_.empty()) answer_.body = body_;
  return reading::complete;
}

reading answer_reader::fail(reading how, char const* mistake) noexcept {
  part_ = part::over;
  mistake_ = mistake;
  return how;
}

}  // namespace petstore::load
