// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>

#include "petstore/export.hpp"

namespace petstore::ports {

/// The reason why a store cannot be opened: one sentence that names the store and the cause, without secrets.
struct PETSTORE_EXPORT open_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The store cannot be opened now; a later try may succeed although no setting has changed: a server does not answer,
/// another process has the store open, the disk is full.
struct PETSTORE_EXPORT unavailable_error : open_error {
  using open_error::open_error;
};

/// Whether a failure of the operating system may pass without another setting. A path that is wrong or forbidden does
/// not.
inline bool may_pass(std::error_code failure) noexcept {
  for (auto const lasting :
       {std::errc::permission_denied, std::errc::operation_not_permitted, std::errc::no_such_file_or_directory,
        std::errc::not_a_directory, std::errc::is_a_directory, std::errc::file_exists, std::errc::filename_too_long,
        std::errc::too_many_symbolic_link_levels, std::errc::invalid_argument})
    if (failure == lasting) return false;
  return true;
}

/// Throws unavailable_error if the failure may pass, otherwise open_error.
[[noreturn]] inline void refuse_to_open(std::string const& why, std::error_code failure) {
  if (may_pass(failure)) throw unavailable_error(why);
  throw open_error(why);
}

}  // namespace petstore::ports
