// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "contract/client.hpp"

namespace contract {

// The target of the link with this relation, if the answer has one.
std::optional<std::string> link_of(const answer& got, const std::string& relation);

// The ids of a list, in the order of the answer.
std::vector<std::int64_t> ids_of(const answer& list);

// Follows the links from `target` to the last page and returns all ids. `between_pages` runs before each next page.
std::vector<std::int64_t> walk(client& api, std::string target, const std::function<void()>& between_pages = {});

}  // namespace contract
