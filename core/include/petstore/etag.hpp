// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/error.hpp"
#include "petstore/export.hpp"

namespace petstore {

/// A strong validator (RFC 9110, 8.8.3): the record's revision, and the CRC-32C of its bytes so that a store that
/// was restored from an older copy does not repeat a tag for other bytes.
struct PETSTORE_EXPORT entity_tag {
  std::uint64_t revision = 0;  ///< how often the record was changed
  std::uint32_t checksum = 0;  ///< of its canonical JSON

  friend bool operator==(entity_tag const&, entity_tag const&) = default;
};

/// `"<revision>-<checksum, 8 hex digits>"`, quotes included.
PETSTORE_EXPORT std::string to_string(entity_tag);
/// The same at the end of `out`.
PETSTORE_EXPORT void append(std::string& out, entity_tag);

/// A parsed If-Match or If-None-Match field. Default: no condition.
class PETSTORE_EXPORT etag_condition {
 public:
  etag_condition() = default;

  /// RFC 9110, 13.1: `*`, or a list of entity tags. A field that is neither is invalid_request.
  static result<etag_condition> parse(std::string_view field);

  /// Whether the request has such a field.
  bool present() const noexcept { return present_; }
  /// Strong comparison: weak tags never match. `*` matches anything that exists.
  bool matches_strong(entity_tag) const noexcept;
  /// Weak comparison, as If-None-Match asks.
  bool matches_weak(entity_tag) const noexcept;

 private:
  struct listed {
    entity_tag tag;
    bool weak = false;
  };
  bool matches(entity_tag, bool weak_too) const noexcept;

  bool present_ = false;
  bool any_ = false;
  // Of the tags listed those that look like ours, as no other can match. Nearly always there is one: it needs no
  // memory.
  std::optional<listed> first_;
  std::vector<listed> more_;
};

}  // namespace petstore
