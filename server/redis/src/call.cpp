// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "call.hpp"

#include "wire.hpp"

namespace petstore::redis {

std::string bytes_of(call const& one) {
  std::string bytes;
  if (one.is_asking) append_command(bytes, {"ASKING"});
  if (!one.to_run) {
    append_command(bytes, one.words);
    return bytes;
  }
  std::vector<std::string> words{one.sends_text ? "EVAL" : "EVALSHA",
                                 one.sends_text ? one.to_run->text() : one.to_run->digest()};
  words.insert(words.end(), one.words.begin(), one.words.end());
  append_command(bytes, words);
  return bytes;
}

}  // namespace petstore::redis
