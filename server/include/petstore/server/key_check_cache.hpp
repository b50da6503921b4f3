// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/server/key_check.hpp"

namespace petstore::server {

/// How long a cache keeps what it was told, and how many tokens it remembers.
struct PETSTORE_EXPORT key_check_cache_options {
  /// How long a principal is used without asking again, but never beyond its `valid_until`; so long a token works on
  /// after it was revoked, unless `forget` is called. 0: not at all.
  std::chrono::milliseconds valid_for = std::chrono::minutes{1};
  /// How long a token counts as unknown without asking again. 0: not at all.
  std::chrono::milliseconds unknown_for = std::chrono::seconds{5};
  /// The maximum number of known tokens, and that of unknown ones, 1 or more. Unknown tokens do not displace known
  /// ones. The cache has 16 parts, and each remembers at least one token of each kind.
  std::size_t tokens_max = 65'536;
};

/// Remembers for a time what another key check has answered, so that it is not asked for every request:
///
///     server::key_check_cache cached{sessions, {.valid_for = 30s}};  // `sessions` asks a database
///     options.keys = &cached;
///
/// It keeps SHA-256 digests and no tokens. When it is full, the answer that came first goes.
///
/// Requests for one token that come before its answer share one call of the check: the first makes it, and the others
/// wait for its outcome, each on its own executor. A failure fails all of them and is not remembered. All wait as long
/// as the call takes, so the check needs a time limit of its own. If the first is cancelled before the answer, which
/// only a host that calls the service itself can do, one of the others makes a call of its own. So what `check` returns
/// to the first request must be awaited or destroyed for the others to go on.
///
/// Thread safety: every function from any thread, as long as the check takes calls from any thread. A look-up holds one
/// of 16 mutexes for the time of a search in a hash table. The cache may be destroyed before the context of coroutines
/// that are not resumed any more.
class PETSTORE_EXPORT key_check_cache final : public key_check {
 public:
  /// `asked` must outlive the cache. Throws std::invalid_argument if a time is negative or `tokens_max` is 0.
  explicit key_check_cache(key_check& asked, key_check_cache_options = {});
  ~key_check_cache() override;

  /// Times are measured on the boot clock of the requests, `principal::valid_until` on their wall clock.
  ports::eventual<std::optional<principal>> check(std::string_view token, limits::instant now) override;

  /// @{
  /// The next request with that token, or with any, asks again. An answer that is on its way is for the requests that
  /// wait for it already, and is not remembered.
  void forget(std::string_view token) noexcept;
  void forget_all() noexcept;
  /// @}

 private:
  struct impl;
  std::shared_ptr<impl> impl_;  ///< shared with the coroutines of requests that wait for an answer
};

}  // namespace petstore::server
