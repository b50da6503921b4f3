// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/etag.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "petstore/hex.hpp"

namespace petstore {
namespace {

struct sent_tag {
  std::string_view opaque;  ///< with its quotes
  bool weak = false;
};

/// The text of a tag, without an allocation.
class tag_text {
 public:
  explicit tag_text(entity_tag tag) noexcept {
    auto* at = text_.data();
    *at++ = '"';
    at = std::to_chars(at, text_.data() + text_.size(), tag.revision).ptr;
    *at++ = '-';
    for (int shift = 28; shift >= 0; shift -= 4) *at++ = hex_digits[tag.checksum >> shift & 15];
    *at++ = '"';
    size_ = static_cast<std::size_t>(at - text_.data());
  }
  std::string_view view() const noexcept { return {text_.data(), size_}; }

 private:
  std::array<char, 1 + 20 + 1 + 8 + 1> text_;  // the longest revision has 20 digits
  std::size_t size_ = 0;
};

constexpr bool is_tag_character(char c) noexcept {
  auto const byte = static_cast<unsigned char>(c);
  return byte == 0x21 || (byte >= 0x23 && byte <= 0x7E) || byte >= 0x80;
}

/// Removes leading commas and white space: RFC 9110, 5.6.1 allows empty elements in a list.
void skip_separators(std::string_view& list) noexcept {
  list.remove_prefix(std::min(list.find_first_not_of(" \t,"), list.size()));
}

/// Removes the first tag of `list` and the separators after it. nullopt if `list` does not begin with a tag, or if
/// something other than a comma follows the tag.
std::optional<sent_tag> take_tag(std::string_view& list) noexcept {
  sent_tag tag;
  tag.weak = list.starts_with("W/");
  if (tag.weak) list.remove_prefix(2);
  if (!list.starts_with('"')) return std::nullopt;
  auto const close = std::find_if_not(list.begin() + 1, list.end(), is_tag_character);
  if (close == list.end() || *close != '"') return std::nullopt;
  tag.opaque = list.substr(0, static_cast<std::size_t>(close - list.begin()) + 1);
  list.remove_prefix(tag.opaque.size());

  auto const next = std::min(list.find_first_not_of(" \t"), list.size());
  if (next != list.size() && list[next] != ',') return std::nullopt;
  list.remove_prefix(next);
  skip_separators(list);
  return tag;
}

/// The entity_tag with this text. nullopt unless the text is exactly what this program sends for it.
std::optional<entity_tag> parse_own(std::string_view opaque) noexcept {
  entity_tag tag;
  auto const* const end = opaque.data() + opaque.size();
  auto const revision = std::from_chars(opaque.data() + 1, end, tag.revision);
  if (revision.ec != std::errc{} || *revision.ptr != '-') return std::nullopt;
  if (std::from_chars(revision.ptr + 1, end, tag.checksum, 16).ec != std::errc{}) return std::nullopt;
  return tag_text(tag).view() == opaque ? std::optional{tag} : std::nullopt;
}

}  // namespace

std::string to_string(entity_tag tag) {
  return std::string{tag_text(tag).view()};
}

void append(std::string& out, entity_tag tag) {
  out.append(tag_text(tag).view());
}

result<etag_condition> etag_condition::parse(std::string_view field) {
  etag_condition condition;
  condition.present_ = true;
  auto list = field;
  skip_separators(list);
  // A star must be the whole field: RFC 9110 does not allow it in a list.
  if (list.starts_with('*')) {
    condition.any_ = field.find_first_not_of(" \t*") == std::string_view::npos && std::ranges::count(field, '*') == 1;
    if (condition.any_) return condition;
  } else {
    bool fits = true;
    while (fits && !list.empty()) {
      auto const sent = take_tag(list);
      fits = sent.has_value();
      auto const own = sent ? parse_own(sent->opaque) : std::nullopt;
      if (!own) continue;
      if (!condition.first_) {
        condition.first_ = {*own, sent->weak};
      } else {
        condition.more_.push_back({*own, sent->weak});
      }
    }
    if (fits) return condition;
  }
  return error{.code = errc::invalid_request,
               .message = "If-Match and If-None-Match take * or a list of entity tags",
               .cause = {}};
}

bool etag_condition::matches_strong(entity_tag tag) const noexcept {
  return matches(tag, false);
}
bool etag_condition::matches_weak(entity_tag tag) const noexcept {
  return matches(tag, true);
}

bool etag_condition::matches(entity_tag wanted, bool weak_too) const noexcept {
  auto const is_wanted = [&](listed const& l) { return l.tag == wanted && (weak_too || !l.weak); };
  return any_ || (first_ && is_wanted(*first_)) || std::ranges::any_of(more_, is_wanted);
}

}  // namespace petstore
