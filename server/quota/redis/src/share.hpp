// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <memory>

#include "petstore/limits/account.hpp"
#include "petstore/limits/lease.hpp"

namespace petstore::quota {

/// What a node admits of one identity while it cannot ask the server: an equal part of what was left when the server
/// was last heard, later of each new period's quota. Counted here, and reported to the server when that is back.
///
/// Not thread-safe.
class share {
 public:
  /// Admitted on one day. What another day adds replaces it: of a day that is over nothing need be reported.
  struct spending {
    std::int64_t day = 0;  ///< since 1970-01-01
    std::uint64_t count = 0;

    void add(spending const& more) noexcept {
      if (more.count == 0) return;
      if (day != more.day) *this = {.day = more.day, .count = 0};
      count += more.count;
    }
  };

  /// `known`: the state as it was last told, at the time of now by the clock that it is told by.
  limits::verdict charge(limits::verdict const& known, limits::plan const&, std::uint32_t nodes);

  /// One that was admitted in another way without asking.
  void count(limits::instant now) noexcept;
  /// What was admitted since the last call of this, to be reported.
  spending take_spent() noexcept;
  /// The server is back: the next time begins with what is known then.
  void end() noexcept { account_.reset(); }

 private:
  void begin(limits::saved_account const&, limits::plan const& part, limits::instant now);
  void change_part(limits::saved_account const& begins_with, limits::plan const& part, limits::instant now);

  std::unique_ptr<limits::account> account_;  // made when it is first needed: as a rule, never
  limits::saved_account begun_with_;
  limits::plan part_{.per_minute = 1};
  spending spent_;
};

}  // namespace petstore::quota
