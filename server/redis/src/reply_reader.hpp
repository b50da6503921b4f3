// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>

#include "petstore/redis/error.hpp"
#include "petstore/redis/reply.hpp"

struct redisReader;

namespace petstore::redis {

/// Parses replies from bytes that may be cut anywhere. It is hiredis' reader with our values instead of its own, and
/// with limits. It cannot be used after a failure. One thread.
class reply_reader {
 public:
  explicit reply_reader(reply_limits);
  ~reply_reader();
  reply_reader(reply_reader const&) = delete;
  reply_reader& operator=(reply_reader const&) = delete;

  result<void> feed(std::string_view bytes);

  /// Returns the next whole reply; nullopt if its end has not come yet.
  result<std::optional<reply>> next();

 private:
  struct build;

  reply_limits const limits_;
  std::unique_ptr<build> build_;
  redisReader* reader_;
  std::size_t unfinished_ = 0;  ///< bytes fed since the last whole reply
};

}  // namespace petstore::redis
