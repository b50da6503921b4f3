// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Each allocation of a listener fails once, those of operator new and those that Asio makes with aligned_alloc.
#include <poll.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <string_view>

#include "petstore/server/connection_budget.hpp"
#include "petstore/server/listener.hpp"
#include "support/failing_allocations.hpp"
#include "support/time_limit.hpp"

namespace {

std::size_t aligned_left = 0, aligned_failed = 0;

}  // namespace

/// Takes the place of the C library's.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (aligned_left != 0 && --aligned_left == 0) {
    ++aligned_failed;
    return nullptr;
  }
  void* found = nullptr;
  return ::posix_memalign(&found, std::max(alignment, sizeof(void*)), bytes) == 0 ? found : nullptr;
}

BOOST_AUTO_TEST_SUITE(listener_memory)

using namespace petstore;
namespace asio = boost::asio;

namespace {

struct empty_handler final : server::http_handler {
  asio::awaitable<void> handle(server::request const&, server::response&) override { return {}; }
  void refuse(errc, std::string_view, server::request const&, server::response&) override {}
};

struct serving {
  asio::io_context context{1};
  asio::io_context of_clients{1};
  empty_handler handler;
  server::connection_budget budget{100, 100};
  server::connection_limits limits{.idle_timeout = std::chrono::milliseconds{20}};  // so it looks after itself often
  server::listener listener{asio::ip::tcp::acceptor{context, {asio::ip::make_address_v4("127.0.0.1"), 0}},
                            handler,
                            limits,
                            budget,
                            [](auto...) {},
                            {}};

  asio::ip::tcp::socket ask() {
    asio::ip::tcp::socket client{of_clients};
    client.connect(listener.local_endpoint());
    asio::write(client, asio::buffer(std::string_view{"GET / HTTP/1.1\r\nHost: a\r\n\r\n"}));
    return client;
  }
  static bool is_answered(asio::ip::tcp::socket& client) {
    pollfd waiting{client.native_handle(), POLLIN, 0};
    return ::poll(&waiting, 1, 0) > 0;
  }
  /// What a program does that goes on after an exception.
  template <class Fact>
  bool run_until(Fact is_so) {
    auto const end = std::chrono::steady_clock::now() + tests::time_limit;
    while (!is_so() && std::chrono::steady_clock::now() < end) try {
        context.restart();
        context.run_one_for(std::chrono::milliseconds{5});
      } catch (std::bad_alloc const&) {
      }
    return is_so();
  }
};

/// Returns whether an allocation failed.
template <class Arm, class Count>
bool serves_after_a_failure_of(std::size_t number, Arm arm, Count count) {
  serving s;
  s.listener.start();
  s.context.poll();
  auto first = s.ask();
  auto const before = count();
  arm(number);
  s.run_until([&] { return count() != before || serving::is_answered(first); });
  arm(0);
  auto second = s.ask();
  BOOST_TEST_REQUIRE(s.run_until([&] { return serving::is_answered(second); }), "after failure " << number);
  bool is_stopped = false;
  s.listener.async_stop(std::chrono::milliseconds{0}, [&](boost::system::error_code, bool) { is_stopped = true; });
  BOOST_TEST_REQUIRE(s.run_until([&] { return is_stopped; }), "after failure " << number);
  return count() != before;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_listener_accepts_and_serves_after_any_allocation_has_failed) {
  std::size_t number = 1;
  while (serves_after_a_failure_of(number, tests::fail_allocation, tests::failed_allocations)) ++number;
  BOOST_TEST(number > 1u);
  number = 1;
  auto const fail_aligned = [](std::size_t countdown) { aligned_left = countdown; };
  while (serves_after_a_failure_of(number, fail_aligned, [] { return aligned_failed; })) ++number;
  BOOST_TEST(number > 1u);
}

BOOST_AUTO_TEST_SUITE_END()
