// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/actor.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>

namespace petstore::program {

std::string operating_system_user() {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> buffer{};
  auto const id = ::geteuid();
  bool const known = ::getpwuid_r(id, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr;
  return known ? std::string(entry.pw_name) : "uid " + std::to_string(id);
}

}  // namespace petstore::program
