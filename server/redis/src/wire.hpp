// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <vector>

namespace petstore::redis {

/// Appends the bytes of a command as it is sent. Words may contain any bytes.
void append_command(std::string& out, std::vector<std::string> const& words);

}  // namespace petstore::redis
