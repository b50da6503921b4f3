// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <petstore/limits/account.hpp>

int main() {
  using namespace petstore::limits;
  account caller;
  plan const one{per_minute(1)};
  instant const at = now();
  bool const first = caller.charge(one, {}, at).admitted();
  return first && caller.charge(one, {}, at).refused() ? 0 : 1;
}
