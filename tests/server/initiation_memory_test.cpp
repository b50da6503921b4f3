// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Each allocation of an initiating function fails once. The function throws, begins nothing, and calls no handler.
#include <unistd.h>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "petstore/ports/async_quota.hpp"
#include "petstore/ports/update_clock.hpp"
#include "petstore/quota/local_quota.hpp"
#include "petstore/server/acceptors.hpp"
#include "petstore/server/application.hpp"
#include "petstore/server/connection_budget.hpp"
#include "petstore/server/key_watcher.hpp"
#include "petstore/server/listener.hpp"
#include "petstore/storage/memory.hpp"
#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(initiation_memory)

using namespace petstore;
namespace asio = boost::asio;
using boost::system::error_code;

namespace {

/// Asio allocates with it instead of with its own functions, which do not fail here.
template <class T>
struct plain_allocator {
  using value_type = T;

  plain_allocator() = default;
  template <class U>
  plain_allocator(plain_allocator<U> const&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T))); }
  void deallocate(T* p, std::size_t) { ::operator delete(p); }
  friend bool operator==(plain_allocator const&, plain_allocator const&) = default;
};

struct without_memory {
  asio::io_context context{1};
  std::shared_ptr<ports::store> const store = storage::make_memory_store(environment::production);
  std::shared_ptr<quota::local_quota> const quotas = quota::make_local_quota({});
  int completed = 0;
  error_code failed{};

  auto note() {
    return asio::bind_allocator(plain_allocator<char>{}, [this](error_code why, auto const&...) {
      ++completed;
      failed = why;
    });
  }

  /// Begins until no allocation fails, and counts those that did.
  template <class Begin>
  std::size_t begin_until_it_succeeds(Begin begin) {
    for (std::size_t number = 1;; ++number) {
      auto const before = tests::failed_allocations();
      bool has_thrown = false;
      tests::fail_allocation(number);
      try {
        begin();
      } catch (std::bad_alloc const&) {
        has_thrown = true;
      }
      tests::fail_allocation(0);
      if (tests::failed_allocations() == before) return number - 1;
      BOOST_TEST_REQUIRE(has_thrown);
      poll();
      BOOST_TEST_REQUIRE(completed == 0);
    }
  }
  void poll() {
    context.restart();
    context.poll();
  }
  void run_until_completed() {
    context.restart();
    while (completed == 0 && context.run_one() != 0) {
    }
    BOOST_TEST(completed == 1);
    completed = 0;
  }
};

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator{"/proc/self/fd"}, {});
}

struct silent_handler final : server::http_handler {
  asio::awaitable<void> handle(server::request const&, server::response&) override { return {}; }
  void refuse(errc, std::string_view, server::request const&, server::response&) override {}
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_application_whose_start_or_drain_has_not_begun_starts_and_drains_later, without_memory) {
  server::application app{{context.get_executor()}, store, quotas};
  BOOST_TEST(begin_until_it_succeeds([&] { app.async_start(note()); }) > 0u);
  run_until_completed();
  BOOST_TEST(!failed);
  BOOST_TEST(begin_until_it_succeeds([&] { app.async_drain({}, note()); }) > 0u);
  run_until_completed();
  BOOST_TEST(!failed);
}

BOOST_AUTO_TEST_CASE(a_drain_whose_executor_cannot_stop_its_listeners_is_not_whole) {
  bool has_failed_to_stop = false;
  for (std::size_t number = 1, before = 0; before != tests::failed_allocations() || number == 1; ++number) {
    before = tests::failed_allocations();
    without_memory host;
    bool is_task_lost = false;
    server::application_options options;
    options.log = [&](server::severity, std::string_view event, std::string_view, server::log_origin const&) {
      is_task_lost = is_task_lost || event == "task_failed";
    };
    server::application app{{host.context.get_executor()}, host.store, host.quotas, options};
    app.async_start(host.note());
    host.run_until_completed();
    for (int i = 0; i < 2; ++i) app.listen({asio::ip::make_address_v4("127.0.0.1"), 0});
    host.poll();
    bool is_whole = false;
    app.async_drain({.timeout = {}, .patience = std::chrono::milliseconds{20}}, [&](error_code why, bool whole) {
      ++host.completed;
      is_whole = !why && whole;
    });
    tests::fail_allocation(number);
    host.context.restart();
    while (host.completed == 0) {
      try {
        host.context.run_one();
      } catch (std::bad_alloc const&) {
      }
    }
    tests::fail_allocation(0);
    BOOST_TEST(!(is_task_lost && is_whole));
    has_failed_to_stop = has_failed_to_stop || is_task_lost;
  }
  BOOST_TEST(has_failed_to_stop);
}

BOOST_FIXTURE_TEST_CASE(a_socket_that_could_not_be_adopted_leaves_no_descriptor_open, without_memory) {
  asio::ip::tcp::acceptor listening{context, {asio::ip::make_address_v4("127.0.0.1"), 0}};
  std::vector<asio::any_io_executor> const executors{context.get_executor(), context.get_executor()};
  std::vector<asio::ip::tcp::acceptor> adopted;
  for (std::size_t number = 1; adopted.empty(); ++number) {
    auto const open = open_descriptors();
    int const socket = ::dup(listening.native_handle());
    tests::fail_allocation(number);
    try {
      adopted = server::adopt_acceptors(socket, executors);
    } catch (std::bad_alloc const&) {
    }
    tests::fail_allocation(0);
    if (!adopted.empty()) break;
    ::close(socket);
    BOOST_TEST(open_descriptors() == open);
  }
}

BOOST_FIXTURE_TEST_CASE(a_watcher_whose_refresh_or_run_has_not_begun_refreshes_and_runs_later, without_memory) {
  key_registry keys;
  server::key_watcher watcher{context.get_executor(), *store, *quotas, keys, {}, limits::now, [](auto...) {}};
  BOOST_TEST(begin_until_it_succeeds([&] { watcher.async_refresh(note()); }) > 0u);
  run_until_completed();
  BOOST_TEST(!failed);
  BOOST_TEST(begin_until_it_succeeds([&] { watcher.async_run(note()); }) > 0u);
  watcher.stop();
  run_until_completed();
  BOOST_TEST(!failed);
}

BOOST_FIXTURE_TEST_CASE(a_charge_that_has_not_begun_to_wait_takes_nothing, without_memory) {
  constexpr limits::plan ten{limits::per_minute(10)};
  ports::async_quota quota{context.get_executor(), quotas, ten};
  // Asio does not survive it when there is no memory for a strand. A charge that waits all the time keeps the strand.
  auto const ignored = [](auto const&...) {};
  quota.async_wait_charge(8, 10, ignored);
  quota.async_wait_charge(8, 1, ignored);
  poll();
  BOOST_TEST(begin_until_it_succeeds([&] { quota.async_wait_charge(7, 3, note()); }) > 0u);
  run_until_completed();
  BOOST_TEST(!failed);
  BOOST_TEST(quotas->account_of(7, ten).peek(ten, 7, limits::now()).admitted());
}

BOOST_FIXTURE_TEST_CASE(a_charge_whose_result_cannot_be_kept_takes_nothing, without_memory) {
  constexpr limits::plan ten{limits::per_minute(10)};
  // An any_io_executor would not use the allocator.
  ports::basic_async_quota<asio::io_context::executor_type> quota{context.get_executor(), quotas, ten};
  limits::account& account = quotas->account_of(7, ten);  // else its memory is missing, which is an error code
  BOOST_TEST(begin_until_it_succeeds([&] { quota.async_charge(7, 3, note()); }) > 0u);
  run_until_completed();
  BOOST_TEST(!failed);
  BOOST_TEST(account.peek(ten, 7, limits::now()).admitted());
}

BOOST_FIXTURE_TEST_CASE(a_listener_whose_stop_has_not_begun_stops_later, without_memory) {
  silent_handler handler;
  server::connection_budget budget{1, 1};
  server::listener listener{asio::ip::tcp::acceptor{context}, handler, {}, budget, [](auto...) {}, {}};
  BOOST_TEST(begin_until_it_succeeds([&] { listener.async_stop(std::chrono::milliseconds{0}, note()); }) > 0u);
  run_until_completed();
  BOOST_TEST(!failed);
}

/// Each allocation of a cancellation fails once: the operation then ends as if it had not been cancelled.
BOOST_FIXTURE_TEST_CASE(a_cancellation_without_memory_does_not_lose_the_handler, without_memory) {
  auto const fail_each_allocation_of_a_cancellation = [&](auto begin) {
    for (std::size_t number = 1;; ++number) {
      asio::cancellation_signal signal;
      // An any_io_executor would not use the allocator.
      begin(asio::bind_cancellation_slot(signal.slot(), asio::bind_executor(context.get_executor(), note())));
      auto const before = tests::failed_allocations();
      tests::fail_allocation(number);
      BOOST_CHECK_NO_THROW(signal.emit(asio::cancellation_type::terminal));
      tests::fail_allocation(0);
      bool const has_failed = tests::failed_allocations() != before;
      run_until_completed();
      BOOST_TEST(failed == (has_failed ? error_code{} : error_code{asio::error::operation_aborted}));
      if (!has_failed) return number - 1;
    }
  };
  std::optional<server::application> app;
  auto const start = [&](auto token) {
    app.emplace(std::vector<asio::any_io_executor>{context.get_executor()}, store, quotas);
    app->async_start(std::move(token));
  };
  BOOST_TEST(fail_each_allocation_of_a_cancellation(start) > 0u);
  key_registry keys;
  server::key_watcher watcher{context.get_executor(), *store, *quotas, keys, {}, limits::now, [](auto...) {}};
  auto const refresh = [&](auto token) { watcher.async_refresh(std::move(token)); };
  BOOST_TEST(fail_each_allocation_of_a_cancellation(refresh) > 0u);
}

BOOST_FIXTURE_TEST_CASE(an_update_of_a_clock_that_has_not_begun_calls_no_handler, without_memory) {
  auto const clock = std::make_shared<limits::coarse_clock>();
  auto const begin = [&] { ports::async_update_clock(context.get_executor(), clock, std::chrono::hours{1}, note()); };
  BOOST_TEST(begin_until_it_succeeds(begin) > 0u);
  BOOST_TEST(completed == 0);
}

BOOST_AUTO_TEST_SUITE_END()
