// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// A request is ended at every point at which it can wait, in every way in which it can end, on both kinds of
// connection. What is asserted is that nothing stays behind; that nothing is touched after its death is for
// AddressSanitizer to say.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>
#include <string_view>

#include "api/mounted_pages.hpp"
#include "failing_store.hpp"
#include "petstore/server/listener.hpp"
#include "petstore/server/service.hpp"
#include "petstore/storage/lmdb.hpp"
#include "server/forwarding_quotas.hpp"
#include "service_fixture.hpp"
#include "support/temporary_directory.hpp"
#include "support/test_client.hpp"
#include "support/time_limit.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(cancellation)

namespace {

using namespace std::chrono_literals;

/// Where the request is when it ends.
enum class point : std::uint8_t {
  accept,     ///< the connection waits in the kernel
  idle,       ///< between two requests
  head,       ///< half of the head is there
  body,       ///< half of the body is there
  charge,     ///< the quotas are counted elsewhere, and have not answered
  write,      ///< the store has not written yet
  refund,     ///< the store has failed, and the token is on its way back
  page,       ///< a page of the host is at work, and ends when it is cancelled
  deaf_page,  ///< the same, and it does not listen
  sending,    ///< the client does not read its answers
  lingering,  ///< the last answer is sent, and the client has not closed
};

/// How it ends.
enum class ending : std::uint8_t {
  closed_by_client,
  reset_by_client,
  listener_stopped,    ///< with no time to finish
  listener_drained,    ///< with time, and the client leaves
  listener_destroyed,  ///< without having been stopped
  all_destroyed,       ///< the io_context is stopped, and everything goes
  last
};

std::string_view name_of(ending e) {
  static constexpr std::string_view names[] = {"closed_by_client", "reset_by_client",    "listener_stopped",
                                               "listener_drained", "listener_destroyed", "all_destroyed"};
  return names[static_cast<std::size_t>(e)];
}

/// Something that is waited for until it is opened.
class gate {
 public:
  explicit gate(asio::io_context& context) : timer_{context, std::chrono::steady_clock::time_point::max()} {}

  asio::awaitable<void> wait() {
    ++waiting;
    co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
    --waiting;
  }
  void open() { timer_.cancel(); }

  int waiting = 0;

 private:
  asio::steady_timer timer_;
};

/// Quotas that answer when a gate is opened, while there is one.
class held_quotas final : public tests::forwarding_quotas {
 public:
  using forwarding_quotas::forwarding_quotas;

  gate* charges = nullptr;
  gate* refunds = nullptr;

  ports::eventual<limits::verdict> charge(ports::payer const& who, limits::cost tokens, limits::instant now) override {
    return hold(charges, inner_.charge(who, tokens, now).take());
  }
  ports::eventual<limits::verdict> refund(ports::payer const& who, limits::verdict const& charged,
                                          limits::instant now) override {
    return hold(refunds, inner_.refund(who, charged, now).take());
  }

 private:
  static ports::eventual<limits::verdict> hold(gate* g, limits::verdict verdict) {
    if (g == nullptr) return verdict;
    return wait(*g, verdict);
  }
  static asio::awaitable<limits::verdict> wait(gate& g, limits::verdict verdict) {
    auto opened = g.wait();
    co_await std::move(opened);
    co_return verdict;
  }
};

/// The service behind a listener, on an io_context that the case runs by hand, with one client.
class live_shop : public service_fixture {
 public:
  live_shop() : service_fixture{with_one_request_in_flight()} {
    key_ = make_key("business");
    std::vector<asio::any_io_executor> const executors{loop_->get_executor()};
    auto acceptors = open_acceptors({asio::ip::address_v4::loopback(), 0}, executors);
    auto const ignore_log = [](severity, std::string_view, std::string_view, log_origin const&) {};
    auto const count_answer = [this](access_record const&) { ++answers_; };
    auto held = parts();
    held.quotas = held_;
    held.log = ignore_log;
    held.flights = &flights_;
    served_ = std::make_unique<service>(options, std::move(held));
    pages_ = std::make_unique<mounted_pages>(mounts_, *served_);
    listener_ = std::make_unique<listener>(std::move(acceptors.front()), *pages_, connection_limits{}, budget_,
                                           ignore_log, count_answer, listener_options{});
    listener_->start();
    settle();
    client_.set_receive_buffer(4'096);
    client_.connect(listener_->local_endpoint().port());
  }

  void bring_to(point p) {
    switch (p) {
      case point::accept: return;
      case point::idle: client_.send(get_pets()); return run_until([this] { return answers_ == 1; });
      case point::head: client_.send(post_pet().substr(0, 30)); break;
      case point::body: client_.send(post_pet().substr(0, post_pet().size() - 5)); break;
      case point::charge: held_.charges = &*gate_; return send_and_wait();
      case point::write: shop->before_write = [this] { return gate_->wait(); }; return send_and_wait();
      case point::refund:
        fail_store_with(error{errc::unavailable, {}, "gone"});
        held_.refunds = &*gate_;
        return send_and_wait();
      case point::page: return visit("/listens");
      case point::deaf_page: return visit("/deaf");
      case point::sending: return fill_the_pipe();
      case point::lingering:
        client_.send("GET / HTTP/1.1\r\n\r\n");  // no Host: the last answer
        return run_until([this] { return answers_ == 1; });
    }
    run_until([this] { return listener_->session_count() == 1; });
    settle();
  }

  void end_by(ending e) {
    switch (e) {
      case ending::closed_by_client: client_.close(); break;
      case ending::reset_by_client: client_.reset(); break;
      case ending::listener_stopped: stop(0ms); break;
      case ending::listener_drained:
        listener_->begin_drain();
        stop(1h);
        client_.close();
        break;
      case ending::listener_destroyed: listener_.reset(); break;
      case ending::all_destroyed: return destroy_everything();
      case ending::last: break;
    }
    settle();
    gate_->open();  // the late answer finds what is left of its request
    run_until([this] { return gate_->waiting == 0 && budget_.in_use() == 0 && stops_ == stops_begun_; });
    if (listener_) BOOST_TEST(listener_->session_count() == 0u);
    destroy_everything();
  }

  std::size_t connections_in_use() const { return budget_.in_use(); }
  bool has_request_in_flight() { return !flights_.enter(1, 1); }

 private:
  static service_options with_one_request_in_flight() {
    service_options options;
    options.requests_in_flight_per_key = 1;
    return options;
  }

  std::string get_pets() const {
    return "GET /v1/pets?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + key_ + "\r\n\r\n";
  }
  std::string post_pet() const {
    std::string const body = R"({"name":"Rex","categoryId":1})";
    return "POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + key_ +
           "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

  void visit(std::string const& path) {
    client_.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    run_until([this] { return gate_->waiting == 1; });
  }
  asio::awaitable<void> hold(request const& asked, response& out) {
    if (asked.path == "/deaf") co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    auto opened = gate_->wait();
    co_await std::move(opened);
    out.body = asked.path;
  }

  void send_and_wait() {
    client_.send(post_pet());
    run_until([this] { return gate_->waiting == 1; });
  }

  /// Answers of about 100 kB each, until the kernel takes no more of them.
  void fill_the_pipe() {
    constexpr unsigned pages = 60;
    std::string requests;
    for (unsigned i = 0; i < pages; ++i) requests += "GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n";
    client_.send(requests);
    run_until([this] { return answers_ > 0; });
    for (unsigned before = 0; before != answers_;) {
      before = answers_;
      settle();
    }
    BOOST_TEST(answers_ < pages);
  }

  void stop(std::chrono::milliseconds timeout) {
    ++stops_begun_;
    listener_->async_stop(timeout, [this](boost::system::error_code, bool) { ++stops_; });
  }

  /// What can be done without anybody else.
  void settle() {
    loop_->restart();
    while (loop_->poll() != 0) {
    }
  }
  template <class Fact>
  void run_until(Fact fact) {
    loop_->restart();
    for (auto const end = std::chrono::steady_clock::now() + tests::time_limit; !fact();) {
      loop_->run_one_for(10ms);
      BOOST_REQUIRE(std::chrono::steady_clock::now() < end);
    }
  }

  /// As an owner does who declares them in order: first what uses the io_context, then that.
  void destroy_everything() {
    loop_->stop();
    listener_.reset();
    gate_.reset();
    loop_.reset();
    served_.reset();
  }

  connection_budget budget_{10};
  in_flight flights_;
  std::unique_ptr<asio::io_context> loop_ = std::make_unique<asio::io_context>(1);
  std::unique_ptr<gate> gate_ = std::make_unique<gate>(*loop_);
  held_quotas held_{*quotas};
  std::unique_ptr<service> served_;
  std::function<asio::awaitable<void>(request const&, response&)> const hold_ =
      [this](request const& asked, response& out) { return hold(asked, out); };
  std::vector<mount> const mounts_{{"/listens", hold_}, {"/deaf", hold_}};
  std::unique_ptr<mounted_pages> pages_;
  std::unique_ptr<listener> listener_;
  tests::test_client client_;
  std::string key_;
  unsigned answers_ = 0;
  int stops_begun_ = 0;
  int stops_ = 0;
};

void end_in_every_way(point where) {
  for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(ending::last); ++i) {
    auto const end = static_cast<ending>(i);
    BOOST_TEST_CONTEXT(name_of(end)) {
      live_shop shop;
      shop.bring_to(where);
      BOOST_TEST(shop.has_request_in_flight() ==
                 (where == point::charge || where == point::write || where == point::refund));
      shop.end_by(end);
      BOOST_TEST(shop.connections_in_use() == 0u);
      BOOST_TEST(!shop.has_request_in_flight());
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_connection_in_the_kernel_leaves_nothing_behind) {
  end_in_every_way(point::accept);
}

BOOST_AUTO_TEST_CASE(a_connection_between_two_requests_leaves_nothing_behind) {
  end_in_every_way(point::idle);
}

BOOST_AUTO_TEST_CASE(half_a_head_leaves_nothing_behind) {
  end_in_every_way(point::head);
}

BOOST_AUTO_TEST_CASE(half_a_body_leaves_nothing_behind) {
  end_in_every_way(point::body);
}

BOOST_AUTO_TEST_CASE(a_charge_that_is_answered_late_leaves_nothing_behind) {
  end_in_every_way(point::charge);
}

BOOST_AUTO_TEST_CASE(a_write_that_is_answered_late_leaves_nothing_behind) {
  end_in_every_way(point::write);
}

BOOST_AUTO_TEST_CASE(a_refund_that_is_answered_late_leaves_nothing_behind) {
  end_in_every_way(point::refund);
}

BOOST_AUTO_TEST_CASE(a_page_at_work_leaves_nothing_behind) {
  end_in_every_way(point::page);
}

BOOST_AUTO_TEST_CASE(a_page_at_work_that_does_not_listen_leaves_nothing_behind) {
  end_in_every_way(point::deaf_page);
}

BOOST_AUTO_TEST_CASE(answers_that_nobody_reads_leave_nothing_behind) {
  end_in_every_way(point::sending);
}

BOOST_AUTO_TEST_CASE(a_last_answer_whose_client_stays_leaves_nothing_behind) {
  end_in_every_way(point::lingering);
}

/// The writer of the embedded store answers from a thread of its own, to an executor that may have stopped.
BOOST_AUTO_TEST_CASE(writes_under_way_in_the_embedded_store_outlive_who_waits_for_them) {
  tests::temporary_directory directory;
  storage::lmdb_options stored;
  stored.directory = directory / "store";
  stored.environment = environment::production;
  stored.map_bytes_max = std::size_t{16} << 20;
  constexpr int writes = 10;
  int cut_off = 0;
  for (int steps = 0; steps < 3 * writes; ++steps) {
    auto store = storage::open_lmdb_store(stored);
    auto loop = std::make_unique<asio::io_context>(1);
    int answered = 0;
    for (int i = 0; i < writes; ++i) {
      auto work = store->create_pet({.name = "Rex", .category_id = 1, .status = {}}, false, {}, unix_ms{});
      asio::co_spawn(*loop, std::move(work), [&answered](std::exception_ptr, auto const&) { ++answered; });
    }
    for (int i = 0; i < steps; ++i) loop->run_one();
    int const answered_before = answered;
    if (answered < writes) ++cut_off;
    loop->stop();
    store.reset();
    loop.reset();
    BOOST_TEST(answered == answered_before);
  }
  BOOST_TEST(cut_off >= writes);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
