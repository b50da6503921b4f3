// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client/answer.hpp"

#include "client/head_lines.hpp"

namespace petstore::load {

std::string_view answer_view::field(std::string_view name) const noexcept {
  auto rest = head;
  take_line(rest);  // the status line
  while (auto const line = take_line(rest)) {
    auto const colon = line->find(':');
    if (colon != line->npos && is_name(line->substr(0, colon), name)) return trimmed(line->substr(colon + 1));
  }
  return {};
}

}  // namespace petstore::load
