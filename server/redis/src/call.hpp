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

/// Whoever waits for a call. Told once, on any executor; destroyed without that when the program ends first, or has no
/// memory to tell it.
class completion {
 public:
  virtual ~completion() = default;
  virtual void complete(result<reply>) = 0;
};

/// One call on its way: it belongs to whoever must see to it next, until somebody completes it.
struct call {
  using time_point = std::chrono::steady_clock::time_point;

  std::vector<std::string> words;     ///< the command; of a script, what follows its digest or text
  script const* to_run = nullptr;     ///< null: a plain command
  std::optional<std::uint16_t> slot;  ///< nullopt: any node will do
  time_point deadline;
  std::unique_ptr<completion> waiting;

  bool sends_text = false;  ///< the server does not have the script
  bool is_asking = false;   ///< an ASK led here
  int redirections = 0;     ///< that were followed
};

/// As it is sent: with ASKING before it where that is due, which has a reply of its own.
std::string bytes_of(call const&);

}  // namespace petstore::redis
