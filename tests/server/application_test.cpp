// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// The edges of an application; tests/embedding/examples shows its everyday.
#include "petstore/server/application.hpp"

#include <dlfcn.h>
#include <sys/epoll.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/completion_condition.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "embedding/examples/running.hpp"
#include "petstore/quota/local.hpp"
#include "petstore/storage/memory.hpp"
#include "server/failing_store.hpp"
#include "server/forwarding_quotas.hpp"
#include "support/certificates.hpp"
#include "support/completion_tokens.hpp"
#include "support/eventually.hpp"
#include "support/on_threads.hpp"
#include "support/temporary_directory.hpp"
#include "support/test_client.hpp"

using namespace petstore;
using namespace petstore::server;
using namespace std::chrono_literals;
using examples::any_port;
using examples::ask;
using examples::status_of;

/// On this thread: the kernel refuses to watch one more descriptor (fs.epoll.max_user_watches).
static thread_local bool kernel_watches_no_more = false;

extern "C" int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) noexcept {
  static auto* const next = reinterpret_cast<decltype(&::epoll_ctl)>(::dlsym(RTLD_NEXT, "epoll_ctl"));
  if (operation != EPOLL_CTL_ADD || !kernel_watches_no_more) return next(epoll, operation, fd, event);
  errno = ENOSPC;
  return -1;
}

namespace {

struct no_idea final : key_check {
  ports::eventual<std::optional<principal>> check(std::string_view, limits::instant) override {
    throw std::runtime_error{"no idea"};
  }
};

struct forgets_who final : key_check {
  ports::eventual<std::optional<principal>> check(std::string_view, limits::instant) override {
    return principal{.plan = {limits::per_minute(60)}};
  }
};

struct host {
  examples::running_context control;  // what it runs on outlives the threads of executors, which tell it of their end
  examples::running_context running;
  failing_store store{storage::make_memory_store(environment::production)};
  std::shared_ptr<ports::store> const shared_store{std::shared_ptr<void>{}, &store};
  std::shared_ptr<quota::local_quota> const quotas = quota::open_local_quota({});
  no_idea keys;
  forgets_who forgetful;
  application_options options;
  std::unique_ptr<application> opened;

  template <class T>
  T wait(asio::awaitable<T> work) {
    return asio::co_spawn(running.context, std::move(work), asio::use_future).get();
  }
  result<void> open() {
    opened = std::make_unique<application>(std::vector{asio::any_io_executor{running.context.get_executor()}},
                                           shared_store, quotas, options);
    return start();
  }
  result<void> start() {
    error why;
    try {
      opened->async_start(why, asio::use_future).get();
      return {};
    } catch (boost::system::system_error const&) {
      return why;
    }
  }
  bool drain(drain_times times = {}) { return opened->async_drain(times, asio::use_future).get(); }
  ~host() {
    if (opened) drain();
  }
};

/// Of a context that another thread might run meanwhile: whoever hands it something is overtaken by it.
class overtaking_executor {
 public:
  overtaking_executor(asio::io_context& context, bool const& overtakes) : context_{&context}, overtakes_{&overtakes} {}

  asio::execution_context& query(asio::execution::context_t) const noexcept { return *context_; }
  static constexpr asio::execution::blocking_t query(asio::execution::blocking_t) noexcept {
    return asio::execution::blocking.never;
  }
  template <class Function>
  void execute(Function&& function) const {
    asio::post(*context_, std::forward<Function>(function));
    if (*overtakes_) context_->poll();
  }
  bool operator==(overtaking_executor const&) const noexcept = default;

 private:
  asio::io_context* context_;
  bool const* overtakes_;
};

/// Two contexts that the test runs by hand: one that serves, and the control executor's.
struct by_hand {
  asio::io_context serving{1};
  asio::io_context control{1};

  void run_until(bool const& is_done) {
    while (!is_done) {
      for (auto* context : {&serving, &control}) {
        context->restart();
        context->poll();
      }
    }
  }
};

constexpr std::string_view get_livez = "GET /livez HTTP/1.1\r\nHost: shop\r\n\r\n";

/// A connection, and its other end as a host would have accepted it.
struct accepted {
  asio::io_context of_client;
  asio::ip::tcp::socket client{of_client};
  asio::ip::tcp::socket served;

  explicit accepted(asio::io_context& context) : served{context} {
    asio::ip::tcp::acceptor acceptor{context, any_port()};
    client.connect(acceptor.local_endpoint());
    served = acceptor.accept();
  }
  std::string read() {
    std::string answer;
    boost::system::error_code end;
    asio::read(client, asio::dynamic_buffer(answer), end);
    return answer;
  }
};

/// Runs the contexts until the drain has completed. The client ends its direction when it has got an answer: else the
/// drain would wait until it has read.
template <class... Contexts>
void run_to_end(std::optional<bool> const& is_whole, accepted& of, Contexts&... contexts) {
  tests::run_until([&] { return is_whole || of.client.available() != 0; }, contexts...);
  boost::system::error_code ignored;
  of.client.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  tests::run_until([&] { return is_whole.has_value(); }, contexts...);
}

/// Hands the connection over, and begins the drain before it is served. Returns whether the drain was whole.
bool serve_and_drain_in_one_turn(application& ending, accepted& handed, asio::io_context& context) {
  std::optional<bool> is_whole;
  asio::post(context, [&] {
    ending.serve(std::move(handed.served));
    ending.async_drain({}, [&](boost::system::error_code, bool whole) { is_whole = whole; });
  });
  run_to_end(is_whole, handed, context);
  return *is_whole;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(server_shop, host)

BOOST_AUTO_TEST_CASE(an_application_whose_store_cannot_be_read_does_not_start) {
  store.failure = error{errc::unavailable, {}, "the disk is gone"};
  auto const started = open();
  BOOST_TEST_REQUIRE(!started);
  BOOST_TEST(started.error().cause == "the disk is gone");
}

BOOST_AUTO_TEST_CASE(an_application_without_executors_is_a_mistake) {
  BOOST_CHECK_THROW((application{{}, shared_store, quotas}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(an_application_without_store_or_quotas_is_a_mistake) {
  std::vector<asio::any_io_executor> const executors{running.context.get_executor()};
  BOOST_CHECK_THROW((application{executors, nullptr, quotas}), std::invalid_argument);
  BOOST_CHECK_THROW((application{executors, shared_store, nullptr}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_are_a_mistake) {
  auto const made_with = [&](application_options o) {
    application{{running.context.get_executor()}, shared_store, quotas, std::move(o)};
  };
  auto const nothing = [](request const&, response&) -> asio::awaitable<void> { co_return; };
  BOOST_CHECK_NO_THROW(made_with({.mounts = {{"", nothing}, {"/", nothing}, {"/own", nothing}}}));
  BOOST_CHECK_THROW(made_with({.mounts = {{"own", nothing}}}), std::invalid_argument);
  BOOST_CHECK_THROW(made_with({.mounts = {{"/own", {}}}}), std::invalid_argument);
  for (auto const* base : {"", "v1", "/v1/"}) {
    application_options o;
    o.service.base_path = base;
    BOOST_CHECK_THROW(made_with(std::move(o)), std::invalid_argument);
  }
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_change_nothing) {
  BOOST_REQUIRE(open());
  auto const at = opened->listen(any_port());
  auto no_time = options;
  no_time.shares = {0, 0, {}};
  no_time.connections.write_timeout = -1ms;
  BOOST_CHECK_THROW(opened->reconfigure(no_time), std::invalid_argument);
  BOOST_TEST(status_of(ask(at, "GET", "/livez")) == 200u);
  BOOST_CHECK_THROW(application({running.context.get_executor()}, shared_store, quotas, no_time),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(an_executor_of_a_thread_pool_is_refused_and_a_strand_over_it_is_not) {
  asio::thread_pool pool{1};
  std::vector<asio::any_io_executor> const wrong{pool.get_executor()};
  asio::any_io_executor const other = running.context.get_executor();
  BOOST_CHECK_THROW((application{wrong, shared_store, quotas}), std::invalid_argument);
  BOOST_CHECK_THROW((application{{other}, shared_store, quotas, {}, wrong[0]}), std::invalid_argument);
  BOOST_CHECK_NO_THROW((application{{asio::make_strand(pool)}, shared_store, quotas}));
  BOOST_CHECK_NO_THROW((application{make_strands(wrong[0], 2), shared_store, quotas}));
}

BOOST_AUTO_TEST_CASE(an_application_starts_once) {
  BOOST_REQUIRE(open());
  auto const again = start();
  BOOST_TEST_REQUIRE(!again);
  BOOST_TEST(static_cast<int>(again.error().code) == static_cast<int>(errc::conflict));
  BOOST_TEST(drain());
  auto const after_the_drain = start();
  BOOST_TEST_REQUIRE(!after_the_drain);
  BOOST_TEST(static_cast<int>(after_the_drain.error().code) == static_cast<int>(errc::conflict));
  opened.reset();
}

BOOST_AUTO_TEST_CASE(of_two_starts_at_the_same_time_one_succeeds) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> succeeded{0}, refused{0};
    application contested{{running.context.get_executor()}, shared_store, quotas};
    tests::on_threads(2, [&](int) {
      try {
        contested.async_start(asio::use_future).get();
        ++succeeded;
      } catch (boost::system::system_error const& e) {
        if (e.code() == errc::conflict) ++refused;
      }
    });
    BOOST_TEST(succeeded == 1);
    BOOST_TEST(refused == 1);
    contested.async_drain({}, asio::use_future).get();
  }
}

BOOST_AUTO_TEST_CASE(an_application_that_did_not_start_may_be_started_again) {
  store.failure = error{errc::unavailable, {}, "the disk is gone"};
  BOOST_REQUIRE(!open());
  store.failure.reset();
  BOOST_TEST(static_cast<bool>(start()));
}

BOOST_AUTO_TEST_CASE(an_application_takes_the_keys_of_its_stores_environment) {
  std::shared_ptr<ports::store> const staging = storage::make_memory_store(environment::staging);
  auto const key = generate_api_key(environment::staging);
  create_key made;
  made.plan = "free";
  set_key(made, key);
  BOOST_REQUIRE(wait(staging->change_keys(std::move(made), unix_ms{}, "test")));
  opened = std::make_unique<application>(std::vector{asio::any_io_executor{running.context.get_executor()}}, staging,
                                         quotas);
  BOOST_REQUIRE(start());
  auto const authorization = "Authorization: Bearer " + key + "\r\n";
  BOOST_TEST(status_of(ask(opened->listen(any_port()), "GET", "/v1/pets", authorization)) == 200u);
}

BOOST_AUTO_TEST_CASE(a_host_is_told_when_a_quota_runs_out_but_not_of_what_was_used_before_the_start) {
  limits::plan const plan{limits::per_minute(100), limits::per_day(5)};
  options.plans = {{"free", plan}};
  std::promise<quota_threshold> told;  // it may be set once
  options.on_quota_threshold = [&](quota_threshold const& t) { told.set_value(t); };
  auto const key = generate_api_key(environment::production);
  create_key made;
  made.plan = "free";
  set_key(made, key);
  BOOST_REQUIRE(wait(shared_store->change_keys(std::move(made), unix_ms{}, "test")));
  BOOST_REQUIRE(quotas->account_of(1, plan).charge(plan, limits::no_bans, 4, limits::now()).admitted());
  BOOST_REQUIRE(open());
  auto const authorization = "Authorization: Bearer " + key + "\r\n";
  BOOST_TEST(status_of(ask(opened->listen(any_port()), "GET", "/v1/pets", authorization)) == 200u);
  auto const event = told.get_future().get();
  BOOST_TEST(event.percent == 100u);
  BOOST_TEST(event.used == 5u);
}

BOOST_AUTO_TEST_CASE(acceptors_that_are_not_one_for_each_lane_are_a_mistake) {
  BOOST_REQUIRE(open());
  BOOST_CHECK_THROW(opened->listen(std::vector<asio::ip::tcp::acceptor>{}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(acceptors_of_an_executor_that_nobody_runs_are_served) {
  BOOST_REQUIRE(open());
  asio::io_context elsewhere;
  auto acceptors = open_acceptors(any_port(), {elsewhere.get_executor()});
  auto const at = acceptors.front().local_endpoint();
  opened->listen(std::move(acceptors));
  asio::ip::tcp::socket client{elsewhere};
  client.connect(at);
  asio::write(client, asio::buffer(get_livez));
  BOOST_REQUIRE(tests::eventually([&] { return client.available() != 0; }));
  std::string answer;
  asio::read(client, asio::dynamic_buffer(answer), asio::transfer_at_least(12));
  BOOST_TEST(status_of(answer) == 200u);
}

BOOST_AUTO_TEST_CASE(an_acceptor_that_is_not_open_is_a_mistake_and_hands_over_none_of_the_others) {
  asio::any_io_executor const one = running.context.get_executor();
  opened = std::make_unique<application>(std::vector{one, one}, shared_store, quotas, options);
  auto acceptors = open_acceptors(any_port(), {one, one});
  asio::ip::tcp::socket client{one};
  client.connect(acceptors.front().local_endpoint());  // before another program has the port
  acceptors.back().close();
  BOOST_CHECK_THROW(opened->listen(std::move(acceptors)), boost::system::system_error);
  char byte;
  boost::system::error_code ended;
  client.read_some(asio::buffer(&byte, 1), ended);
  BOOST_TEST((ended == asio::error::eof || ended == asio::error::connection_reset), ended);
}

BOOST_AUTO_TEST_CASE(a_key_check_that_throws_is_our_fault_and_costs_nobody_anything) {
  options.keys = &keys;
  std::promise<std::string> logged;
  options.log = [&](severity s, std::string_view, std::string_view detail, log_origin const&) {
    if (s == severity::error) logged.set_value(std::string{detail});
  };
  BOOST_REQUIRE(open());
  auto const answer = ask(opened->listen(any_port()), "GET", "/v1/pets", "Authorization: Bearer x\r\n");
  BOOST_TEST(status_of(answer) == 503u);
  BOOST_TEST(answer.find("\r\nX-RateLimit-Remaining: 60\r\n") != std::string::npos);
  BOOST_TEST(logged.get_future().get() == "the key cannot be checked: no idea");
}

BOOST_AUTO_TEST_CASE(a_key_check_that_does_not_say_who_it_is_knows_nobody) {
  options.keys = &forgetful;
  BOOST_REQUIRE(open());
  auto const at = opened->listen(any_port());
  BOOST_TEST(status_of(ask(at, "GET", "/v1/pets", "Authorization: Bearer x\r\n")) == 401u);
}

BOOST_AUTO_TEST_CASE(an_application_speaks_tls_with_the_certificate_it_is_given) {
  petstore::tests::temporary_directory directory;
  auto const made = tests::self_signed();
  auto const certificate = directory.write("cert.pem", made.certificate);
  auto const key = directory.write("key.pem", made.key);

  auto const tls = std::make_shared<server::tls_context>(server::read_tls_files({certificate, key}));
  options.listeners.tls = tls;
  BOOST_REQUIRE(open());
  auto client = tests::test_client::over_tls(opened->listen(any_port()).port());
  BOOST_TEST(client.exchange("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").status == 200);

  auto const fresh = tests::self_signed();
  directory.write("cert.pem", fresh.certificate);
  directory.write("key.pem", fresh.key);
  tls->replace(server::read_tls_files({certificate, key}));
  auto next = tests::test_client::over_tls(opened->listen(any_port()).port());
  BOOST_TEST(next.exchange("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").status == 200);
  BOOST_TEST((next.certificate_of_server() != client.certificate_of_server()));
}

BOOST_AUTO_TEST_CASE(a_page_of_the_hosts_that_throws_is_a_500) {
  options.mounts.push_back({"/broken", [](request const&, response&) -> asio::awaitable<void> {
                              throw std::runtime_error{"broken"};
                              co_return;
                            }});
  BOOST_REQUIRE(open());
  auto const at = opened->listen(any_port());
  BOOST_TEST(status_of(ask(at, "GET", "/broken")) == 500u);
  BOOST_TEST(status_of(ask(at, "GET", "/livez")) == 200u);
}

BOOST_AUTO_TEST_CASE(a_page_of_the_hosts_may_answer_without_a_coroutine) {
  options.mounts.push_back({"/now", [](request const&, response& out) -> asio::awaitable<void> {
                              out.body = "now";
                              return {};
                            }});
  BOOST_REQUIRE(open());
  BOOST_TEST(ask(opened->listen(any_port()), "GET", "/now").ends_with("\r\n\r\nnow"));
}

BOOST_AUTO_TEST_CASE(each_lane_may_have_an_access_log_of_its_own) {
  std::vector<std::vector<unsigned>> answers;
  answers.reserve(2);
  options.make_access_log = [&] {
    auto& own = answers.emplace_back();
    return [&own](access_record const& done) { own.push_back(done.response.status); };
  };
  asio::any_io_executor const one = running.context.get_executor();
  application spread{{one, one}, shared_store, quotas, options};
  spread.async_start(asio::use_future).get();
  for (int i = 0; i < 4; ++i) {
    accepted next{running.context};  // by turns
    spread.serve(std::move(next.served));
    asio::write(next.client,
                asio::buffer(std::string_view{"GET /livez HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n"}));
    BOOST_TEST(status_of(next.read()) == 200u);
  }
  BOOST_TEST(spread.async_drain({}, asio::use_future).get());
  std::vector<unsigned> const both{200, 200};
  for (auto const& serving : answers) BOOST_TEST(serving == both);
}

BOOST_AUTO_TEST_CASE(what_the_host_accepts_counts_against_the_connections_too) {
  options.shares.max = 1;
  BOOST_REQUIRE(open());
  accepted first{running.context}, second{running.context};
  opened->serve(std::move(first.served));
  opened->serve(std::move(second.served));
  BOOST_TEST(status_of(second.read()) == 503u);
  BOOST_TEST(opened->connections().in_use() == 1u);
}

BOOST_AUTO_TEST_CASE(limits_that_are_set_while_it_serves_hold_for_every_way_in) {
  BOOST_REQUIRE(open());
  auto const at = opened->listen(any_port());
  auto fresh = options;
  fresh.connections.request_line_bytes_max = 16;
  opened->reconfigure(fresh);
  BOOST_TEST(status_of(ask(at, "GET", "/longer-than-that")) == 414u);
  accepted handed{running.context};
  handed.client.send(asio::buffer(std::string_view{"GET /longer-than-that HTTP/1.1\r\n"}));
  opened->serve(std::move(handed.served));
  BOOST_TEST(status_of(handed.read()) == 414u);
  fresh.shares = {0, 0, {}};
  opened->reconfigure(fresh);
  BOOST_TEST(status_of(ask(at, "GET", "/livez")) == 503u);
}

/// A shared source takes no bursts.
BOOST_AUTO_TEST_CASE(a_plan_that_the_source_of_quotas_does_not_take_is_refused_before_anything_changes) {
  struct no_bursts final : petstore::tests::forwarding_quotas {
    using forwarding_quotas::forwarding_quotas;
    void check(limits::plan const& p) const override {
      if (p.burst != 0) throw std::runtime_error{"no bursts"};
    }
  };
  auto const strict = std::make_shared<no_bursts>(*quotas);
  auto bursting = options;
  bursting.plans.insert_or_assign("free",
                                  *limits::plan::of(limits::per_minute(60), {}, limits::refill::continuous, 10));
  bursting.shares = {0, 0, {}};
  std::vector<asio::any_io_executor> const executors{running.context.get_executor()};
  BOOST_CHECK_THROW(application(executors, shared_store, strict, bursting), std::runtime_error);
  auto anonymous = options;
  anonymous.service.anonymous = bursting.plans.at("free");
  BOOST_CHECK_THROW(application(executors, shared_store, strict, anonymous), std::runtime_error);
  opened = std::make_unique<application>(executors, shared_store, strict, options);
  BOOST_CHECK_THROW(opened->reconfigure(bursting), std::runtime_error);
  BOOST_CHECK_THROW(opened->reconfigure(anonymous), std::runtime_error);
  auto const at = opened->listen(any_port());
  BOOST_TEST(status_of(ask(at, "GET", "/livez")) == 200u);
}

BOOST_AUTO_TEST_CASE(an_application_that_finds_its_port_taken_may_go) {
  asio::ip::tcp::acceptor const other{running.context, any_port()};
  auto const opening = [&]() -> asio::awaitable<void> {
    application hopeful{{running.context.get_executor()},
                        storage::make_memory_store(environment::production),
                        quota::open_local_quota({})};
    co_await hopeful.async_start();
    co_await asio::post(running.context, asio::use_awaitable);  // what the start has begun is under way
    hopeful.listen(other.local_endpoint());
  };
  auto ended = asio::co_spawn(running.context, opening(), asio::use_future);
  BOOST_CHECK_THROW(ended.get(), boost::system::system_error);
  running.finish();  // nothing runs on
}

BOOST_AUTO_TEST_CASE(what_is_asked_of_a_drained_shop_finds_nobody) {
  by_hand contexts;
  auto closed = std::make_unique<application>(std::vector<asio::any_io_executor>{contexts.serving.get_executor()},
                                              shared_store, quotas, options, contexts.control.get_executor());
  bool is_done = false;
  closed->async_drain({}, [&](boost::system::error_code, bool) { is_done = true; });
  contexts.run_until(is_done);
  accepted late{contexts.serving};
  closed->serve(std::move(late.served));
  closed->listen(open_acceptors(any_port(), {contexts.serving.get_executor()}));
  closed->reconfigure(options);
  closed.reset();
  contexts.serving.restart();
  contexts.serving.run();
  BOOST_TEST(late.read() == "");
}

BOOST_AUTO_TEST_CASE(a_socket_that_cannot_be_served_is_closed_and_logged_and_the_executor_runs_on) {
  by_hand contexts;
  std::vector<std::string> events;
  options.log = [&](severity, std::string_view event, std::string_view, log_origin const&) {
    events.emplace_back(event);
  };
  application tested{{contexts.serving.get_executor()}, shared_store, quotas, options, contexts.control.get_executor()};
  auto acceptors = open_acceptors(any_port(), {contexts.serving.get_executor()});
  auto const at = acceptors.front().local_endpoint();
  tested.listen(std::move(acceptors));
  accepted handed{contexts.serving};
  tested.serve(std::move(handed.served));
  kernel_watches_no_more = true;
  BOOST_REQUIRE_NO_THROW(contexts.serving.poll());
  kernel_watches_no_more = false;
  std::vector<std::string> const twice{"listener_failed", "listener_failed"};
  BOOST_TEST(events == twice);
  BOOST_TEST(handed.read() == "");
  asio::ip::tcp::socket late{contexts.serving};
  boost::system::error_code refused;
  late.connect(at, refused);
  BOOST_TEST(refused == asio::error::connection_refused);

  bool is_done = false;
  tested.async_drain({}, [&](boost::system::error_code failed, bool) { is_done = !failed; });
  contexts.run_until(is_done);
}

BOOST_AUTO_TEST_CASE(a_start_that_is_overtaken_by_the_drain_begins_nothing) {
  by_hand contexts;
  auto hasty = std::make_unique<application>(std::vector<asio::any_io_executor>{contexts.serving.get_executor()},
                                             shared_store, quotas, options, contexts.control.get_executor());
  bool is_started = false, is_done = false;
  hasty->async_start([&](boost::system::error_code) { is_started = true; });
  hasty->async_drain({}, [&](boost::system::error_code, bool) { is_done = true; });
  contexts.run_until(is_done);
  hasty.reset();
  contexts.control.restart();
  contexts.control.run();  // it ends: nothing polls
  BOOST_TEST(is_started);
}

BOOST_AUTO_TEST_CASE(a_drain_may_have_all_the_time_there_is) {
  BOOST_REQUIRE(open());
  auto const at = opened->listen(any_port());
  BOOST_TEST(status_of(ask(at, "GET", "/livez")) == 200u);
  constexpr auto for_ever = std::chrono::milliseconds::max();
  BOOST_TEST(drain({.timeout = for_ever, .patience = for_ever}));
}

BOOST_AUTO_TEST_CASE(who_drains_again_hears_of_the_same_end) {
  BOOST_REQUIRE(open());
  auto one = opened->async_drain({.delay = 20ms}, asio::use_future);
  auto other = opened->async_drain({.delay = 40ms}, asio::use_future);
  BOOST_TEST(one.get());
  BOOST_TEST(other.get());
  BOOST_TEST(drain());
  opened.reset();
}

BOOST_AUTO_TEST_CASE(who_drains_again_hears_of_the_end_of_an_application_that_is_gone) {
  asio::io_context context;
  opened =
      std::make_unique<application>(std::vector<asio::any_io_executor>{context.get_executor()}, shared_store, quotas);
  bool first = false, second = false;
  opened->async_drain({.delay = 1ms}, [&](boost::system::error_code, bool is_whole) {
    first = is_whole;
    opened.reset();
  });
  opened->async_drain({.delay = 20ms}, [&](boost::system::error_code, bool is_whole) { second = is_whole; });
  context.run();
  BOOST_TEST(first);
  BOOST_TEST(second);
}

BOOST_AUTO_TEST_CASE(a_cancellation_shortens_the_drain) {
  BOOST_REQUIRE(open());
  accepted slow{running.context};
  opened->serve(std::move(slow.served));
  asio::write(slow.client, asio::buffer(std::string_view{"POST /v1/pets HTTP/1.1\r\nHost: shop\r\nContent-Length: 9\r\n"
                                                         "Expect: 100-continue\r\n\r\n"}));
  std::string answer;
  asio::read(slow.client, asio::dynamic_buffer(answer), asio::transfer_at_least(12));  // the body is waited for

  asio::cancellation_signal signal;
  auto drained =
      opened->async_drain({.delay = 1h, .timeout = 1h}, asio::bind_cancellation_slot(signal.slot(), asio::use_future));
  auto other = opened->async_drain({.delay = 2h, .timeout = 2h}, asio::use_future);
  BOOST_REQUIRE(tests::eventually([&] { return opened->state().draining.load(); }));
  asio::post(running.context, [&] { signal.emit(asio::cancellation_type::total); });
  BOOST_TEST(!drained.get());
  BOOST_TEST(!other.get());
  opened.reset();
}

/// A page whose work ends when the test says so, or when it is cancelled and listens.
struct held_page : host {
  std::optional<asio::steady_timer> gate{std::in_place, running.context, asio::steady_timer::time_point::max()};
  std::promise<void> entered, ended;
  std::promise<std::string> left_behind;
  std::optional<accepted> visitor;

  ~held_page() {
    if (opened) drain();
    opened.reset();
    running.finish();  // its thread uses what is above
  }
  mount page(bool listens, std::chrono::milliseconds time_limit = 0ms) {
    return {"/held",
            [this, listens](request const& asked, response& out) -> asio::awaitable<void> {
              if (!listens) co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
              entered.set_value();
              boost::system::error_code woken;
              co_await gate->async_wait(asio::redirect_error(asio::use_awaitable, woken));
              auto const state = co_await asio::this_coro::cancellation_state;
              bool const is_cancelled = state.cancelled() != asio::cancellation_type::none;
              out.body = "it was " + std::string{asked.path};
              ended.set_value();
              if (is_cancelled) throw boost::system::system_error{woken};
            },
            time_limit};
  }
  void visit(mount held) {
    options.mounts.push_back(std::move(held));
    options.log = [this](severity, std::string_view event, std::string_view detail, log_origin const&) {
      if (event == "mount_left_behind") left_behind.set_value(std::string{detail});
    };
    BOOST_REQUIRE(open());
    visitor.emplace(running.context);
    opened->serve(std::move(visitor->served));
    asio::write(visitor->client, asio::buffer(std::string_view{"GET /held HTTP/1.1\r\nHost: shop\r\n\r\n"}));
    entered.get_future().wait();
  }
  void open_gate() {
    asio::post(running.context, [this] { gate->cancel(); });
  }
};

BOOST_FIXTURE_TEST_CASE(a_page_that_listens_ends_with_the_time_of_the_drain, held_page) {
  visit(page(true));
  BOOST_TEST(drain({.delay = 0ms, .timeout = 0ms}));
  ended.get_future().wait();
  auto const answer = visitor->read();
  BOOST_TEST(status_of(answer) == 503u);
  BOOST_TEST(answer.find("\r\nConnection: close\r\n") != std::string::npos);
  opened.reset();
}

BOOST_FIXTURE_TEST_CASE(a_page_that_answers_although_it_is_cancelled_is_not_cut_off, held_page) {
  visit({"/held", [this](request const&, response&) -> asio::awaitable<void> {
           entered.set_value();
           boost::system::error_code woken;
           co_await gate->async_wait(asio::redirect_error(asio::use_awaitable, woken));
         }});
  BOOST_TEST(drain({.delay = 0ms, .timeout = 0ms}));
  BOOST_TEST(status_of(visitor->read()) == 200u);
  opened.reset();
}

BOOST_FIXTURE_TEST_CASE(a_page_that_does_not_listen_is_left_behind_by_the_drain, held_page) {
  visit(page(false));
  BOOST_TEST(!drain({.delay = 0ms, .timeout = 0ms}));
  BOOST_TEST(left_behind.get_future().get() == "/held");
  BOOST_TEST(visitor->read() == "");
  opened.reset();
  open_gate();  // it still uses request, answer and its own function
  ended.get_future().wait();
}

BOOST_FIXTURE_TEST_CASE(a_page_that_was_left_behind_may_end_with_its_context, held_page) {
  asio::io_context context{1};
  gate.emplace(context, asio::steady_timer::time_point::max());
  options.mounts.push_back(page(false));
  opened = std::make_unique<application>(std::vector<asio::any_io_executor>{context.get_executor()}, shared_store,
                                         quotas, options);
  visitor.emplace(context);
  opened->serve(std::move(visitor->served));
  asio::write(visitor->client, asio::buffer(std::string_view{"GET /held HTTP/1.1\r\nHost: shop\r\n\r\n"}));
  auto has_entered = entered.get_future();
  tests::run_until([&] { return has_entered.wait_for(0s) == std::future_status::ready; }, context);
  bool is_done = false;
  opened->async_drain({.delay = 0ms, .timeout = 0ms}, [&](boost::system::error_code, bool) { is_done = true; });
  tests::run_until([&] { return is_done; }, context);
  opened.reset();
  BOOST_TEST(visitor->read() == "");
  visitor.reset();
  gate.reset();
}

/// Waits until it is cancelled, and notes whether the signal was emitted on the executor.
asio::awaitable<void> wait_for_signal(asio::io_context& context, std::optional<bool>& came_from_there) {
  auto const begin = [&](auto handler) {
    auto slot = asio::get_associated_cancellation_slot(handler);
    auto const kept = std::make_shared<decltype(handler)>(std::move(handler));
    auto cancel = [&context, &came_from_there, kept](asio::cancellation_type) {
      came_from_there = context.get_executor().running_in_this_thread();
      asio::post(context, [handler = std::move(*kept)]() mutable {
        std::move(handler)(boost::system::error_code{asio::error::operation_aborted});
      });
    };
    slot.assign(std::move(cancel));
  };
  return asio::async_initiate<asio::use_awaitable_t<> const, void(boost::system::error_code)>(begin,
                                                                                              asio::use_awaitable);
}

BOOST_FIXTURE_TEST_CASE(a_page_is_cancelled_on_its_executor_whoever_destroys_the_application, held_page) {
  asio::io_context context{1};
  std::optional<bool> came_from_there;
  options.mounts.push_back({"/held", [&](request const&, response&) -> asio::awaitable<void> {
                              entered.set_value();
                              auto waiting = wait_for_signal(context, came_from_there);
                              co_await std::move(waiting);
                            }});
  opened = std::make_unique<application>(std::vector<asio::any_io_executor>{context.get_executor()}, shared_store,
                                         quotas, options);
  visitor.emplace(context);
  opened->serve(std::move(visitor->served));
  asio::write(visitor->client, asio::buffer(std::string_view{"GET /held HTTP/1.1\r\nHost: shop\r\n\r\n"}));
  auto has_entered = entered.get_future();
  tests::run_until([&] { return has_entered.wait_for(0s) == std::future_status::ready; }, context);
  opened.reset();  // the executor does not run
  BOOST_TEST(!came_from_there.has_value());
  tests::run_until([&] { return came_from_there.has_value(); }, context);
  BOOST_TEST(came_from_there.value());
  visitor.reset();
}

BOOST_FIXTURE_TEST_CASE(a_page_learns_that_its_client_has_left, held_page) {
  visit(page(true));
  visitor->client.close();
  ended.get_future().wait();
  BOOST_TEST(drain());
  opened.reset();
}

BOOST_FIXTURE_TEST_CASE(a_page_that_listens_ends_with_its_time, held_page) {
  visit(page(true, 1ms));
  ended.get_future().wait();
  std::string answer;
  asio::read(visitor->client, asio::dynamic_buffer(answer), asio::transfer_at_least(12));
  BOOST_TEST(status_of(answer) == 503u);
}

BOOST_FIXTURE_TEST_CASE(a_page_that_does_not_listen_is_left_behind_when_its_time_is_over, held_page) {
  visit(page(false, 1ms));
  BOOST_TEST(left_behind.get_future().get() == "/held");
  BOOST_TEST(visitor->read() == "");
  BOOST_TEST(drain());
  opened.reset();
  open_gate();
  ended.get_future().wait();
}

/// The parts of a body that comes one byte at a time, after the first when the gate opens.
class held_body final : public body_stream {
 public:
  explicit held_body(held_page& by) : by_{by} {}
  asio::awaitable<bool> next(std::string& part) override {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    if (!std::exchange(is_begun_, true)) {
      part = "first";
      co_return true;
    }
    by_.entered.set_value();
    boost::system::error_code opened;
    co_await by_.gate->async_wait(asio::redirect_error(asio::use_awaitable, opened));
    part = "second";
    by_.ended.set_value();
    co_return false;
  }

 private:
  held_page& by_;
  bool is_begun_ = false;
};

BOOST_FIXTURE_TEST_CASE(a_body_of_a_page_that_does_not_end_is_left_behind, held_page) {
  visit({"/held", [this](request const&, response& out) -> asio::awaitable<void> {
           out.stream = std::make_unique<held_body>(*this);
           co_return;
         }});
  BOOST_TEST(!drain({.delay = 0ms, .timeout = 0ms}));
  BOOST_TEST(left_behind.get_future().get() == "/held");
  BOOST_TEST(visitor->read().ends_with("first"));
  opened.reset();
  open_gate();
  ended.get_future().wait();
}

BOOST_AUTO_TEST_CASE(a_drain_of_an_executor_that_does_not_run_fails) {
  by_hand contexts;
  application stuck{{contexts.serving.get_executor()}, shared_store, quotas, options, contexts.control.get_executor()};
  auto const drain_stuck = [&] {
    boost::system::error_code failed;
    bool is_done = false;
    stuck.async_drain({.delay = 0ms, .timeout = 0ms, .patience = 1ms}, [&](boost::system::error_code f, bool is_whole) {
      failed = f;
      BOOST_TEST(!is_whole);
      is_done = true;
    });
    tests::run_until([&] { return is_done; }, contexts.control);
    return failed;
  };
  BOOST_TEST((drain_stuck() == errc::unavailable));
  BOOST_TEST((drain_stuck() == errc::unavailable));
  bool is_done = false;
  stuck.async_drain({}, [&](boost::system::error_code failed, bool is_whole) {
    BOOST_TEST(!failed);
    BOOST_TEST(is_whole);
    is_done = true;
  });
  contexts.run_until(is_done);
}

BOOST_AUTO_TEST_CASE(a_cancelled_start_completes_at_once_and_may_be_repeated) {
  by_hand contexts;
  application late{{contexts.serving.get_executor()}, shared_store, quotas, options, contexts.control.get_executor()};
  asio::io_context caller{1};
  asio::cancellation_signal signal;
  boost::system::error_code failed;
  error why{errc::not_found, "nothing is written here", {}};
  late.async_start(
      why, asio::bind_executor(
               caller, asio::bind_cancellation_slot(signal.slot(), [&](boost::system::error_code f) { failed = f; })));
  signal.emit(asio::cancellation_type::partial);
  tests::run_until([&] { return failed.failed(); }, caller);  // before the start has its turn
  BOOST_TEST(failed == asio::error::operation_aborted);
  contexts.control.poll();
  BOOST_TEST(why.message == "nothing is written here");

  bool is_started = false;
  late.async_start([&](boost::system::error_code f) { is_started = !f; });
  contexts.run_until(is_started);
}

BOOST_AUTO_TEST_CASE(a_start_that_has_taken_effect_is_not_cancelled_any_more) {
  by_hand contexts;
  application early{{contexts.serving.get_executor()}, shared_store, quotas, options, contexts.control.get_executor()};
  asio::io_context caller{1};
  asio::cancellation_signal signal;
  std::optional<boost::system::error_code> told;
  early.async_start(asio::bind_executor(
      caller, asio::bind_cancellation_slot(signal.slot(), [&](boost::system::error_code f) { told = f; })));
  contexts.control.poll();  // the start is decided, and the caller has not heard of it
  signal.emit(asio::cancellation_type::terminal);
  tests::run_until([&] { return told.has_value(); }, caller);
  BOOST_TEST(!*told);
}

BOOST_AUTO_TEST_CASE(every_token_completes_a_start_and_a_drain) {
  asio::io_context context{1};
  std::vector<std::unique_ptr<application>> all;
  auto const make = [&]() -> application& {
    std::vector<asio::any_io_executor> const executors{context.get_executor()};
    return *all.emplace_back(std::make_unique<application>(executors, shared_store, quotas));
  };
  tests::every_token<>{context}.check(
      [&](auto&& token) { return make().async_start(std::forward<decltype(token)>(token)); },
      tests::allocator_use::none);
  error why;
  tests::every_token<>{context}.check(
      [&](auto&& token) { return make().async_start(why, std::forward<decltype(token)>(token)); },
      tests::allocator_use::none);
  tests::every_token<bool>{context}.check(
      [&](auto&& token) { return make().async_drain({}, std::forward<decltype(token)>(token)); });
  tests::every_token<bool>{context}.check(
      [&](auto&& token) { return make().async_drain(std::forward<decltype(token)>(token)); });
}

BOOST_AUTO_TEST_CASE(an_application_may_have_a_default_token) {
  asio::io_context context{1};
  using with_deferred = asio::deferred_t::as_default_on_t<application>;
  with_deferred tested{{context.get_executor()}, shared_store, quotas};
  error why;
  int calls = 0;
  auto const started = [&](boost::system::error_code) { ++calls; };
  auto const drained = [&](boost::system::error_code failed, bool is_whole) { calls += !failed && is_whole; };
  tested.async_start()(started);
  tested.async_start(why)(started);
  tested.async_drain()(drained);
  tested.async_drain(drain_times{.timeout = 1s})(drained);
  tested.async_drain(drained);
  context.run();
  BOOST_TEST(calls == 5);

  using with_tuples = asio::as_tuple_t<asio::use_awaitable_t<>>::as_default_on_t<application>;
  with_tuples other{{context.get_executor()}, shared_store, quotas};
  auto const live = [&]() -> asio::awaitable<bool> {
    auto const [not_started] = co_await other.async_start();
    auto const [not_drained, is_whole] = co_await other.async_drain();
    co_return !not_started && !not_drained && is_whole;
  };
  context.restart();
  auto lived = asio::co_spawn(context, live(), asio::use_future);
  context.run();
  BOOST_TEST(lived.get());
}

BOOST_AUTO_TEST_CASE(a_drain_that_cuts_nobody_off_is_whole_however_little_time_it_has) {
  BOOST_REQUIRE(open());
  accepted idle{running.context};
  opened->serve(std::move(idle.served));
  asio::write(idle.client, asio::buffer(get_livez));
  std::string answer;
  asio::read(idle.client, asio::dynamic_buffer(answer), asio::transfer_at_least(12));
  BOOST_TEST(drain({.delay = 0ms, .timeout = 0ms}));
  opened.reset();
}

BOOST_AUTO_TEST_CASE(while_one_listener_waits_for_a_client_the_others_stop_too) {
  BOOST_REQUIRE(open());
  auto const one = opened->listen(any_port()), other = opened->listen(any_port());
  asio::io_context of_clients;
  asio::ip::tcp::socket slow{of_clients}, idle{of_clients};
  slow.connect(one);
  asio::write(slow, asio::buffer(std::string_view{"POST /v1/pets HTTP/1.1\r\nHost: shop\r\nContent-Length: 9\r\n"
                                                  "Expect: 100-continue\r\n\r\n"}));
  std::string answer;
  asio::read(slow, asio::dynamic_buffer(answer), asio::transfer_at_least(12));
  idle.connect(other);
  asio::write(idle, asio::buffer(get_livez));
  asio::read(idle, asio::dynamic_buffer(answer), asio::transfer_at_least(12));

  auto drained = opened->async_drain({.delay = 0ms, .timeout = 60s}, asio::use_future);
  boost::system::error_code end;
  asio::read(idle, asio::dynamic_buffer(answer), end);  // to its end, while the other is waited for
  BOOST_TEST((drained.wait_for(0s) == std::future_status::timeout));
  slow.close();
  drained.wait();
  opened.reset();
}

BOOST_AUTO_TEST_CASE(what_comes_after_the_drain_is_closed) {
  BOOST_REQUIRE(open());
  BOOST_TEST(drain());
  accepted late{running.context};
  opened->serve(std::move(late.served));
  BOOST_TEST(late.read() == "");
  // The port is closed in its turn: a client is refused, or cut off at any point before an answer.
  std::string answer;
  try {
    answer = ask(opened->listen(any_port()), "GET", "/livez");
  } catch (tests::client_error const&) {
  }
  BOOST_TEST(answer == "");
  running.finish();  // what comes so late may still be on its way
  opened.reset();
}

BOOST_AUTO_TEST_CASE(what_a_busy_lane_was_given_before_the_drain_is_served) {
  std::vector<asio::any_io_executor> executors{running.context.get_executor()};
  opened = std::make_unique<application>(executors, shared_store, quotas, options, control.context.get_executor());
  BOOST_REQUIRE(start());

  std::promise<void> free_again;
  asio::post(running.context, [&] { free_again.get_future().wait(); });
  asio::io_context of_clients;
  asio::ip::tcp::socket client{of_clients};
  client.connect(opened->listen(any_port()));
  accepted handed_over{of_clients};
  opened->serve(std::move(handed_over.served));
  for (auto* socket : {&client, &handed_over.client}) asio::write(*socket, asio::buffer(get_livez));

  std::promise<bool> drained;
  opened->async_drain({}, [&](boost::system::error_code, bool is_whole) { drained.set_value(is_whole); });
  BOOST_REQUIRE(tests::eventually([&] { return opened->state().draining.load(); }));
  free_again.set_value();
  for (auto* socket : {&client, &handed_over.client}) {
    std::string answer;
    boost::system::error_code end;
    asio::read(*socket, asio::dynamic_buffer(answer), end);
    BOOST_TEST(status_of(answer) == 200u);
    BOOST_TEST(answer.find("\r\nConnection: close\r\n") != std::string::npos);
    socket->close();  // else it would be waited for until it has read
  }
  BOOST_TEST(drained.get_future().get());
  opened.reset();
}

BOOST_AUTO_TEST_CASE(what_is_handed_over_in_the_turn_of_the_drain_is_served) {
  asio::io_context context{1};
  application ending{{context.get_executor()}, shared_store, quotas, options};
  accepted handed{context};
  asio::write(handed.client, asio::buffer(get_livez));
  BOOST_TEST(serve_and_drain_in_one_turn(ending, handed, context));
  BOOST_TEST(status_of(handed.read()) == 200u);
}

BOOST_AUTO_TEST_CASE(requests_that_were_sent_together_before_the_drain_are_all_answered) {
  asio::io_context context{1};
  application ending{{context.get_executor()}, shared_store, quotas, options};
  accepted handed{context};
  for (int i = 0; i < 3; ++i) asio::write(handed.client, asio::buffer(get_livez));
  BOOST_TEST(serve_and_drain_in_one_turn(ending, handed, context));
  auto const answers = handed.read();
  std::size_t n = 0;
  for (auto at = answers.find("HTTP/1.1 200 "); at != std::string::npos; at = answers.find("HTTP/1.1 200 ", at + 1))
    ++n;
  BOOST_TEST(n == 3u);
}

BOOST_AUTO_TEST_CASE(a_drain_that_another_thread_carries_out_does_not_overtake_what_was_handed_over) {
  by_hand contexts;
  application ending{{contexts.serving.get_executor()}, shared_store, quotas, options, contexts.control.get_executor()};
  accepted handed{contexts.serving};
  asio::write(handed.client, asio::buffer(get_livez));
  std::optional<bool> is_whole;
  asio::post(contexts.serving, [&] {
    ending.serve(std::move(handed.served));
    ending.async_drain({}, [&](boost::system::error_code, bool whole) { is_whole = whole; });
    std::thread{[&] { contexts.control.poll(); }}.join();
  });
  run_to_end(is_whole, handed, contexts.serving, contexts.control);
  BOOST_TEST(*is_whole);
  BOOST_TEST(status_of(handed.read()) == 200u);
}

BOOST_AUTO_TEST_CASE(a_request_on_an_idle_connection_is_answered_while_the_drain_begins) {
  asio::io_context context{1};
  application ending{{context.get_executor()}, shared_store, quotas, options};
  accepted kept{context};
  ending.serve(std::move(kept.served));
  asio::write(kept.client, asio::buffer(get_livez));
  tests::run_until([&] { return kept.client.available() != 0; }, context);
  std::string answer;
  asio::read(kept.client, asio::dynamic_buffer(answer), asio::transfer_at_least(12));
  BOOST_TEST(answer.find("\r\nConnection: close\r\n") == std::string::npos);

  std::optional<bool> is_whole;
  asio::post(context, [&] {
    ending.async_drain({}, [&](boost::system::error_code, bool whole) { is_whole = whole; });
    asio::post(context, [&] { asio::write(kept.client, asio::buffer(get_livez)); });  // after the stop has begun
  });
  run_to_end(is_whole, kept, context);
  BOOST_TEST(*is_whole);
  answer = kept.read();
  BOOST_TEST(status_of(answer) == 200u);
  BOOST_TEST(answer.find("\r\nConnection: close\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(once_the_drain_is_done_no_lane_keeps_anything_of_the_shop) {
  asio::io_context watching, serving;
  bool overtakes = false;
  auto part = std::make_shared<int>();
  options.log = [part](auto const&...) {};
  std::weak_ptr<int> const kept = std::exchange(part, nullptr);
  opened = std::make_unique<application>(std::vector<asio::any_io_executor>{serving.get_executor()}, shared_store,
                                         quotas, std::exchange(options, {}), overtaking_executor{watching, overtakes});
  opened->async_start([](boost::system::error_code failed) { BOOST_TEST(!failed); });
  watching.poll();
  opened->listen(any_port());
  serving.poll();

  bool is_gone = false;
  opened->async_drain({}, [&](boost::system::error_code, bool is_whole) {
    BOOST_TEST(is_whole);
    opened.reset();
    is_gone = kept.expired();
  });
  BOOST_REQUIRE(tests::eventually([&] {
    watching.poll();
    overtakes = true;
    serving.poll();
    overtakes = false;
    return !opened;
  }));
  BOOST_TEST(is_gone);
}

BOOST_AUTO_TEST_CASE(an_application_that_goes_without_a_drain_says_whom_it_cuts_off) {
  std::string said;
  options.log = [&said](severity, std::string_view event, std::string_view detail, log_origin const&) {
    if (event == "application_not_drained") said = detail;
  };
  BOOST_REQUIRE(open());
  accepted kept{running.context};
  opened->serve(std::move(kept.served));
  asio::write(kept.client, asio::buffer(get_livez));
  std::string answer;
  asio::read(kept.client, asio::dynamic_buffer(answer), asio::transfer_at_least(12));
  running.context.stop();
  running.finish();
  opened.reset();
  BOOST_TEST(said == "connections cut off: 1");
}

BOOST_AUTO_TEST_CASE(a_drain_breaks_off_what_does_not_end_and_says_so) {
  BOOST_REQUIRE(open());
  accepted slow{running.context};
  opened->serve(std::move(slow.served));
  std::string const head = "POST /v1/pets HTTP/1.1\r\nHost: shop\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n";
  asio::write(slow.client, asio::buffer(head));
  std::string answer;
  asio::read(slow.client, asio::dynamic_buffer(answer), asio::transfer_at_least(12));  // the body is waited for
  BOOST_TEST(!drain({.delay = 0ms, .timeout = 50ms}));
  opened.reset();
  answer += slow.read();
  BOOST_TEST(answer.find(" 200 ") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_store_that_is_gone_makes_the_application_unready_and_its_return_ready_again) {
  BOOST_REQUIRE(open());
  auto const at = opened->listen(any_port());
  auto const becomes = [&](bool ready) {
    return tests::eventually([&] { return opened->state().store_ready == ready; });
  };
  auto const fail_from_now_on = [&](std::optional<error> failure) {
    asio::post(running.context, [&, failure] { store.failure = failure; });
  };
  fail_from_now_on(error{errc::unavailable, {}, "gone"});
  BOOST_TEST(becomes(false));
  BOOST_TEST(status_of(ask(at, "GET", "/readyz")) == 503u);
  fail_from_now_on(std::nullopt);
  BOOST_TEST(becomes(true));
  BOOST_TEST(status_of(ask(at, "GET", "/readyz")) == 200u);
}

BOOST_AUTO_TEST_CASE(a_store_that_throws_is_not_ready_until_it_answers_again) {
  BOOST_REQUIRE(open());
  for (bool const throws : {true, false}) {
    asio::post(running.context, [&, throws] { store.throws = throws; });
    BOOST_TEST(tests::eventually([&] { return opened->state().store_ready == !throws; }));
  }
}

BOOST_AUTO_TEST_SUITE_END()
