// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "petstore/redis/error.hpp"
#include "petstore/redis/reply.hpp"
#include "petstore/redis/script.hpp"

namespace petstore::redis {

/// Receives the outcome of a call, once, on any executor. It is destroyed without an outcome if the program ends
/// before, or if there is no memory to post it.
class completion {
 public:
  virtual ~completion() = default;
  virtual void complete(result<reply>) = 0;
};

/// One call. It is owned by the part of the client that has to handle it next, until one of them completes it.
struct call {
  using time_point = std::chrono::steady_clock::time_point;

  std::vector<std::string> words;     ///< the command; for a script, what follows its digest or text
  script const* to_run = nullptr;     ///< null: a plain command
  std::optional<std::uint16_t> slot;  ///< nullopt: any node will do
  time_point deadline;
  std::unique_ptr<completion> waiting;

  bool sends_text = false;  ///< instead of the digest, since the server does not have the script
  bool is_asking = false;   ///< after an ASK, ASKING has to be sent first
  int redirections = 0;     ///< how many were followed
};

/// Returns the bytes to send. If ASKING has to come first, they contain it, and it has a reply of its own.
std::string bytes_of(call const&);

}  // namespace petstore::redis
