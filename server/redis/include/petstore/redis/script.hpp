// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

namespace petstore::redis {

/// A Lua script and the digest that identifies it on a server. Immutable; any thread.
class script {
 public:
  explicit script(std::string text);

  std::string const& text() const noexcept { return text_; }
  std::string const& digest() const noexcept { return digest_; }  ///< SHA-1, 40 hexadecimal digits

 private:
  std::string text_;
  std::string digest_;
};

}  // namespace petstore::redis
