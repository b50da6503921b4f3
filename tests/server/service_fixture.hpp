// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "petstore/key_registry.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/ban_log.hpp"
#include "petstore/server/key_watcher.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/service.hpp"
#include "support/virtual_clock.hpp"

namespace petstore::server {

inline std::string const rosa = R"({"name":"Rosa","categoryId":1,"status":"available"})";

/// An answer as a client would read it.
struct answer {
  unsigned status = 0;
  std::vector<std::pair<std::string, std::string>> fields;
  std::string body;
  std::string operation;
  std::uint64_t key = 0;
  std::string error_code;
  std::string cause;
  std::chrono::nanoseconds handling{0};
  std::chrono::nanoseconds quota_wait{0};

  /// The value of a field that is there once; "" without it. Fails the test when it is there twice.
  std::string field(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
  boost::json::value json() const;
  /// The `message` of an error.
  std::string message() const;
};

/// The one shape and the fixed fields of an error.
void check_error(answer const&, errc);

/// What a test asks. `key` empty: no Authorization field.
struct question {
  server::method method = method::get;
  std::string target = "/v1/pets";
  std::string key = {};
  std::vector<std::pair<std::string, std::string>> fields = {};
  std::optional<std::string> body = {};
  std::string content_type = "application/json";  ///< of a body; empty: none
  std::string peer = "203.0.113.9";
  bool body_too_large = false;
};

class failing_store;

/// One service over a memory store and local quotas, with a clock that a test moves. It is 2026-11-21T12:00:00Z, two
/// hours after boot.
class service_fixture : public tests::virtual_clock {
 public:
  explicit service_fixture(service_options = {}, limits::ban_policy = {});
  ~service_fixture();

  answer ask(question);
  answer get(std::string target, std::string key);
  answer send(method, std::string target, std::string key, std::string body);
  /// What the session asks for when there is no whole request.
  answer refuse(errc, std::string_view message, question partial);

  /// Makes a key and lets the service know of it.
  std::string make_key(std::string plan = "business", key_scope = key_scope::write,
                       std::optional<std::chrono::milliseconds> expires_in = {},
                       std::optional<std::uint32_t> per_minute = {}, std::optional<std::uint64_t> per_day = {});
  void store_key_change(key_command);  // the service sees it after the next refresh
  void change_keys(key_command);       // with a refresh
  void refresh_keys();
  result<void> try_to_refresh_keys();

  /// Every store call answers this instead while it is set.
  void fail_store_with(std::optional<error>);
  void throw_from_store(bool);

  /// Runs a coroutine to its end. Nothing in these tests waits for anything outside the process.
  template <class T>
  T run(asio::awaitable<T> work) {
    auto done = asio::co_spawn(context, std::move(work), asio::use_future);
    context.restart();
    context.run();
    return done.get();
  }

  ports::store& store();
  /// What the service works with, without what is optional.
  service_parts parts();

  service_options options;
  asio::io_context context{1};
  std::unique_ptr<failing_store> shop;
  std::unique_ptr<ports::quota_source> quotas;
  key_registry keys;
  metrics counters{1, operation_names()};
  readiness state;
  std::vector<std::string> log;  ///< `event: detail [request id]`
  std::unique_ptr<ban_log> bans;
  std::vector<quota_threshold> thresholds;  ///< told
  std::unique_ptr<key_watcher> watcher;
  std::unique_ptr<service> tested;

 private:
  clock_function clock();
  log_function logger();
  quota_watch watch_{[this](quota_threshold const& t) { thresholds.push_back(t); }, logger()};
  std::uint64_t keys_made_ = 0;
};

}  // namespace petstore::server
