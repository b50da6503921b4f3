// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "petstore/asio/serial_executor.hpp"
#include "petstore/export.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/report.hpp"
#include "petstore/ports/shared_quota_figures.hpp"

namespace petstore::quota {

/// What a request gets that has to wait for Redis while Redis does not answer.
enum class failure_policy : std::uint8_t {
  /// Tokens of this node's share of the quota, which the node counts itself. A used-up share refuses as a quota does; a
  /// cost that is above the whole share is an error, as for `closed`.
  degraded,
  closed,  ///< boost::system::system_error, which is answered 503
  open,    ///< admission
};

/// When a node calls Redis.
enum class quota_mode : std::uint8_t {
  leased,  ///< for several tokens at a time, depending on the rate of the key; for each request near a quota's end
  strict,  ///< for each request
};

/// How nodes share quotas.
struct PETSTORE_EXPORT redis_options {
  /// One of
  ///
  ///     redis://[[user][:password]@]host[:port][/database]
  ///     redis+sentinel://[[user][:password]@]host[:port],host[:port],…/master-name[/database]
  ///     redis+cluster://[[user][:password]@]host[:port],host[:port],…
  ///
  /// or the same with rediss, for TLS; then also `?ca=FILE&cert=FILE&key=FILE&server_name=NAME`. The default port is
  /// 6379, for sentinels 26379. `%40` is `@`, and so on.
  std::string address;
  std::string environment;     ///< part of the name of every key, so that two environments can share a server
  serial_executor<> executor;  ///< where the connections to Redis run; required. Its context must outlive the source
  limits::ban_policy bans;     ///< for callers that ignore refusals; the same on every node
  failure_policy on_failure = failure_policy::degraded;  ///< while Redis does not answer
  quota_mode mode = quota_mode::leased;                  ///< when the node calls Redis
  std::chrono::milliseconds deadline{250};  ///< for one call; a request may have to wait for the call before its own
  std::uint32_t nodes_min = 1;              ///< `degraded` divides quotas by at least this number of nodes
  std::size_t addresses_max = 65'536;       ///< addresses without a key that this node remembers
  /// About so many identities of `payer_of` are remembered by this node, at least 64; some 1,600 bytes each. A new one
  /// takes the place of one that has not come for long. That one finds its counts in Redis when it comes again, and has
  /// lost only the tokens that the node held for it. Identities that wait for Redis, and those of which Redis has to be
  /// told something, keep their place. So while Redis does not answer, `degraded` and `open` serve as many, and what
  /// charges another one throws boost::system::system_error. An identity that `account_of` has returned takes no such
  /// place.
  std::size_t identities_max = 65'536;
  /// The clock of the instants that charges are given; limits::now if empty. Several threads call it at once.
  std::function<limits::instant()> clock;
  /// Called from any thread, with `quota_redis_does_not_answer` when Redis has answered nothing for a second (two at
  /// most), also after the opening; with `quota_redis_answers_again` after that; and with other events of Redis.
  ports::report_function report;
};

/// Quotas shared by all nodes that use the same Redis. Each node takes tokens in advance and decides by itself. While
/// Redis answers, a quota is exact in every announced period, for any number of nodes and even if some of them die.
/// While Redis does not answer, `redis_options::on_failure` decides. The page "Semantics" of the documentation has the
/// bounds for every failure (section "Over several nodes").
class PETSTORE_EXPORT redis_quota : public ports::quota_source {
 public:
  /// Returns the unused tokens of this node, as far as Redis answers within a second (or within
  /// `redis_options::deadline`, if that is longer, up to five seconds), and stops. Afterwards nothing calls Redis any
  /// more, and the failure policy decides. Must be called from a thread that does not run the executor, or it waits for
  /// two seconds more than that. The destructor calls it if nobody has. A pending charge of `async_quota` may be the
  /// last owner and is destroyed on the executor; so call `close` before you give up a source with pending charges.
  virtual void close() = 0;

  /// Sets other rules, which hold from the next call of Redis on. Each node applies its own rules. Throws
  /// std::invalid_argument for a duration that is not from 0 to 31 days. Any thread.
  virtual void set_bans(limits::ban_policy const&) = 0;

  /// A copy of the counters. Any thread.
  virtual ports::shared_quota_figures counters() const = 0;
};

/// Throws std::runtime_error with a sentence if the text is not an address, or names a TLS file that cannot be used.
/// Does not connect.
PETSTORE_EXPORT void validate_redis_address(std::string const&);

/// Throws like the function above, and std::invalid_argument without an executor, and for bans with a duration that is
/// not from 0 to 31 days. A
/// server that does not answer is not an error.
[[nodiscard]] PETSTORE_EXPORT std::unique_ptr<redis_quota> open_redis_quota(redis_options);

}  // namespace petstore::quota
