// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/file.hpp"
#include "config/settings.hpp"

namespace petstore::program {

/// Parses the costs of the file into the settings. Each that is no number of tokens becomes a fault.
void assign_costs(config_file const&, settings&, std::vector<std::string>& faults);

/// A request that costs more than a quota has would never be admitted, so a cost above a quota of a plan or of
/// anonymous callers is a fault. The quotas of keys with numbers of their own are not known here.
/// `anonymous_source` has named the quota of anonymous callers.
void check_costs(config_file const&, settings const&, std::string_view anonymous_source,
                 std::vector<std::string>& faults);

}  // namespace petstore::program
