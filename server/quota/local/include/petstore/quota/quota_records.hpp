// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore::quota {

/// Where a local source keeps what survives a restart: records by key, whose bytes are its own affair.
/// `open_local_quota` keeps them in LMDB.
///
/// Thread safety: none; the source calls it from one thread at a time. Functions throw a std::exception with a sentence
/// that names the place and the cause.
class PETSTORE_EXPORT quota_records {
 public:
  /// One record that is new or different.
  struct change {
    std::string key;                   ///< up to 32 bytes
    std::optional<std::string> value;  ///< less than 300 bytes; nullopt erases the record
  };

  virtual ~quota_records() = default;

  /// Reads every record. The views are valid until `visit` returns.
  virtual void read_all(std::function<void(std::string_view key, std::string_view value)> const& visit) = 0;
  /// Writes all changes or none; they are on the disk on return. After a failure the same changes are written again.
  virtual void write(std::span<change const>) = 0;
};

}  // namespace petstore::quota
