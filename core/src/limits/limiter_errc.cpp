// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/limiter_errc.hpp"

#include <string>

namespace petstore::limits {
namespace {

class category final : public std::error_category {
 public:
  char const* name() const noexcept override { return "petstore.limiter"; }
  std::string message(int value) const override {
    switch (static_cast<limiter_errc>(value)) {
      case limiter_errc::unknown_plan: return "the limiter has no plan of that number";
      case limiter_errc::invalid_plan:
        return "a quota of the plan is outside its range, or its numbers do not agree";
      case limiter_errc::too_many_plans: return "the limiter has had as many different plans as it keeps";
      case limiter_errc::not_saved: return "the bytes are not those of a saved limiter";
      case limiter_errc::saved_version: return "the saved limiter is of a version that this library does not read";
      case limiter_errc::saved_truncated: return "the saved limiter ends too early";
      case limiter_errc::saved_damaged: return "the saved limiter is damaged";
      case limiter_errc::saved_key_invalid: return "the saved limiter has identities of another type";
      case limiter_errc::burst_not_shared: return "quotas that nodes share have no plans with a burst";
    }
    return "unknown error of a limiter";
  }
};

}  // namespace

std::error_category const& limiter_category() noexcept {
  static category const the_category;
  return the_category;
}

}  // namespace petstore::limits
