// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "outcome.hpp"
#include "petstore/error.hpp"

namespace petstore::program {

/// Returns the value, or throws command_error with a text such as `the keys cannot be read: ` and the cause. The cause
/// is only for operators.
template <class T>
T value_or_fail(result<T> r, std::string_view what) {
  if (!r) {
    auto const& fault = r.error();
    std::string_view const why = !fault.cause.empty()     ? std::string_view(fault.cause)
                                 : !fault.message.empty() ? std::string_view(fault.message)
                                                          : describe(fault.code).message;
    throw command_error(std::string(what).append(": ").append(why));
  }
  if constexpr (!std::is_void_v<T>) return std::move(*r);
}

}  // namespace petstore::program
