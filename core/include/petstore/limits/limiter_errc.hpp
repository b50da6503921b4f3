// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <system_error>
#include <type_traits>

#include "petstore/export.hpp"

namespace petstore::limits {

/// Why a limiter did not take what it was given. Nothing has changed then. 0 is no error.
enum class limiter_errc {
  unknown_plan = 1,   ///< the limiter has no plan of that number
  invalid_plan,       ///< a quota of the plan is outside its range, or the plan is not sound
  too_many_plans,     ///< the limiter has had `plans_max` different plans
  not_saved,          ///< the bytes are not those of a saved limiter
  saved_version,      ///< they are of a version that this library does not read
  saved_truncated,    ///< they end too early
  saved_damaged,      ///< their checksum or their structure is wrong
  saved_key_invalid,  ///< identities in them are none of the limiter's type
  burst_not_shared,   ///< the plan has a burst, and the source shares its quotas between nodes
};

/// The category of these errors. Its name is "petstore.limiter"; its messages are sentences. Any thread.
PETSTORE_EXPORT std::error_category const& limiter_category() noexcept;

/// Makes a limiter_errc comparable with an error code and convertible to one. Any thread.
inline std::error_code make_error_code(limiter_errc e) noexcept {
  return {static_cast<int>(e), limiter_category()};
}

}  // namespace petstore::limits

/// @cond
template <>
struct std::is_error_code_enum<petstore::limits::limiter_errc> : std::true_type {};
/// @endcond
