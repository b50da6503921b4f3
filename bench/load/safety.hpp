// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Whom this machine may load. What is on the machine itself may always be loaded; for what is not, somebody has to say
// so, naming the host: a load test against the wrong one is an attack.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/run_plan.hpp"

namespace petstore::load {

/// Asks a person and returns the line that was typed; nothing where nobody can be asked.
using question = std::function<std::optional<std::string>(std::string const& text)>;

/// Nothing when all may be loaded, or why not. A host is permitted by exactly its name, as the URL has it.
std::optional<std::string> refusal(std::span<destination const>, std::span<std::string const> permitted_hosts,
                                   question const& ask);

}  // namespace petstore::load
