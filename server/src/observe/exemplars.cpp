// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/exemplars.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace petstore::server {

struct exemplars::cell {
  limits::wall_time time;
  std::chrono::nanoseconds duration{};
  std::uint8_t id_bytes = 0;  ///< 0: no request was kept
  std::array<char, id_bytes_max> id;
};

exemplars::exemplars(std::size_t count) : kept_at_(count), cells_{std::make_unique<cell[]>(count)} {}

exemplars::~exemplars() = default;

void exemplars::keep(std::size_t counter, std::string_view request_id, std::chrono::nanoseconds duration,
                     limits::wall_time time) noexcept {
  if (request_id.empty() || request_id.size() > id_bytes_max) return;
  std::unique_lock const lock{mutex_, std::try_to_lock};
  if (!lock) return;
  auto& c = cells_[counter];
  std::ranges::copy(request_id, c.id.begin());
  c.id_bytes = static_cast<std::uint8_t>(request_id.size());
  c.duration = duration;
  c.time = kept_at_[counter] = time;
}

std::optional<exemplar> exemplars::find(std::size_t counter) const {
  std::lock_guard const lock{mutex_};
  auto const& c = cells_[counter];
  if (c.id_bytes == 0) return std::nullopt;
  return exemplar{{c.id.data(), c.id_bytes}, c.duration, c.time};
}

}  // namespace petstore::server
