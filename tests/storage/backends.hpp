// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <tuple>

#include "storage/test_store.hpp"
#include "support/temporary_directory.hpp"

/// Where a contract case runs: cases are named `fact<on__memory>`, `fact<on__lmdb>` and `fact<on__postgres>`.
namespace on {

/// Empty, or why a case cannot run there.
struct everywhere {
  static std::string find_missing() { return {}; }
};

struct memory : everywhere {
  memory();
  petstore::tests::test_store store;
};

struct lmdb : everywhere {
  lmdb();
  petstore::tests::temporary_directory directory;
  petstore::tests::test_store store;
};

#ifdef PETSTORE_HAS_POSTGRES
struct postgres {
  static std::string find_missing();
  postgres();
  petstore::tests::test_store store;
};
using every_backend = std::tuple<memory, lmdb, postgres>;
#else
using every_backend = std::tuple<memory, lmdb>;
#endif

}  // namespace on

/// A case of the contract, run by every store: its body sees the empty `store`.
#define PETSTORE_CONTRACT_CASE(name)                                      \
  static void name##_in(::petstore::tests::test_store& store);            \
  BOOST_AUTO_TEST_CASE_TEMPLATE(name, Backend, ::on::every_backend) {     \
    if (auto const missing = Backend::find_missing(); !missing.empty()) { \
      BOOST_TEST_MESSAGE("SKIPPED: " << missing);                         \
      return;                                                             \
    }                                                                     \
    Backend backend;                                                      \
    name##_in(backend.store);                                             \
  }                                                                       \
  static void name##_in(::petstore::tests::test_store& store)
