// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "pages/embedded_files.hpp"
#include "petstore/server/static_site.hpp"

/// The parts that the sites are made of.
namespace petstore::pages {

inline constexpr std::string_view html = "text/html; charset=utf-8";
inline constexpr std::string_view css = "text/css; charset=utf-8";
inline constexpr std::string_view javascript = "text/javascript; charset=utf-8";
inline constexpr std::string_view plain_text = "text/plain; charset=utf-8";

server::static_page make_static_page(std::string_view path, std::string_view type, embedded_file const&);

/// Returns the text with every `mark` replaced by `value`.
std::string fill_in(std::string_view text, std::string_view mark, std::string_view value);

/// Concatenates those of the files that the build has.
std::string collect_texts(std::initializer_list<std::string_view> names);

}  // namespace petstore::pages
