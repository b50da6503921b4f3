// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "statement.hpp"

namespace petstore::storage::postgres {

/// The text of any statement. Any thread.
statement_text const& text_of(statement) noexcept;

}  // namespace petstore::storage::postgres
