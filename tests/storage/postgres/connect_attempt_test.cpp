// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The hosts of an attempt refuse or say nothing. The time is what the case says it is.
#include "connect_attempt.hpp"

#include <poll.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/time_limit.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(connect_attempts)

namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using storage::postgres::address;
using storage::postgres::blocking_resolver;
using storage::postgres::connect_attempt;
using storage::postgres::host;

auto const start = std::chrono::steady_clock::time_point{} + 1h;

/// A port of its own. It refuses connections until it listens; then the kernel accepts them, and nothing answers.
class silent_host {
 public:
  enum class state : bool { refuses, listens };

  explicit silent_host(state s) {
    acceptor_.open(tcp::v4());
    acceptor_.bind({boost::asio::ip::address_v4::loopback(), 0});
    if (s == state::listens) listen();
  }
  void listen() { acceptor_.listen(); }
  std::string text() const { return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }

 private:
  boost::asio::io_context context_;
  tcp::acceptor acceptor_{context_};
};

constexpr auto refuses = silent_host::state::refuses;
constexpr auto listens = silent_host::state::listens;

/// An attempt with six seconds, which the case moves through.
class trial {
 public:
  explicit trial(std::string const& hosts, std::string const& settings = "")
      : where_("postgres://clerk@" + hosts + "/shop?sslmode=disable" + settings),
        attempt_(where_, where_.hosts(), start, start + 6s) {
    go_on();
  }

  /// Has the attempt go on when its host's share has passed.
  void wait() {
    now_ = attempt_.due();
    attempt_.skip_host(now_);
    go_on();
  }
  connect_attempt const& attempt() const { return attempt_; }
  std::chrono::nanoseconds due() const { return attempt_.due() - start; }
  std::string why_not() const { return attempt_.why_not(attempt_.message()); }

 private:
  /// Until a host is connected and says nothing: then the attempt has sent its first message.
  void go_on() {
    while (attempt_.waits() && !attempt_.waits_to_read()) {
      pollfd waiting{.fd = attempt_.socket(), .events = POLLOUT, .revents = 0};
      BOOST_TEST_REQUIRE(::poll(&waiting, 1, time_limit_ms()) == 1);
      attempt_.proceed(now_);
    }
  }

  address where_;
  std::chrono::steady_clock::time_point now_ = start;
  connect_attempt attempt_;
};

std::size_t count(std::string const& text, std::string const& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// Answers when it is allowed to. Shared with the thread that asks it.
struct slow_name_server {
  std::promise<void> allowing;
  std::shared_future<void> const allowed = allowing.get_future();
  std::atomic<int> asked{0};
};

names::source source_of(std::shared_ptr<slow_name_server> server) {
  return [server](std::string const&) -> names::found {
    ++server->asked;
    server->allowed.wait();
    return {{}, {boost::asio::ip::make_address("192.0.2.1")}};
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(host_that_refused_takes_no_share_of_the_next) {
  silent_host const first(refuses);
  silent_host const second(listens);
  silent_host const third(listens);
  trial one(first.text() + "," + second.text());
  BOOST_TEST((one.due() == 6s));
  trial other(first.text() + "," + second.text() + "," + third.text());
  BOOST_TEST((other.due() == 3s));
}

BOOST_AUTO_TEST_CASE(attempt_goes_on_behind_a_silent_host_and_not_at_the_first) {
  silent_host first(refuses);
  silent_host const second(listens);
  silent_host const third(listens);
  trial one(first.text() + "," + second.text() + "," + third.text());
  first.listen();
  one.wait();
  BOOST_TEST((one.due() == 6s));
  one.wait();
  BOOST_TEST(!one.attempt().waits());
}

BOOST_AUTO_TEST_CASE(attempt_that_prefers_a_standby_asks_earlier_hosts_again) {
  silent_host first(refuses);
  silent_host const second(listens);
  trial one(first.text() + "," + second.text(), "&target_session_attrs=prefer-standby");
  BOOST_TEST((one.due() == 3s));
  first.listen();
  one.wait();
  BOOST_TEST(one.attempt().waits());
  BOOST_TEST((one.due() == 6s));
}

BOOST_AUTO_TEST_CASE(failure_says_how_long_each_host_was_waited_for_and_what_others_answered) {
  silent_host const first(refuses);
  silent_host const second(listens);
  silent_host const third(listens);
  trial one(first.text() + "," + second.text() + "," + third.text());
  one.wait();
  one.wait();
  auto const why = one.why_not();
  BOOST_TEST(
      why.ends_with("; no answer from " + second.text() + " within 3000 ms, from " + third.text() + " within 3000 ms"));
  BOOST_TEST(count(why, "refused") == 1u);
  BOOST_TEST(count(why, "failed") == 1u);
}

BOOST_AUTO_TEST_CASE(silent_address_of_a_name_is_named) {
  silent_host const silent(listens);
  address const where("postgres://clerk@db.example/shop");
  auto const port = silent.text().substr(silent.text().find(':') + 1);
  connect_attempt one(where, {{"db.example", "127.0.0.1", port}, {"db.example", "127.0.0.2", port}}, start, start + 6s);
  one.skip_host(start + 6s);
  BOOST_TEST(one.why_not(one.message()) == "no answer from db.example:" + port + " (127.0.0.1) within 6000 ms");
}

BOOST_AUTO_TEST_CASE(attempt_without_time_says_so) {
  address const where("postgres://clerk@127.0.0.1:1/shop");
  connect_attempt const one(where, where.hosts(), start, start);
  BOOST_TEST(!one.waits());
  BOOST_TEST(one.why_not(one.message()) == "no time was left to connect");
}

BOOST_AUTO_TEST_CASE(name_without_an_answer_leaves_time_to_connect) {
  auto const server = std::make_shared<slow_name_server>();
  blocking_resolver names(source_of(server));
  auto const deadline = std::chrono::steady_clock::now() + time_limit / 30;
  auto const found = names.resolve(address("postgres://db.example,192.0.2.2/shop"), deadline);
  BOOST_TEST((std::chrono::steady_clock::now() < deadline));
  BOOST_TEST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found.front().name == "192.0.2.2");
  server->allowing.set_value();
}

BOOST_AUTO_TEST_CASE(late_answer_of_a_name_server_is_there_for_the_next_attempt) {
  auto const server = std::make_shared<slow_name_server>();
  blocking_resolver names(source_of(server));
  address const where("postgres://db.example/shop");
  BOOST_CHECK_THROW(names.resolve(where, std::chrono::steady_clock::now()), std::runtime_error);
  server->allowing.set_value();
  auto const found = names.resolve(where, std::chrono::steady_clock::now() + 2 * time_limit);
  BOOST_TEST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found.front().address == "192.0.2.1");
  BOOST_TEST(server->asked == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
