// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <libpq-fe.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "petstore/storage/postgres.hpp"
#include "storage/test_store.hpp"
#include "support/eventually.hpp"
#include "support/postgres_server.hpp"

namespace petstore::tests {

/// A case that needs a PostgreSQL server; without one it is skipped, aloud.
#define PETSTORE_POSTGRES_CASE(name)                                         \
  static void name##_with_postgres();                                        \
  BOOST_AUTO_TEST_CASE(name) {                                               \
    auto const missing = ::petstore::tests::postgres_server::find_missing(); \
    if (missing.empty()) return name##_with_postgres();                      \
    BOOST_TEST_MESSAGE("SKIPPED: " << missing);                              \
  }                                                                          \
  static void name##_with_postgres()

/// What a store told operators.
class reports {
 public:
  auto function() {
    return [this](std::string_view event, std::string_view detail) {
      std::lock_guard const lock(mutex_);
      events_.emplace_back(event);
      details_.emplace_back(detail);
    };
  }
  std::ptrdiff_t count(std::string_view event) const {
    std::lock_guard const lock(mutex_);
    return std::ranges::count(events_, event);
  }
  std::string details() const {
    std::lock_guard const lock(mutex_);
    std::string all;
    for (auto const& d : details_) all += d + "\n";
    return all;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> events_;
  std::vector<std::string> details_;
};

/// A transaction that stays open until the end of the object.
class open_transaction {
 public:
  open_transaction(std::string const& uri, char const* statement) : connection_(PQconnectdb(uri.c_str()), &PQfinish) {
    run("BEGIN");
    run(statement);
  }

 private:
  void run(char const* statement) const {
    std::unique_ptr<PGresult, decltype(&PQclear)> const done(PQexec(connection_.get(), statement), &PQclear);
    BOOST_TEST_REQUIRE(PQresultStatus(done.get()) == PGRES_COMMAND_OK);
  }

  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

inline storage::postgres_options options_for(std::string uri) {
  storage::postgres_options options;
  options.uri = std::move(uri);
  options.environment = environment::production;
  options.open_timeout = time_limit;
  options.silence_limit = time_limit;  // a machine that is slow is not silent
  return options;
}

inline test_store open_store(storage::postgres_options options) {
  return test_store(storage::open_postgres_store(std::move(options)));
}

}  // namespace petstore::tests
