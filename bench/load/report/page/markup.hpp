// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

namespace petstore::load {

/// Escapes a text for HTML and SVG, between tags and in quoted attributes. Bytes that are not UTF-8, and control
/// characters, become "?".
std::string escaped(std::string_view);

/// A JSON string with its quotes that is safe in a script element: nothing in it ends that element.
std::string script_string(std::string_view);

/// A coordinate, rounded to a tenth of a pixel.
std::string coordinate(double);

}  // namespace petstore::load
