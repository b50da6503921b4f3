// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "pages/embedded_files.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace petstore::pages {

embedded_file const* find_embedded_file(std::string_view name) noexcept {
  auto const files = embedded_files();
  auto const found = std::ranges::find(files, name, &embedded_file::name);
  return found == files.end() ? nullptr : &*found;
}

embedded_file const& own_file(std::string_view name) {
  auto const* const found = find_embedded_file(name);
  if (!found) throw std::logic_error{"the build left out " + std::string{name}};
  return *found;
}

}  // namespace petstore::pages
