// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace petstore::load {

/// What Chromium made of a page.
struct opened_page {
  std::string document;              ///< after its scripts ran, as HTML
  std::vector<std::string> console;  ///< what it wrote to its console, errors of scripts and of loading among it
};

/// Nothing where there is no Chromium. Throws when it does not end within a minute, or fails.
std::optional<opened_page> open_in_browser(std::string const& html);

}  // namespace petstore::load
