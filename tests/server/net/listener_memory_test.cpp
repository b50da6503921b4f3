// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Each allocation of a listener fails once, those of operator new and those that Asio makes with aligned_alloc.
#include <poll.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <new>
#include <string_view>
#include <utility>

#include "petstore/server/connection_budget.hpp"
#include "petstore/server/listener.hpp"
#include "petstore/server/mount.hpp"
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

/// A mount that waits until it is let go on.
class waiting_mount final : public server::http_handler {
 public:
  explicit waiting_mount(asio::io_context& context) : gate_{context, std::chrono::steady_clock::time_point::max()} {}

  asio::awaitable<void> handle(server::request const&, server::response& out) override {
    out.notes.mount = &mounted_;
    return work(out);
  }
  void refuse(errc e, std::string_view, server::request const&, server::response& out) override {
    out.status = describe(e).status;
  }
  void go_on() { gate_.cancel(); }

  std::function<void()> at_begin;  ///< called when the work begins
  bool has_begun = false;
  bool is_at_work = false;

 private:
  struct at_work {
    explicit at_work(bool& b) : is{b} { is = true; }
    ~at_work() { is = false; }
    at_work(at_work const&) = delete;
    at_work& operator=(at_work const&) = delete;
    bool& is;
  };
  asio::awaitable<void> work(server::response& out) {
    at_work const now{is_at_work};
    at_begin();
    has_begun = true;
    boost::system::error_code ignored;
    co_await gate_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    out.body = "the work is done";
  }

  asio::steady_timer gate_;
  server::mount const mounted_{.path = "", .answer = {}};
};

struct serving {
  asio::io_context context{1};
  asio::io_context of_clients{1};
  empty_handler usual;
  waiting_mount mount{context};
  server::http_handler& handler;
  server::connection_budget budget{100, 100};
  server::connection_limits limits{.idle_timeout = std::chrono::milliseconds{20}};  // so it looks after itself often
  server::listener listener{asio::ip::tcp::acceptor{context, {asio::ip::make_address_v4("127.0.0.1"), 0}},
                            handler,
                            limits,
                            budget,
                            [](auto...) {},
                            {}};

  serving() : handler{usual} {}
  explicit serving(std::function<void()> at_begin_of_mount) : handler{mount} {
    mount.at_begin = std::move(at_begin_of_mount);
  }

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
  static bool is_closed(asio::ip::tcp::socket& client) {
    char one = 0;
    return is_answered(client) && ::recv(client.native_handle(), &one, 1, MSG_PEEK) <= 0;
  }
  void run_what_is_ready() {
    try {
      context.restart();
      context.poll();
    } catch (std::bad_alloc const&) {
    }
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
  bool stops() {
    bool is_stopped = false;
    listener.async_stop(std::chrono::milliseconds{0}, [&](boost::system::error_code, bool) { is_stopped = true; });
    return run_until([&] { return is_stopped; });
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
  BOOST_TEST_REQUIRE(s.stops(), "after failure " << number);
  return count() != before;
}

/// Returns whether an allocation failed.
template <class Arm, class Count>
bool answers_after_the_mount(std::size_t number, Arm arm, Count count) {
  serving s{[&] { arm(number); }};
  s.listener.start();
  auto client = s.ask();
  auto const before = count();
  s.run_until([&] { return s.mount.has_begun; });
  for (int turns = 2; turns > 0; --turns) s.run_what_is_ready();  // the connection begins to wait for the work
  arm(0);
  if (s.mount.is_at_work)
    BOOST_TEST_REQUIRE((!serving::is_answered(client) || serving::is_closed(client)), "after failure " << number);
  s.mount.go_on();
  auto const is_over = [&] { return !s.mount.is_at_work && serving::is_answered(client); };
  BOOST_TEST_REQUIRE(s.run_until(is_over), "after failure " << number);
  BOOST_TEST_REQUIRE(s.stops(), "after failure " << number);
  return count() != before;
}

void fail_aligned(std::size_t countdown) {
  aligned_left = countdown;
}
std::size_t failed_aligned() {
  return aligned_failed;
}

/// Repeats a test with the first failure, the second and so on, until none comes.
template <class Test>
void for_each_failure(Test test) {
  std::size_t number = 1;
  while (test(number, tests::fail_allocation, tests::failed_allocations)) ++number;
  BOOST_TEST(number > 1u);
  number = 1;
  while (test(number, fail_aligned, failed_aligned)) ++number;
  BOOST_TEST(number > 1u);
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_answer_is_sent_while_a_mount_works_on_it_whatever_allocation_fails) {
  for_each_failure([](auto... which) { return answers_after_the_mount(which...); });
}

BOOST_AUTO_TEST_CASE(a_listener_accepts_and_serves_after_any_allocation_has_failed) {
  for_each_failure([](auto... which) { return serves_after_a_failure_of(which...); });
}

BOOST_AUTO_TEST_SUITE_END()
