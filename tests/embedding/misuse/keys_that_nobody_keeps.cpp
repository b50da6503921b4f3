// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The registry must outlive its reader, so a temporary object is refused.
// says: deleted
#include <petstore/key_registry.hpp>

using namespace petstore;

std::uint64_t version() {
#ifdef MISUSE
  key_registry::reader reader{key_registry{}};
#else
  key_registry const keys;
  key_registry::reader reader{keys};
#endif
  return reader.get().version();
}
