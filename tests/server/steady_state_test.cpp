// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.

// In the steady state a request asks for no memory: what it needs is kept from the one before. Shown for every usual
// request, through the service alone and through a whole connection.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "petstore/server/listener.hpp"
#include "server/served_shop.hpp"
#include "support/allocation_count.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(steady_state)

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr int requests_before = 20;  ///< until everything that is kept has the size it needs
constexpr int requests_counted = 100;

/// 2026-11-21T12:00:00Z, two hours after boot, and no later.
limits::instant noon() {
  return {limits::boot_time{2h}, limits::wall_time{std::chrono::seconds{1'795'262'400}}};
}

bool skip_uncounted() {
  if (!allocations_are_counted()) BOOST_TEST_MESSAGE("SKIPPED: a sanitizer has its own allocator");
  return !allocations_are_counted();
}

/// What `request` asks for when it is made again and again.
template <class Request>
std::uint64_t count_in_steady_state(Request request) {
  for (int i = 0; i < requests_before; ++i) request();
  auto const before = allocation_count();
  for (int i = 0; i < requests_counted; ++i) request();
  return allocation_count() - before;
}

/// A listener and its client on one thread, so that nothing else runs while allocations are counted.
class lock_step_connection {
 public:
  explicit lock_step_connection(server::http_handler& handler) {
    std::vector<asio::any_io_executor> const executors{context_.get_executor()};
    auto acceptors = server::open_acceptors({asio::ip::address_v4::loopback(), 0}, executors);
    auto const silent = [](server::severity, std::string_view, std::string_view, server::log_origin const&) {};
    listener_.emplace(std::move(acceptors.front()), handler, limits_, budget_, silent, server::access_log_function{});
    listener_->start();
    connect(listener_->local_endpoint().port());
  }
  ~lock_step_connection() {
    ::close(client_);
    bool is_stopped = false;
    listener_->async_stop(0ms, [&](boost::system::error_code, bool) { is_stopped = true; });
    while (!is_stopped) context_.run_one();
  }

  /// Sends a request and takes the whole answer; its status.
  unsigned exchange(std::string_view request, bool has_body) {
    BOOST_REQUIRE(::send(client_, request.data(), request.size(), MSG_NOSIGNAL) == std::ssize(request));
    std::size_t size = 0;
    while (!is_whole({answer_.data(), size}, has_body)) {
      context_.poll();
      pollfd arrived{client_, POLLIN, 0};
      if (::poll(&arrived, 1, 0) == 0) continue;
      auto const n = ::recv(client_, answer_.data() + size, answer_.size() - size, 0);
      BOOST_REQUIRE(n > 0);
      size += static_cast<std::size_t>(n);
    }
    return static_cast<unsigned>(std::atoi(answer_.data() + std::string_view{"HTTP/1.1 "}.size()));
  }

 private:
  void connect(std::uint16_t port) {
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(port);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    BOOST_REQUIRE(::connect(client_, reinterpret_cast<sockaddr const*>(&there), sizeof there) == 0);
  }

  /// Whether an answer has arrived with all the bytes that its Content-Length promises.
  static bool is_whole(std::string_view answer, bool has_body) {
    constexpr std::string_view name = "\r\nContent-Length: ";
    auto const end = answer.find("\r\n\r\n");
    if (end == std::string_view::npos) return false;
    auto const length = answer.find(name);
    if (!has_body || length == std::string_view::npos) return true;
    return answer.size() == end + 4 + static_cast<std::size_t>(std::atol(answer.data() + length + name.size()));
  }

  asio::io_context context_{1};
  server::connection_limits const limits_{};
  server::connection_budget budget_{10};
  std::optional<server::listener> listener_;
  int client_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::array<char, 16 * 1024> answer_;
};

/// Whether a request belongs to the read path or is a refusal. (A body is decoded into memory of its own.)
bool is_promised(usual_request const& r) {
  return r.name != "invalid_body";
}

}  // namespace

BOOST_AUTO_TEST_CASE(allocations_of_every_kind_are_counted) {
  if (skip_uncounted()) return;
  auto const before = allocation_count();
  auto const object = std::make_unique<std::array<char, 100>>();
  std::string const text(100, 'x');
  void* const block = std::malloc(100);
  void* const zeros = std::calloc(10, 10);
  void* const aligned = std::aligned_alloc(64, 128);
  BOOST_TEST(allocation_count() - before == 5u);
  std::free(block);
  std::free(zeros);
  std::free(aligned);
}

BOOST_AUTO_TEST_CASE(the_service_asks_for_no_memory) {
  if (skip_uncounted()) return;
  served_shop shop{noon};
  for (auto const& usual : shop.requests()) {
    if (!is_promised(usual)) continue;
    parsed_request const asked{usual};
    server::response out;
    auto const count = count_in_steady_state([&] {
      out.clear();
      if (shop.service().handle(asked.head.request, out).valid()) BOOST_ERROR("an answer that is waited for");
    });
    BOOST_TEST(out.status == usual.status, usual.name << " was answered " << out.status);
    BOOST_TEST(count == 0u, usual.name << ": " << count << " allocations in " << requests_counted << " requests");
  }
}

BOOST_AUTO_TEST_CASE(a_connection_asks_for_no_memory) {
  if (skip_uncounted()) return;
  served_shop shop{noon};
  lock_step_connection connection{shop.service()};
  for (auto const& usual : shop.requests()) {
    if (!is_promised(usual)) continue;
    unsigned status = 0;
    auto const count = count_in_steady_state([&] { status = connection.exchange(usual.bytes, usual.status != 304); });
    BOOST_TEST(status == usual.status, usual.name << " was answered " << status);
    BOOST_TEST(count == 0u, usual.name << ": " << count << " allocations in " << requests_counted << " requests");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
