// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Which hosts may be loaded. Servers on this machine may always be loaded. For any other host, a user must permit it by
// name, because a load test against the wrong host is an attack.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/run_plan.hpp"

namespace petstore::load {

/// Asks the user and returns the typed line; nullopt if there is no user to ask.
using question = std::function<std::optional<std::string>(std::string const& text)>;

/// Why a target may not be loaded; nullopt if all may. The permitted name must be exactly the host in the URL.
std::optional<std::string> refusal(std::span<destination const>, std::span<std::string const> permitted_hosts,
                                   question const& ask);

}  // namespace petstore::load
