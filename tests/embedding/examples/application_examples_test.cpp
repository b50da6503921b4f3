// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Tests the service in host programs by requests.
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <optional>
#include <vector>

#include "examples.hpp"
#include "petstore/api_key.hpp"
#include "petstore/quota/local.hpp"
#include "petstore/server/key_check_cache.hpp"
#include "petstore/storage/memory.hpp"
#include "running.hpp"
#include "support/eventually.hpp"
#include "support/sanitizers.hpp"

BOOST_AUTO_TEST_SUITE(embedding_application)

using namespace petstore;
using namespace examples;
using namespace std::chrono_literals;

namespace {

/// An application on one thread, with members instead of keys. It is open until `close` or the destructor.
struct open_application {
  running_context running;
  std::shared_ptr<ports::store> const store = storage::make_memory_store(environment::production);
  std::shared_ptr<quota::local_quota> const quotas = quota::open_local_quota({});
  member_cards members;
  std::mutex mutex;
  std::vector<std::string> log;
  server::application app;
  boost::asio::ip::tcp::endpoint at;

  open_application()
      : app{{running.context.get_executor()}, store, quotas, beside_own_pages(members, [this](std::string line) {
              std::lock_guard const lock(mutex);
              log.push_back(std::move(line));
            })} {
    app.async_start(boost::asio::use_future).get();
    at = app.listen(any_port());
  }
  ~open_application() { close(); }
  bool close() {
    if (is_closed_) return true;
    is_closed_ = true;
    return app.async_drain({}, boost::asio::use_future).get();
  }

 private:
  bool is_closed_ = false;
};

constexpr auto member = "Authorization: Bearer card-7\r\n";
constexpr auto gold = "Authorization: Bearer gold-8\r\n";

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] auto const& one : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

std::size_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:") {
      std::size_t kib = 0;
      status >> kib;
      return kib;
    }
  return 0;
}

}  // namespace

/// A host that is cancelled while a request is in progress: the head has arrived, and the body has not.
struct cancelled_while_busy {
  running_context running;
  boost::asio::cancellation_signal stop;
  std::future<bool> served;
  boost::asio::io_context of_client;
  boost::asio::ip::tcp::socket client{of_client};

  cancelled_while_busy() {
    std::promise<boost::asio::ip::tcp::endpoint> opened;
    auto serving = serve_until_cancelled(any_port(), [&](auto where) { opened.set_value(where); });
    served = boost::asio::co_spawn(running.context, std::move(serving),
                                   boost::asio::bind_cancellation_slot(stop.slot(), boost::asio::use_future));
    client.connect(opened.get_future().get());
    std::string const head = "POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
    boost::asio::write(client, boost::asio::buffer(head));
    std::string interim;
    boost::asio::read_until(client, boost::asio::dynamic_buffer(interim), "\r\n\r\n");
    cancel();
  }
  void cancel() {
    boost::asio::post(running.context, [this] { stop.emit(boost::asio::cancellation_type::terminal); });
  }
  std::string read() {
    std::string answer;
    boost::system::error_code end;
    boost::asio::read(client, boost::asio::dynamic_buffer(answer), end);
    client.close();
    return answer;
  }
};

BOOST_AUTO_TEST_CASE(a_host_that_is_cancelled_answers_what_has_begun) {
  cancelled_while_busy host;
  boost::asio::write(host.client, boost::asio::buffer(std::string_view{"{}"}));
  BOOST_TEST(status_of(host.read()) == 401u);
  BOOST_TEST(host.served.get());
}

BOOST_AUTO_TEST_CASE(a_host_that_is_cancelled_while_it_drains_cuts_off_what_has_begun) {
  cancelled_while_busy host;
  // The drain has begun when the first signal is handled, some turns of the loop later.
  for (int turn = 0; turn < 100; ++turn) boost::asio::post(host.running.context, boost::asio::use_future).wait();
  host.cancel();
  BOOST_TEST(!host.served.get());
  BOOST_TEST(host.read() == "");
}

BOOST_AUTO_TEST_CASE(a_check_that_asks_another_service_is_remembered) {
  running_context running;
  session_check sessions;
  server::key_check_cache cached{sessions, {.valid_for = 1h, .unknown_for = 0s}};
  server::application_options options;
  options.keys = &cached;
  server::application app{{running.context.get_executor()},
                          storage::make_memory_store(environment::production),
                          quota::open_local_quota({}),
                          std::move(options)};
  app.async_start(boost::asio::use_future).get();
  auto const at = app.listen(any_port());
  for (int i = 0; i < 3; ++i)
    BOOST_TEST(status_of(ask(at, "GET", "/v1/pets", "Authorization: Bearer session-of-ann\r\n")) == 200u);
  BOOST_TEST(sessions.asked == 1);
  for (int i = 0; i < 2; ++i)
    BOOST_TEST(status_of(ask(at, "GET", "/v1/pets", "Authorization: Bearer session-of-bob\r\n")) == 401u);
  BOOST_TEST(sessions.asked == 3);
  BOOST_TEST(app.async_drain({}, boost::asio::use_future).get());
}

BOOST_FIXTURE_TEST_CASE(the_hosts_pages_and_the_service_answer_side_by_side, open_application) {
  std::string const hello = ask(at, "GET", "/hello/you");
  BOOST_TEST(status_of(hello) == 200u);
  BOOST_TEST(hello.ends_with("hello from /hello/you"));
  BOOST_TEST(hello.find("X-RateLimit") == std::string::npos);
  BOOST_TEST(status_of(ask(at, "GET", "/helloo")) == 401u);
  BOOST_TEST(status_of(ask(at, "GET", "/v1/pets", member)) == 200u);
  close();
  BOOST_TEST(log == (std::vector<std::string>{"200 /hello/you", "401 /helloo", "200 /v1/pets"}));
  BOOST_TEST(app.metrics().decisions[0] == 2u);  // admitted: the missing page, and the list
}

BOOST_FIXTURE_TEST_CASE(the_host_says_who_is_calling_and_what_they_may, open_application) {
  for (int i = 0; i < 3; ++i) BOOST_TEST(status_of(ask(at, "GET", "/v1/pets", member)) == 200u);
  std::string const refused = ask(at, "GET", "/v1/pets", member);
  BOOST_TEST(status_of(refused) == 429u);
  BOOST_TEST(refused.find("X-RateLimit-Limit: 3\r\n") != std::string::npos);
  BOOST_TEST(status_of(ask(at, "GET", "/v1/pets", gold)) == 200u);
  BOOST_TEST(ask(at, "GET", "/v1/quota", gold).find("\"gold\"") != std::string::npos);
  BOOST_TEST(status_of(ask(at, "GET", "/v1/pets", "Authorization: Bearer card-9\r\n")) == 401u);
}

BOOST_FIXTURE_TEST_CASE(the_host_shows_what_the_application_has_counted, open_application) {
  ask(at, "GET", "/v1/pets", member);
  ask(at, "GET", "/v1/pets");
  close();  // an answer is counted shortly after its client has received it
  std::string const page = metrics_page(app);
  BOOST_TEST(page.find("shop_answers_total{operation=\"listPets\",status=\"2xx\"} 1\n") != std::string::npos, page);
  BOOST_TEST(page.find("shop_answers_total{operation=\"listPets\",status=\"4xx\"} 1\n") != std::string::npos, page);
  BOOST_TEST(page.ends_with("shop_connections 0\n"));
}

BOOST_AUTO_TEST_CASE(a_page_of_the_host_that_does_not_wait_needs_no_coroutine) {
  running_context running;
  server::application_options options;
  options.mounts.push_back({"/hello", [](server::request const&, server::response& out) {
                              out.body = "hello";
                              return boost::asio::awaitable<void>{};
                            }});
  server::application app{{running.context.get_executor()},
                          storage::make_memory_store(environment::production),
                          quota::make_local_quota({}),
                          std::move(options)};
  app.async_start(boost::asio::use_future).get();
  BOOST_TEST(ask(app.listen(any_port()), "GET", "/hello").ends_with("\r\n\r\nhello"));
  BOOST_TEST(app.async_drain({}, boost::asio::use_future).get());
}

BOOST_AUTO_TEST_CASE(a_page_of_the_host_charges_the_key_that_the_service_charges) {
  running_context running;
  auto const executor = running.context.get_executor();
  std::shared_ptr<ports::store> const store = storage::make_memory_store(environment::production);
  std::shared_ptr<quota::local_quota> const quotas = quota::make_local_quota({});
  std::string const key = generate_api_key(environment::production);
  create_key wanted;
  set_key(wanted, key);
  wanted.plan = "free";
  auto making = store->change_keys(key_command{std::move(wanted)}, unix_ms{}, "test");
  BOOST_REQUIRE(boost::asio::co_spawn(executor, std::move(making), boost::asio::use_future).get());

  ports::async_quota charging{executor, quotas, {limits::per_minute(1)}};
  std::optional<server::application> app;
  server::application_options options;
  options.mounts.push_back(
      {"/report", [&](auto& asked, auto& out) { return charged_page(*app, charging, asked, out); }});
  app.emplace(std::vector<boost::asio::any_io_executor>{executor}, store, quotas, std::move(options));
  app->async_start(boost::asio::use_future).get();
  auto const at = app->listen(any_port());

  std::string const with_key = "Authorization: Bearer " + key + "\r\n";
  BOOST_TEST(ask(at, "GET", "/v1/pets", with_key).find("X-RateLimit-Remaining: 59\r\n") != std::string::npos);
  std::string const report = ask(at, "GET", "/report", with_key);
  BOOST_TEST(status_of(report) == 200u);
  BOOST_TEST(report.find("X-RateLimit-Remaining: 56\r\n") != std::string::npos, report);
  BOOST_TEST(status_of(ask(at, "GET", "/report")) == 401u);
  for (int i = 0; i < 18; ++i) BOOST_TEST(status_of(ask(at, "GET", "/report", with_key)) == 200u);
  std::string const refused = ask(at, "GET", "/report", with_key);
  BOOST_TEST(status_of(refused) == 429u);
  BOOST_TEST(app->async_drain({}, boost::asio::use_future).get());
}

BOOST_AUTO_TEST_CASE(two_applications_in_one_process_know_nothing_of_each_other) {
  open_application one, other;
  for (int i = 0; i < 3; ++i) ask(one.at, "GET", "/v1/pets", member);
  BOOST_TEST(status_of(ask(one.at, "GET", "/v1/pets", member)) == 429u);
  BOOST_TEST(status_of(ask(other.at, "GET", "/v1/pets", member)) == 200u);
  one.close();
  BOOST_TEST(status_of(ask(other.at, "GET", "/v1/pets", member)) == 200u);
}

BOOST_AUTO_TEST_CASE(an_application_serves_on_the_strands_of_a_thread_pool) {
  std::shared_ptr<ports::store> const store = storage::make_memory_store(environment::production);
  std::shared_ptr<quota::local_quota> const quotas = quota::open_local_quota({});
  boost::asio::thread_pool pool{3};
  server::application app{server::make_strands(pool.get_executor(), 4), store, quotas};
  app.async_start(boost::asio::use_future).get();
  auto const at = app.listen(any_port());
  std::vector<std::jthread> clients;
  std::atomic<int> answered{0};
  for (int c = 0; c < 4; ++c)
    clients.emplace_back([&] {
      for (int i = 0; i < 25; ++i)
        if (status_of(ask(at, "GET", "/livez")) == 200) ++answered;
    });
  clients.clear();
  BOOST_TEST(answered == 100);
  BOOST_TEST(app.async_drain({}, boost::asio::use_future).get());
  pool.join();  // returns, since the application has no more work
}

BOOST_AUTO_TEST_CASE(a_drain_answers_what_has_begun_and_takes_no_more) {
  open_application s;
  boost::asio::io_context of_client;
  boost::asio::ip::tcp::socket client{of_client};
  client.connect(s.at);
  std::string const head = "POST /v1/categories HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n";
  boost::asio::write(client, boost::asio::buffer(head + gold + "Content-Length: 15\r\nExpect: 100-continue\r\n\r\n"));
  std::string answer;
  boost::asio::read(client, boost::asio::dynamic_buffer(answer), boost::asio::transfer_at_least(12));
  BOOST_TEST(answer.starts_with("HTTP/1.1 100"));  // the head has arrived

  auto drained = s.app.async_drain({.delay = 0ms, .timeout = 30s}, boost::asio::use_future);
  BOOST_REQUIRE(tests::eventually([&] { return s.app.state().draining.load(); }));
  BOOST_TEST((drained.wait_for(0s) == std::future_status::timeout));
  boost::asio::write(client, boost::asio::buffer(std::string(R"({"name":"dogs"})")));
  boost::system::error_code end;
  boost::asio::read(client, boost::asio::dynamic_buffer(answer), end);
  BOOST_TEST(answer.find("HTTP/1.1 201") != std::string::npos);
  BOOST_TEST(answer.find("Connection: close") != std::string::npos);
  BOOST_TEST(drained.get());
}

/// An application gives back all threads, descriptors and memory. AddressSanitizer also checks for leaks.
BOOST_AUTO_TEST_CASE(an_application_that_is_started_and_stopped_a_thousand_times_leaves_nothing_behind) {
  auto const live_once = [](bool listens) {
    running_context running;
    std::shared_ptr<ports::store> const store = storage::make_memory_store(environment::production);
    std::shared_ptr<quota::local_quota> const quotas = quota::open_local_quota({});
    server::application app{{running.context.get_executor()}, store, quotas};
    app.async_start(boost::asio::use_future).get();
    if (listens) {
      BOOST_REQUIRE(status_of(ask(app.listen(any_port()), "GET", "/livez")) == 200u);
    } else {
      boost::asio::ip::tcp::acceptor acceptor{running.context, any_port()};
      auto client =
          std::async(std::launch::async, [at = acceptor.local_endpoint()] { return ask(at, "GET", "/livez"); });
      app.serve(acceptor.accept());
      BOOST_REQUIRE(status_of(client.get()) == 200u);
    }
    BOOST_REQUIRE(app.async_drain({}, boost::asio::use_future).get());
  };
  // A listener with an acceptor waits 50 ms for handshakes when it stops, so most rounds have none.
  auto const live = [&](int lives) {
    for (int i = 0; i < lives; ++i) live_once(i % 20 == 0);
  };
  live(100);
  auto const descriptors = open_descriptors();
  auto const kib = resident_kib();
  live(900);
  BOOST_TEST(open_descriptors() == descriptors);
#if !PETSTORE_TESTS_ARE_SANITIZED  // they keep freed memory for a while
  BOOST_TEST(resident_kib() < kib + 4'096);
#else
  (void)kib;
#endif
}

BOOST_AUTO_TEST_SUITE_END()
