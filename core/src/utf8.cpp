// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/utf8.hpp"

#include <boost/nowide/utf/utf.hpp>
#include <cstddef>

namespace petstore {

std::optional<char32_t> take_code_point(std::string_view& text) noexcept {
  using namespace boost::nowide;
  char const* at = text.data();
  auto const c = utf::utf_traits<char>::decode(at, text.data() + text.size());
  if (!utf::is_valid_codepoint(c)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  return char32_t{c};
}

}  // namespace petstore
