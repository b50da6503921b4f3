// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/status_set.hpp"

#include <string>

namespace petstore::load {
namespace {

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

}  // namespace

status_set status_set::success() {
  status_set set;
  set.add_class(2);
  set.add_class(3);
  return set;
}

void status_set::add_class(unsigned first_digit) {
  for (unsigned i = 0; i < 100; ++i) known_.set(first_digit * 100 + i);
}

parsed<status_set> parse_status(std::string_view text, status_set so_far) {
  if (text.size() == 3 && text[0] >= '2' && text[0] <= '5') {
    auto const first = static_cast<unsigned>(text[0] - '0');
    if (text.substr(1) == "xx") {
      so_far.add_class(first);
      return {so_far, {}};
    }
    if (is_digit(text[1]) && is_digit(text[2])) {
      so_far.add(first * 100 + static_cast<unsigned>(text[1] - '0') * 10 + static_cast<unsigned>(text[2] - '0'));
      return {so_far, {}};
    }
  }
  return {{}, "a status is 200 to 599, or 2xx, 3xx, 4xx, 5xx; not '" + std::string(text) + "'"};
}

}  // namespace petstore::load
