// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A chat over WebSocket with limits. The upgrade takes a token, and so does each message. A client without tokens gets
// a 429 with all fields instead of the upgrade, and "wait" instead of the message. A message that reaches nobody is
// free.
//
// Usage: websocket_chat PORT      PORT 0 takes a free one. A proxy in front has checked the user and set X-User.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <deque>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "petstore/limits/limiter.hpp"
#include "petstore/limits/notice.hpp"
#include "petstore/server/beast.hpp"

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace limits = petstore::limits;
namespace websocket = beast::websocket;
using asio::ip::tcp;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t message_bytes_max = 1'000;
constexpr std::size_t unsent_max = 100;
constexpr std::chrono::seconds upgrade_max{10};

/// The connection of one user. Shared by its two coroutines, which read and write, and by the room.
class member : public std::enable_shared_from_this<member> {
 public:
  explicit member(beast::tcp_stream stream) : chat{std::move(stream)} {}

  websocket::stream<beast::tcp_stream> chat;

  /// False if the member reads too slowly: then it loses the message, and the room does not wait for it.
  bool tell(std::string text) {
    if (unsent_.size() >= unsent_max || is_leaving_) return false;
    unsent_.push_back(std::move(text));
    start_writing();
    return true;
  }
  void leave() {
    is_leaving_ = true;
    start_writing();
  }

 private:
  void start_writing() {
    if (std::exchange(is_writing_, true)) return;
    auto writing = write(shared_from_this());
    asio::co_spawn(chat.get_executor(), std::move(writing), asio::detached);
  }

  static asio::awaitable<void> write(std::shared_ptr<member> self) {
    while (!self->unsent_.empty()) {
      auto const [failed, sent] = co_await self->chat.async_write(asio::buffer(self->unsent_.front()), as_result);
      if (failed) co_return;  // the reading coroutine notices, too
      self->unsent_.pop_front();
    }
    self->is_writing_ = false;
    if (self->is_leaving_) co_await self->chat.async_close(websocket::close_code::going_away, as_result);
  }

  std::deque<std::string> unsent_;
  bool is_writing_ = false;
  bool is_leaving_ = false;
};

/// The room, on one thread.
class room {
 public:
  room(asio::io_context& context, std::uint16_t port) : acceptor_{context, {asio::ip::address_v4::loopback(), port}} {}

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

  /// Members get what was said, and are told that the room closes.
  void drain() {
    acceptor_.close();
    for (auto const& one : members_) one->leave();
  }

 private:
  asio::awaitable<void> serve(beast::tcp_stream stream) {
    beast::flat_buffer input;
    http::request<http::empty_body> upgrade;
    stream.expires_after(upgrade_max);
    auto const [failed_read, head_size] = co_await http::async_read(stream, input, upgrade, as_result);
    if (failed_read) co_return;
    std::string const user{upgrade["X-User"]};
    if (auto const refusal = refusal_of(user)) {
      co_await http::async_write(stream, *refusal, as_result);
      co_return;
    }

    stream.expires_never();  // the websocket has time-outs of its own
    auto const self = std::make_shared<member>(std::move(stream));
    self->chat.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
    self->chat.read_message_max(message_bytes_max);
    auto const [failed_accept] = co_await self->chat.async_accept(upgrade, as_result);
    if (failed_accept || !acceptor_.is_open()) co_return;
    members_.insert(self);
    try {
      for (;;) {
        beast::flat_buffer message;
        auto const [failed, size] = co_await self->chat.async_read(message, as_result);
        if (failed) break;
        say(*self, user, beast::buffers_to_string(message.data()));
      }
    } catch (std::exception const& failure) {  // no memory, for example: this member leaves, the room stays open
      std::cerr << failure.what() << '\n';
    }
    members_.erase(self);
  }

  /// Charges the upgrade. nullopt if it may go on.
  std::optional<http::response<http::empty_body>> refusal_of(std::string const& user) {
    http::response<http::empty_body> answer{http::status::unauthorized, 11};
    if (user.empty()) {
      answer.set(http::field::www_authenticate, "X-User");
    } else {
      limits::verdict const verdict = quota_.charge(user, limits::now());
      if (verdict.admitted()) return std::nullopt;
      answer.result(http::status::too_many_requests);
      petstore::server::set_rate_limit(answer, verdict);
    }
    answer.keep_alive(false);
    answer.prepare_payload();
    return answer;
  }

  void say(member& from, std::string const& user, std::string const& text) {
    auto held = quota_.reserve(user, 1);
    if (!held.admitted()) {
      from.tell("wait " + std::to_string(limits::tell(held.verdict()).retry_after_s) + " s");
      return;
    }
    bool is_heard = false;
    for (auto const& one : members_)
      if (one.get() != &from && one->tell(user + ": " + text)) is_heard = true;
    if (is_heard) held.commit();  // else the destructor of `held` gives the token back
    from.tell(is_heard ? "sent" : "nobody hears you");
  }

  tcp::acceptor acceptor_;
  limits::limiter<std::string> quota_{{.plan = {limits::per_minute(5)}}};
  std::set<std::shared_ptr<member>> members_;
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
  if (argc != 2) throw std::invalid_argument{"usage: websocket_chat PORT"};
  asio::io_context context{1};
  room open{context, port_of(argv[1])};
  auto serving = open.serve();
  asio::co_spawn(context, std::move(serving), asio::detached);

  asio::signal_set signals{context, SIGTERM, SIGINT};
  signals.async_wait([&](boost::system::error_code, int) { open.drain(); });
  std::cout << "listening on " << open.port() << std::endl;
  context.run();  // until the last member has left
  return 0;
} catch (std::exception const& failed) {
  std::cerr << failed.what() << '\n';
  return 1;
}
