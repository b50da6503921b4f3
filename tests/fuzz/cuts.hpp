// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace petstore::fuzz {

/// An input whose first line, the plan, says how its bytes are cut: each character is the size of a piece, and the plan
/// repeats. So an input is readable, and the fuzzer chooses every cut.
struct cut_input {
  explicit cut_input(std::string_view input)
      : plan{input.substr(0, input.find('\n'))}, bytes{input.substr(std::min(plan.size() + 1, input.size()))} {}

  std::string_view plan;
  std::string_view bytes;
};

/// The sizes of the pieces, one after the other. With an empty plan there is one piece.
class cuts {
 public:
  explicit cuts(std::string_view plan) : plan_{plan} {}

  std::size_t next() noexcept {
    if (plan_.empty()) return static_cast<std::size_t>(-1);
    return std::size_t{1} + static_cast<unsigned char>(plan_[turn_++ % plan_.size()]);
  }

 private:
  std::string_view plan_;
  std::size_t turn_ = 0;
};

/// The plan for one byte at a time.
inline constexpr std::string_view bytewise{"\0", 1};

}  // namespace petstore::fuzz
