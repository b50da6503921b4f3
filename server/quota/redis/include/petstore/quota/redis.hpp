// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/shared_quota_figures.hpp"

namespace petstore::quota {

/// What a request gets that must ask Redis while Redis does not answer.
enum class failure_policy : std::uint8_t {
  degraded,  ///< this node's share of the quota, counted here alone
  closed,    ///< boost::system::system_error, which is answered 503
  open,      ///< admission
};

/// When a node asks Redis.
enum class quota_mode : std::uint8_t {
  leased,  ///< for a handful of tokens at a time, by the rate at which a key is used; one at a time near a quota's end
  strict,  ///< for each request
};

/// How quotas are shared.
struct PETSTORE_EXPORT redis_options {
  std::string address;      ///< redis://, rediss://, redis+sentinel:// or redis+cluster://: petstore/redis/client.hpp
  std::string environment;  ///< in the name of every key: two environments may share a server
  boost::asio::any_io_executor executor;                 ///< where the connection lives: one thread or a strand
  limits::ban_policy bans;                               ///< for those who ignore refusals; the same on every node
  failure_policy on_failure = failure_policy::degraded;  ///< while Redis does not answer
  quota_mode mode = quota_mode::leased;                  ///< when it is asked
  std::chrono::milliseconds deadline{250};  ///< of one call; a request may have to wait for the one before its own
  std::uint32_t nodes_min = 1;              ///< that share the quotas: `degraded` grants no more than this part of them
  std::size_t addresses_max = 65'536;       ///< addresses without a key that this node remembers
  std::function<limits::instant()> clock;   ///< empty: limits::now
  std::function<void(std::string_view event, std::string_view detail)> report;  ///< any thread
};

/// Quotas shared by all nodes that use the same Redis: each node takes tokens ahead of need and decides by itself.
/// While Redis answers, a quota is exact in every announced period, however many nodes there are and whichever of them
/// die; while it does not, `redis_options::on_failure` decides. The page "Semantics" of the documentation has more.
class PETSTORE_EXPORT redis_quota : public ports::quota_source {
 public:
  /// Returns the tokens that this node has not used, as far as Redis answers within a second, and stops. From a thread
  /// that does not run the executor. After it nothing asks Redis any more and the failure policy decides.
  virtual void close() = 0;

  /// Other rules, from the next question to Redis on. Any thread. Nodes with different rules go each by its own.
  virtual void set_bans(limits::ban_policy const&) = 0;

  /// Copies all of them.
  virtual ports::shared_quota_figures counters() const = 0;  ///< any thread
};

/// Throws std::runtime_error with a sentence when the address is not one, or names a file for TLS that cannot be used.
/// Connects to nobody.
PETSTORE_EXPORT void judge_redis_address(std::string const&);

/// Throws like the function above; a server that does not answer is no error.
PETSTORE_EXPORT std::unique_ptr<redis_quota> open_redis_quota(redis_options);

}  // namespace petstore::quota
