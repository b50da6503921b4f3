// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/is_error_code_enum.hpp>
#include <exception>
#include <type_traits>

#include "petstore/error.hpp"
#include "petstore/export.hpp"

namespace petstore {

/// The category of the errors of asynchronous operations. Its name is "petstore"; its messages are the sentences of
/// `describe`. The value of an error code is one more than that of its errc, because 0 means success. Any thread.
PETSTORE_EXPORT boost::system::error_category const& errc_category() noexcept;

/// Makes an errc comparable with an error code and convertible to one: `if (failed == errc::conflict)`.
PETSTORE_EXPORT boost::system::error_code make_error_code(errc) noexcept;

/// The error code of an exception: that of a system_error of Boost or of the standard library, not_enough_memory for
/// std::bad_alloc, errc::internal for any other. A null pointer gives success.
PETSTORE_EXPORT boost::system::error_code code_of(std::exception_ptr const&) noexcept;

}  // namespace petstore

/// @cond
template <>
struct boost::system::is_error_code_enum<petstore::errc> : std::true_type {};
/// @endcond
