// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/limits/notice.hpp"

namespace petstore::server {

/// Appends the body of getQuota: the plan and the state of its quotas. Any thread.
PETSTORE_EXPORT void append_quota_body(std::string& out, std::string_view plan, limits::notice const&);

}  // namespace petstore::server
