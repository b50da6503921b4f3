// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/verdict.hpp"

#include "petstore/limits/long_use.hpp"
#include "readings.hpp"

namespace petstore::limits {

std::optional<std::chrono::nanoseconds> verdict::retry_after() const noexcept {
  return detail::retry_after(*this, detail::read_quotas(short_word, long_word, plan, at, cost.tokens()));
}

std::uint64_t used_of_long_window(verdict const& v) noexcept {
  return v.plan.long_window ? detail::used_in_long(v.long_word) : 0;
}

}  // namespace petstore::limits
