// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/target.hpp"

/// Checks the inputs in the given directories, for compilers without libFuzzer. It prints the name of each input before
/// the check, so the last line of the output is the input that failed.
int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    for (auto const& entry : std::filesystem::directory_iterator(argv[i])) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (auto const& file : files) {
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    std::ifstream in(file, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>{in}, {}};
    // A heap block of exactly this size, so that a sanitizer detects a read past its end.
    auto const exact = std::make_unique_for_overwrite<char[]>(text.size());
    std::ranges::copy(text, exact.get());
    petstore::fuzz::check({exact.get(), text.size()});
  }
  // A missing corpus is a failure.
  return files.empty() ? 1 : 0;
}
