// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// One of several nodes of an HTTP server that share the quotas of their customers through Redis.
//
// Usage: shared_quotas PORT REDIS DEADLINE      PORT 0 takes a free one. REDIS is an address such as
// redis://127.0.0.1:6379. A request waits DEADLINE milliseconds for it at most.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "petstore/ports/async_quota.hpp"
#include "petstore/quota/redis.hpp"
#include "petstore/server/beast.hpp"

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace limits = petstore::limits;
namespace ports = petstore::ports;
namespace quota = petstore::quota;
using asio::ip::tcp;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds idle_max{30};
constexpr std::uint64_t body_bytes_max = 64 * 1024;
constexpr std::uint64_t customers_max = 10'000;
constexpr limits::plan plan_of_a_customer{limits::per_minute(60), limits::per_day(10'000)};

/// The number of the customer, from 1; 0 if there is none. A proxy in front has checked who it is.
std::uint64_t customer_of(http::request<http::string_body> const& asked) {
  std::string_view const text{asked["X-Customer"].data(), asked["X-Customer"].size()};
  std::uint64_t number = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool const is_number = failed == std::errc{} && end == text.data() + text.size();
  return is_number && number <= customers_max ? number : 0;
}

/// The server, on one thread.
///
///     [made] --serve()--> [serving] --drain()--> [draining] --last answer--> [done]
class http_server {
 public:
  http_server(asio::io_context& context, std::uint16_t port, std::shared_ptr<ports::quota_source> source)
      : acceptor_{context, {asio::ip::address_v4::loopback(), port}},
        quota_{context.get_executor(), std::move(source), plan_of_a_customer} {}

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  asio::awaitable<void> serve() {
    asio::steady_timer pause{acceptor_.get_executor()};
    for (;;) {
      auto [failed, socket] = co_await acceptor_.async_accept(as_result);
      if (failed) {
        if (!acceptor_.is_open()) co_return;
        // There are too many open files, for example: that passes.
        pause.expires_after(std::chrono::milliseconds{100});
        co_await pause.async_wait(as_result);
        continue;
      }
      auto connection = serve(beast::tcp_stream{std::move(socket)});
      asio::co_spawn(acceptor_.get_executor(), std::move(connection), asio::detached);
    }
  }

  /// A request whose head has arrived gets its answer. Other connections are closed.
  void drain() {
    is_draining_ = true;
    acceptor_.close();
    for (auto* waiting : idle_) waiting->cancel();
  }

 private:
  asio::awaitable<void> serve(beast::tcp_stream stream) {
    beast::flat_buffer input;
    while (!is_draining_) {
      http::request_parser<http::string_body> parser;
      parser.body_limit(body_bytes_max);
      stream.expires_after(idle_max);
      idle_.insert(&stream);
      auto const [failed_head, head_size] = co_await http::async_read_header(stream, input, parser, as_result);
      idle_.erase(&stream);
      if (failed_head) break;
      auto const [failed_body, body_size] = co_await http::async_read(stream, input, parser, as_result);
      if (failed_body) break;

      auto const& asked = parser.get();
      auto answering = answer_to(asked);
      auto answer = co_await std::move(answering);
      answer.version(asked.version());
      answer.keep_alive(asked.keep_alive() && !is_draining_);
      answer.prepare_payload();
      auto const [failed_write, sent] = co_await http::async_write(stream, answer, as_result);
      if (failed_write || !answer.keep_alive()) break;
    }
    boost::system::error_code ignored;
    stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  asio::awaitable<http::response<http::string_body>> answer_to(http::request<http::string_body> const& asked) {
    http::response<http::string_body> answer;
    answer.set(http::field::content_type, "text/plain");
    std::uint64_t const customer = customer_of(asked);
    if (customer == 0) {
      answer.result(http::status::unauthorized);
      answer.set(http::field::www_authenticate, "X-Customer");
      co_return answer;
    }

    // Decided here, in nanoseconds, as long as this node holds tokens of that customer; else Redis is asked.
    auto const [failed, verdict] = co_await quota_.async_charge(customer, 1, as_result);
    if (failed) {  // Redis does not answer, and redis_options::on_failure says `closed`
      answer.result(http::status::service_unavailable);
      answer.set(http::field::retry_after, "1");
      co_return answer;
    }
    petstore::server::set_rate_limit(answer, verdict);
    if (verdict.refused()) answer.result(http::status::too_many_requests);
    answer.body() = verdict.refused() ? "Too many requests.\n" : "Hello.\n";
    co_return answer;
  }

  tcp::acceptor acceptor_;
  ports::async_quota quota_;
  std::set<beast::tcp_stream*> idle_;  ///< the connections that wait for a request
  bool is_draining_ = false;
};

/// Throws std::invalid_argument for anything but a number from 0 to 65535.
std::uint16_t port_of(std::string_view text) {
  std::uint16_t port = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failed != std::errc{} || end != text.data() + text.size()) throw std::invalid_argument{"PORT is from 0 to 65535"};
  return port;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw std::invalid_argument{"usage: shared_quotas PORT REDIS DEADLINE"};
  asio::thread_pool asking_redis{1};  // of its own, because a server may be busy for longer than a call's deadline
  quota::redis_options shared;
  shared.address = argv[2];
  shared.environment = "example";  // part of the name of every key in Redis
  shared.executor = asio::make_strand(asking_redis);
  shared.deadline = std::chrono::milliseconds{std::stoul(argv[3])};  // then `on_failure` decides
  shared.on_failure = quota::failure_policy::closed;
  shared.report = [](std::string_view event, std::string_view detail) { std::clog << event << ' ' << detail << '\n'; };
  std::shared_ptr<quota::redis_quota> const quotas = quota::open_redis_quota(shared);

  asio::io_context context{1};
  http_server server{context, port_of(argv[1]), quotas};
  auto serving = server.serve();
  asio::co_spawn(context, std::move(serving), asio::detached);
  asio::signal_set signals{context, SIGTERM, SIGINT};
  signals.async_wait([&](boost::system::error_code, int) { server.drain(); });
  std::cout << "listening on " << server.port() << std::endl;
  context.run();    // until the last connection has ended
  quotas->close();  // gives unused tokens back: the pool's thread does that while this one waits
  asking_redis.stop();
  asking_redis.join();
  return 0;
} catch (std::exception const& failed) {
  std::cerr << failed.what() << '\n';
  return 1;
}
