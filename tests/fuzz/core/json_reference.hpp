// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string_view>

/// A second reading of request bodies, over the values of boost::json::parse.
namespace petstore::fuzz {

/// nullopt if it is not JSON, not an object, or if a member is repeated.
std::optional<boost::json::object> read_object(std::string_view body);

/// A missing member has no value.
using member = boost::json::value const*;

bool is_integer(member);
bool is_id(member);
bool is_name(member);
bool is_time(member);

}  // namespace petstore::fuzz
