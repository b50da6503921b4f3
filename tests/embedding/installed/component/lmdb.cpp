// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A store on disk and the quotas of one node. A store without an environment is not created.
#include <petstore/quota/local.hpp>
#include <petstore/storage/lmdb.hpp>

int main() {
  using namespace petstore;
  auto const quotas = quota::open_local_quota({});
  ports::payer caller;
  caller.kind = ports::payer::kind::identity;
  caller.account = &quotas->account_of(1, caller.plan);
  if (!quotas->charge(caller, limits::now()).take().admitted()) return 1;
  try {
    (void)storage::open_lmdb_store({.directory = "no store is here"});
  } catch (storage::open_error const&) {
    return 0;
  }
  return 1;
}
