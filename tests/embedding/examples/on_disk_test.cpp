// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Tests on_disk.cpp by requests.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <future>

#include "examples.hpp"
#include "petstore/storage/lmdb.hpp"
#include "running.hpp"
#include "support/temporary_directory.hpp"

BOOST_AUTO_TEST_SUITE(embedding_on_disk)

using namespace petstore;
using namespace examples;

namespace {

std::string issue_key_in(std::filesystem::path const& directory) {
  storage::lmdb_options data;
  data.directory = directory;
  data.environment = environment::production;
  auto const store = storage::open_lmdb_store(data);
  running_context running;
  auto issuing = issue_key(*store, "Ada");
  return boost::asio::co_spawn(running.context, std::move(issuing), boost::asio::use_future).get().value();
}

/// Runs the program, and `ask_it` meanwhile. False if it could not store the quotas.
template <class Ask>
bool live(std::filesystem::path const& directory, Ask ask_it) {
  asio::io_context context{1};
  asio::steady_timer closing_time{context, asio::steady_timer::time_point::max()};
  std::promise<asio::ip::tcp::endpoint> opened;
  auto serving = std::async(std::launch::async, [&] {
    return serve_from_disk(directory, context, closing_time, [&](auto where) { opened.set_value(where); });
  });
  ask_it(opened.get_future().get());
  asio::post(context, [&] { closing_time.cancel(); });
  return serving.get();
}

}  // namespace

BOOST_AUTO_TEST_CASE(animals_keys_and_quotas_outlast_the_program) {
  tests::temporary_directory directory;
  std::string const key = "Authorization: Bearer " + issue_key_in(directory.path()) + "\r\n";
  std::string const json = "Content-Type: application/json\r\n";

  BOOST_TEST(live(directory.path(), [&](auto at) {
    BOOST_TEST(status_of(ask(at, "POST", "/v1/categories", key + json, R"({"name":"dogs"})")) == 201u);
    BOOST_TEST(status_of(ask(at, "GET", "/v1/pets", key)) == 200u);
  }));
  BOOST_TEST(live(directory.path(), [&](auto at) {
    std::string const categories = ask(at, "GET", "/v1/categories", key);
    BOOST_TEST(categories.find("dogs") != std::string::npos);
    BOOST_TEST(categories.find("X-RateLimit-Remaining: 57\r\n") != std::string::npos, categories);
  }));
}

BOOST_AUTO_TEST_SUITE_END()
