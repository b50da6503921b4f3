// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Tests several_nodes.cpp by requests, with servers that the test starts.
#include "several_nodes.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <future>

#include "embedding/examples/running.hpp"
#include "petstore/api_key.hpp"
#include "storage/postgres/fixture.hpp"
#include "support/redis_process.hpp"

BOOST_AUTO_TEST_SUITE(embedding_several_nodes)

using namespace petstore;
using namespace examples;

namespace {

std::string issue_key_in(std::string const& uri) {
  auto const store = storage::open_postgres_store(tests::options_for(uri));
  std::string const key = generate_api_key(environment::production);
  create_key wanted;
  set_key(wanted, key);
  wanted.name = "Ada";
  wanted.plan = "free";
  key_command change{std::move(wanted)};
  running_context running;
  auto making = store->change_keys(std::move(change), {}, "test");
  auto made = asio::co_spawn(running.context, std::move(making), asio::use_future).get();
  BOOST_REQUIRE(made.has_value());
  return key;
}

/// Longer than usual: on a slow machine, calls would exceed the deadline, and each node would admit its share by
/// itself.
constexpr std::chrono::seconds redis_deadline{10};

/// A running node.
class node {
 public:
  node(std::string const& postgres_uri, std::string const& redis_address)
      : serving_{std::async(std::launch::async,
                            [=, this] {
                              serve_as_one_of_several(postgres_uri, redis_address, redis_deadline, context_,
                                                      closing_time_, [this](auto where) { opened_.set_value(where); });
                            })},
        at_{opened_.get_future().get()} {}
  ~node() { close(); }
  asio::ip::tcp::endpoint at() const { return at_; }
  void close() {
    asio::post(context_, [this] { closing_time_.cancel(); });
    if (serving_.valid()) serving_.get();
  }

 private:
  asio::io_context context_{1};
  asio::steady_timer closing_time_{context_, asio::steady_timer::time_point::max()};
  std::promise<asio::ip::tcp::endpoint> opened_;
  std::future<void> serving_;
  asio::ip::tcp::endpoint at_;
};

}  // namespace

PETSTORE_POSTGRES_CASE(nodes_have_one_shop_and_one_quota_and_give_back_what_they_took_ahead) {
  tests::redis_process redis;
  auto const uri = tests::postgres_server::shared().create_database();
  std::string const key = "Authorization: Bearer " + issue_key_in(uri) + "\r\n";
  std::string const json = "Content-Type: application/json\r\n";

  node one{uri, redis.address()};
  node other{uri, redis.address()};
  BOOST_TEST(status_of(ask(one.at(), "POST", "/v1/categories", key + json, R"({"name":"dogs"})")) == 201u);
  BOOST_TEST(ask(other.at(), "GET", "/v1/categories", key).find("dogs") != std::string::npos);
  one.close();
  other.close();
  node third{uri, redis.address()};
  std::string const last = ask(third.at(), "GET", "/v1/categories", key);
  BOOST_TEST(last.find("X-RateLimit-Remaining: 57\r\n") != std::string::npos, last);
}

BOOST_AUTO_TEST_SUITE_END()
