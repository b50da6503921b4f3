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
      case limiter_errc::invalid_plan: return "a quota of the plan is outside its range";
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
