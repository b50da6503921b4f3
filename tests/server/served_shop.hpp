// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/head_parser.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/key_watcher.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/service.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::tests {

/// A request as a usual client sends it, and the status it is answered with however often it is sent.
struct usual_request {
  std::string_view name;
  std::string bytes;
  unsigned status = 200;
};

/// The same as the session would hand it over.
struct parsed_request {
  explicit parsed_request(usual_request);
  parsed_request(parsed_request const&) = delete;
  parsed_request& operator=(parsed_request const&) = delete;

  usual_request usual;
  server::http::head head;  ///< of views into `usual.bytes`
};

/// A service as the program runs it: animals in LMDB, keys with their quotas, rate-limit fields in full. What the
/// allocation tests and the request-path benchmark ask.
class served_shop {
 public:
  static constexpr std::int64_t animal_count = 1'000;
  static constexpr std::int64_t an_animal = 500;

  explicit served_shop(server::clock_function);

  /// One of each kind whose cost matters: reads, what a cache already has, a body at fault, and every refusal.
  std::vector<usual_request> requests() const;

  ports::store& store() noexcept { return *store_; }
  server::service& service() noexcept { return *service_; }

 private:
  template <class T>
  T run(boost::asio::awaitable<T> work) {
    boost::asio::io_context context{1};
    auto done = boost::asio::co_spawn(context, std::move(work), boost::asio::use_future);
    context.run();
    return done.get();
  }
  std::string add_key(std::uint32_t per_minute);

  temporary_directory directory_;
  server::clock_function const clock_;
  server::service_options options_;
  std::unique_ptr<ports::store> store_;
  std::unique_ptr<ports::quota_source> quotas_;
  key_registry keys_;
  server::metrics metrics_{1, {}, true};
  server::readiness readiness_;
  std::unique_ptr<server::service> service_;

  std::uint64_t keys_made_ = 0;
  std::string roomy_key_;  ///< whose quotas last
  std::string spent_key_;  ///< one request a minute, and that is gone
  std::string banned_key_;
  std::string tag_of_animal_;
};

}  // namespace petstore::tests
