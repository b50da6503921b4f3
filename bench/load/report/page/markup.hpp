// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

namespace petstore::load {

/// Text as it may stand in HTML and SVG, between tags and in quoted attributes: whatever it says, it is text. What is
/// not UTF-8, and control characters, become "?".
std::string escaped(std::string_view);

/// A string of JSON, with quotes, that may stand in a script element: nothing in it ends that element.
std::string script_string(std::string_view);

/// A coordinate: a tenth of a pixel is as fine as anybody sees.
std::string coordinate(double);

}  // namespace petstore::load
