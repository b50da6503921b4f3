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

/// A strong validator (RFC 9110, 8.8.3): the record's revision and the CRC-32C of its bytes. The checksum keeps a store
/// that was restored from an older copy from using a tag again for other bytes.
struct PETSTORE_EXPORT entity_tag {
  std::uint64_t revision = 0;  ///< the number of changes of the record
  std::uint32_t checksum = 0;  ///< of its canonical JSON

  friend bool operator==(entity_tag const&, entity_tag const&) = default;
};

/// `"<revision>-<checksum, 8 hex digits>"`, quotes included.
PETSTORE_EXPORT std::string to_string(entity_tag);
/// Appends the same text to `out`.
PETSTORE_EXPORT void append(std::string& out, entity_tag);

/// A parsed If-Match or If-None-Match field. Default: no condition.
class PETSTORE_EXPORT etag_condition {
 public:
  etag_condition() = default;

  /// Parses `*` or a list of entity tags (RFC 9110, 13.1). Any other field is invalid_request.
  static result<etag_condition> parse(std::string_view field);

  /// Whether the request has such a field.
  bool present() const noexcept { return present_; }
  /// Strong comparison: weak tags never match. `*` matches anything that exists.
  bool matches_strong(entity_tag) const noexcept;
  /// Weak comparison, as for If-None-Match.
  bool matches_weak(entity_tag) const noexcept;

 private:
  struct listed {
    entity_tag tag;
    bool weak = false;
  };
  bool matches(entity_tag, bool weak_too) const noexcept;

  bool present_ = false;
  bool any_ = false;
  // The listed tags in our format; no other tag can match. Nearly always there is one, which needs no allocation.
  std::optional<listed> first_;
  std::vector<listed> more_;
};

}  // namespace petstore
