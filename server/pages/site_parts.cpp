// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "site_parts.hpp"

namespace petstore::pages {

server::static_page make_static_page(std::string_view path, std::string_view type, embedded_file const& file) {
  return {path, type, file.bytes, file.gzip};
}

std::string fill_in(std::string_view text, std::string_view mark, std::string_view value) {
  std::string filled{text};
  for (auto at = filled.find(mark); at != std::string::npos; at = filled.find(mark, at + value.size()))
    filled.replace(at, mark.size(), value);
  return filled;
}

std::string collect_texts(std::initializer_list<std::string_view> names) {
  std::string all;
  for (auto const name : names)
    if (auto const* const file = find_embedded_file(name)) all.append(file->bytes).append("\n");
  return all;
}

}  // namespace petstore::pages
