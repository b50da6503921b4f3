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

  /// Reads the token from a file, without the white space around it. Throws std::runtime_error with a sentence if the
  /// file cannot be read, if everybody may read it, if others than its owner may write it, or if the token is shorter
  /// than `size_min` or contains white space.
  static admin_token read(std::filesystem::path const&);
  explicit admin_token(std::string_view text) : digest_{sha256(text)} {}

  /// Compares in constant time: the time does not tell how much of a guess is right.
  bool is(std::string_view text) const noexcept;

 private:
  sha256_digest digest_;
};

}  // namespace petstore::program
