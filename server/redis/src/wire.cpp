// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "wire.hpp"

#include <hiredis/hiredis.h>

#include <memory>
#include <new>

namespace petstore::redis {

void append_command(std::string& out, std::vector<std::string> const& words) {
  std::vector<char const*> starts;
  std::vector<std::size_t> sizes;
  for (auto const& word : words) {
    starts.push_back(word.data());
    sizes.push_back(word.size());
  }
  char* bytes = nullptr;
  auto const size = redisFormatCommandArgv(&bytes, static_cast<int>(words.size()), starts.data(), sizes.data());
  if (size < 0) throw std::bad_alloc();
  std::unique_ptr<char, void (*)(char*)> const guard{bytes, redisFreeCommand};
  out.append(bytes, static_cast<std::size_t>(size));
}

}  // namespace petstore::redis
