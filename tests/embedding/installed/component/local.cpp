// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The quotas of one node, in memory.
#include <petstore/quota/local_quota.hpp>
#include <stdexcept>

int main() {
  using namespace petstore;
  auto const quotas = quota::make_local_quota({});
  ports::payer caller;
  caller.kind = ports::payer::kind::identity;
  caller.account = &quotas->account_of(1, caller.plan);
  if (!quotas->charge(caller, limits::now()).take().admitted()) return 1;
  try {
    (void)quota::make_local_quota({.directory = "a directory needs LMDB"});
  } catch (std::invalid_argument const&) {
    return 0;
  }
  return 1;
}
