// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "fuzz/target.hpp"

/// The function that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t size) {
  petstore::fuzz::check({reinterpret_cast<char const*>(bytes), size});
  return 0;
}
