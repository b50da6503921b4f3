// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <tuple>

#include "storage/shop.hpp"
#include "storage/temporary_directory.hpp"

/// Where a contract case runs: cases are named `fact<on__memory>` and `fact<on__lmdb>`.
namespace on {

struct memory {
  memory();
  petstore::tests::shop shop;
};

struct lmdb {
  lmdb();
  petstore::tests::temporary_directory directory;
  petstore::tests::shop shop;
};

using every_backend = std::tuple<memory, lmdb>;

}  // namespace on

/// A case of the contract, run by every store: its body sees the empty `shop`.
#define PETSTORE_CONTRACT_CASE(name)                                  \
  static void name##_in(::petstore::tests::shop& shop);               \
  BOOST_AUTO_TEST_CASE_TEMPLATE(name, Backend, ::on::every_backend) { \
    Backend backend;                                                  \
    name##_in(backend.shop);                                          \
  }                                                                   \
  static void name##_in(::petstore::tests::shop& shop)
