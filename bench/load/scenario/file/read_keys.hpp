// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Plans and keys of a scenario file, and keys of flags. No mistake contains a key.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scenario/file/table_reader.hpp"
#include "scenario/read_scenario.hpp"
#include "scenario/scenario.hpp"

namespace petstore::load {

using plan_list = std::map<std::string, std::vector<promised_quota>, std::less<>>;

/// The plans of the service's contract: free, pro, business.
plan_list contract_plans();

/// `[plans.NAME]`, added to the plans of the contract.
plan_list read_plans(table_reader& file);
/// `[[keys]]`
std::vector<api_key> read_keys(table_reader& file, plan_list const&, std::filesystem::path const& directory,
                               surroundings const&);

}  // namespace petstore::load
