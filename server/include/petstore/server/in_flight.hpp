// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "petstore/export.hpp"

namespace petstore::server {

/// Counts how many requests of each identity are in flight: admitted and not answered yet. It has an entry only for
/// identities with a request in flight. The services of an application share one, so the counts are those of the
/// process.
///
/// Thread safety: any thread. The counts are in parts with a mutex each, which is held for a short search.
class PETSTORE_EXPORT in_flight {
 public:
  /// Counts a request until it is destroyed.
  class slot {
   public:
    slot() = default;  ///< of no request
    /// Moves the count; `other` is empty afterwards.
    slot(slot&& other) noexcept : of_{std::exchange(other.of_, nullptr)}, identity_{other.identity_} {}
    /// Exchanges the places.
    slot& operator=(slot&& other) noexcept {
      std::swap(of_, other.of_);
      std::swap(identity_, other.identity_);
      return *this;
    }
    ~slot() {
      if (of_) of_->leave(identity_);
    }

    /// Whether the request is counted.
    explicit operator bool() const noexcept { return of_ != nullptr; }

   private:
    friend class in_flight;
    slot(in_flight& of, std::uint64_t identity) noexcept : of_{&of}, identity_{identity} {}

    in_flight* of_ = nullptr;
    std::uint64_t identity_ = 0;
  };

  in_flight() = default;
  in_flight(in_flight const&) = delete;
  in_flight& operator=(in_flight const&) = delete;

  /// Counts one more request of the identity with this number. An empty slot: `most` are in flight already. Allocates
  /// only if more identities than ever before have requests in flight.
  [[nodiscard]] slot enter(std::uint64_t identity, std::uint32_t most);

 private:
  struct entry {
    std::uint64_t identity;
    std::uint32_t count;
  };
  struct alignas(64) part {
    std::mutex mutex;
    std::vector<entry> entries;  ///< under the mutex; each count is 1 or more

    std::vector<entry>::iterator find(std::uint64_t identity) noexcept;
  };

  part& part_of(std::uint64_t identity) noexcept { return parts_[identity % part_count]; }
  void leave(std::uint64_t identity) noexcept;

  static constexpr std::size_t part_count = 64;
  std::array<part, part_count> parts_;
};

}  // namespace petstore::server
