// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A server of Boost.Beast with quotas. Customers show a key, and have the plan that a file names for it. Everybody else
// is charged by address.
//
// Usage: limiter_in_beast PORT CUSTOMERS      PORT 0 takes a free one. A line of CUSTOMERS: KEY NAME PER_MINUTE PER_DAY
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "petstore/limits/address.hpp"
#include "petstore/limits/keyed_hash.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/server/beast.hpp"

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace limits = petstore::limits;
using asio::ip::tcp;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds idle_max{30};
constexpr std::uint64_t body_bytes_max = 64 * 1024;

struct customer {
  std::string name;
  limits::plan plan;
};
using customers_by_key = std::map<std::string, customer, std::less<>>;

/// Throws std::runtime_error for a file that cannot be read, and for a line that is wrong.
customers_by_key read_customers(std::string const& file) {
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error{file + " cannot be read"};
  customers_by_key all;
  for (std::string line; std::getline(lines, line);) {
    std::string key, name;
    std::int64_t of_a_minute = 0, of_a_day = 0;
    std::istringstream fields{line};
    bool const is_whole = fields >> key >> name >> of_a_minute >> of_a_day && (fields >> std::ws).eof();
    auto const plan = limits::plan::of(limits::per_minute(of_a_minute), limits::per_day(of_a_day));
    if (!is_whole || !plan) throw std::runtime_error{file + " has a line that is wrong: " + line};
    all.emplace(key, customer{name, *plan});
  }
  return all;
}

/// The quotas of all callers. Any thread.
class quotas {
 public:
  explicit quotas(customers_by_key customers) : customers_{std::move(customers)} {}

  customer const* find(std::string_view key) const {
    auto const found = customers_.find(key);
    return found == customers_.end() ? nullptr : &found->second;
  }
  limits::verdict charge(customer const& caller) { return by_name_.charge(caller.name, caller.plan, 1, limits::now()); }
  /// An IPv6 caller has a whole /64. If addresses were charged, each of its 2^64 addresses would be a new caller.
  limits::verdict charge(asio::ip::address const& caller) {
    auto const v6 = caller.is_v4() ? asio::ip::make_address_v6(asio::ip::v4_mapped, caller.to_v4()) : caller.to_v6();
    return by_address_.charge(limits::charging_unit(v6.to_bytes()), limits::now());
  }

 private:
  customers_by_key const customers_;
  limits::limiter<std::string> by_name_{{.plan = {limits::per_minute(60)}}};
  // Callers choose their addresses, so the hash has a secret.
  limits::limiter<limits::address, limits::keyed_hash> by_address_{{.plan = {limits::per_minute(60)}},
                                                                   limits::keyed_hash{limits::random_seed()}};
};

/// The server, on one thread.
///
///     [made] --serve()--> [serving] --drain()--> [draining] --last answer--> [done]
class http_server {
 public:
  http_server(asio::io_context& context, std::uint16_t port, quotas& all)
      : quotas_{all}, acceptor_{context, {asio::ip::address_v4::loopback(), port}} {}

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
    boost::system::error_code failed_address;
    auto const from = stream.socket().remote_endpoint(failed_address).address();
    if (failed_address) co_return;  // the client has left already
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

      auto answer = answer_to(parser.get(), from);
      answer.version(parser.get().version());
      answer.keep_alive(parser.get().keep_alive() && !is_draining_);
      answer.prepare_payload();
      auto const [failed_write, sent] = co_await http::async_write(stream, answer, as_result);
      if (failed_write || !answer.keep_alive()) break;
    }
    boost::system::error_code ignored;
    stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  http::response<http::string_body> answer_to(http::request<http::string_body> const& asked,
                                              asio::ip::address const& from) {
    std::string_view const key{asked["X-Api-Key"].data(), asked["X-Api-Key"].size()};
    customer const* const caller = quotas_.find(key);
    limits::verdict const verdict = caller ? quotas_.charge(*caller) : quotas_.charge(from);

    http::response<http::string_body> answer;
    answer.set(http::field::content_type, "text/plain");
    petstore::server::set_rate_limit(answer, verdict);  // X-RateLimit-*, RateLimit; for a refusal Retry-After
    if (verdict.refused()) {
      answer.result(http::status::too_many_requests);
      answer.body() = "Too many requests.\n";
    } else if (!key.empty() && !caller) {
      answer.result(http::status::unauthorized);  // charged to the address, so guessing keys is not free
      answer.set(http::field::www_authenticate, "X-Api-Key");
      answer.body() = "This key is unknown.\n";
    } else {
      answer.body() = "Hello, " + (caller ? caller->name : from.to_string()) + ".\n";
    }
    return answer;
  }

  quotas& quotas_;
  tcp::acceptor acceptor_;
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
  if (argc != 3) throw std::invalid_argument{"usage: limiter_in_beast PORT CUSTOMERS"};
  quotas all{read_customers(argv[2])};
  asio::io_context context{1};
  http_server server{context, port_of(argv[1]), all};
  auto serving = server.serve();
  asio::co_spawn(context, std::move(serving), asio::detached);

  asio::signal_set signals{context, SIGTERM, SIGINT};
  signals.async_wait([&](boost::system::error_code, int) { server.drain(); });
  std::cout << "listening on " << server.port() << std::endl;
  context.run();  // until the last connection has ended
  return 0;
} catch (std::exception const& failed) {
  std::cerr << failed.what() << '\n';
  return 1;
}
