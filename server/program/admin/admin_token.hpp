// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <string_view>

#include "petstore/api_key.hpp"

namespace petstore::program {

/// The secret that allows actions on the admin listener. Only its digest is kept. Any thread.
class admin_token {
 public:
  static constexpr std::size_t size_min = 32;

  /// The text of the file, without the white space around it. Throws std::runtime_error with a sentence when the file
  /// cannot be read, others may read it, or the token is shorter than `size_min` or holds white space.
  static admin_token read(std::filesystem::path const&);
  explicit admin_token(std::string_view text) : digest_{sha256(text)} {}

  /// In a time that tells nothing of how much of a guess was right.
  bool is(std::string_view text) const noexcept;

 private:
  sha256_digest digest_;
};

}  // namespace petstore::program
