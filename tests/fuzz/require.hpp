// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

/// Checks for facts that must hold for every input.
namespace petstore::fuzz {

/// If a fact does not hold, prints it and ends the process: libFuzzer then keeps the input, and a replay fails. `shown`
/// and `and_shown` are printed, too.
inline void require(bool holds, std::string_view fact, std::string_view shown = {}, std::string_view and_shown = {}) {
  if (holds) return;
  auto const print = [](std::string_view s) { std::fwrite(s.data(), 1, s.size(), stderr); };
  print("does not hold: ");
  print(fact);
  for (auto const s : {shown, and_shown}) {
    if (s.empty()) continue;
    print("\n----\n");
    print(s);
  }
  print("\n");
  std::abort();
}

}  // namespace petstore::fuzz
