// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "petstore/redis/subscriber.hpp"
#include "server/redis/live_client.hpp"
#include "support/free_port.hpp"

/// A peer that does what no Redis would.
namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(redis_scripted_peer)

namespace {

using asio::ip::tcp;
using redis::errc;
using kind = redis::state_change::kind;

constexpr std::string_view greeting =
    "*6\r\n$7\r\nversion\r\n$5\r\n7.0.0\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n";

/// One connection after the other is given to the script, on a thread of its own.
class scripted_peer {
 public:
  using script = std::function<void(tcp::socket&)>;

  explicit scripted_peer(script play)
      : acceptor_{io_, {asio::ip::address_v4::loopback(), 0}}, thread_{[this, play] { serve(play); }} {}
  ~scripted_peer() {
    over_ = true;
    // Wakes the accept.
    boost::system::error_code ignored;
    tcp::socket{io_}.connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
  }
  std::string place() const { return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()); }
  redis::client_options options() const { return live_client::options_for("redis://" + place()); }

  static void greet(tcp::socket& socket) {
    read_some(socket);
    write(socket, greeting);
  }
  static std::string read_some(tcp::socket& socket) {
    std::array<char, 256 * 1024> buffer;
    auto const size = socket.read_some(asio::buffer(buffer));
    return {buffer.data(), size};
  }
  static void write(tcp::socket& socket, std::string_view bytes) { asio::write(socket, asio::buffer(bytes)); }
  /// Until the client ends it.
  static void wait_for_end(tcp::socket& socket) {
    for (;;) read_some(socket);
  }

 private:
  void serve(script const& play) {
    for (;;) {
      auto socket = acceptor_.accept();
      if (over_) return;
      socket.set_option(tcp::no_delay{true});
      try {
        play(socket);
      } catch (boost::system::system_error const& ended) {  // by the client
      }
    }
  }

  asio::io_context io_;
  tcp::acceptor acceptor_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

bool fails_with(live_client& client, kind what, std::string_view word) {
  return client.changes().wait_for([&](redis::state_change const& change) {
    return change.what == what && change.reason.find(word) != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(replies_that_come_a_byte_at_a_time_are_whole) {
  scripted_peer const peer{[](tcp::socket& socket) {
    scripted_peer::read_some(socket);
    for (char const c : greeting) scripted_peer::write(socket, {&c, 1});
    for (;;) {
      scripted_peer::read_some(socket);
      for (char const c : std::string_view{"*2\r\n:7\r\n$5\r\na\r\nb\n\r\n"}) scripted_peer::write(socket, {&c, 1});
    }
  }};
  live_client client{peer.options()};
  BOOST_REQUIRE(client.connect());
  for (int i = 0; i < 5; ++i) {
    auto const answer = client.command({"X"}).value();
    BOOST_TEST(answer.elements.at(0).integer == 7);
    BOOST_TEST(answer.elements.at(1).text == "a\r\nb\n");
  }
}

BOOST_AUTO_TEST_CASE(a_connection_cut_at_any_byte_of_a_reply_leaves_the_outcome_unknown) {
  constexpr std::string_view answer = "*2\r\n:7\r\n$1\r\na\r\n";
  std::atomic<std::size_t> bytes{0};
  scripted_peer const peer{[&](tcp::socket& socket) {
    scripted_peer::greet(socket);
    scripted_peer::read_some(socket);
    scripted_peer::write(socket, answer.substr(0, bytes));
  }};
  auto options = peer.options();
  options.limits.first_wait = options.limits.longest_wait = std::chrono::milliseconds{1};
  live_client client{options};
  for (; bytes < answer.size(); ++bytes) {
    BOOST_REQUIRE(client.connect());
    BOOST_TEST((client.command({"X"}).error().code == errc::connection_lost));
    BOOST_REQUIRE(client.changes().wait_for([](auto const& change) { return change.what == kind::lost; }));
    client.changes().clear();
  }
}

BOOST_AUTO_TEST_CASE(garbage_and_what_is_too_large_end_the_connection_and_are_told) {
  for (std::string const& answer :
       {std::string{"HTTP/1.1 400 Bad Request\r\n\r\n"}, std::string(64, '\0'), std::string{"$4\r\nabcdefgh"},
        "$100001\r\n" + std::string(100'001, 'x') + "\r\n", "+" + std::string(200'000, 'x'),
        std::string{"*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n"}}) {
    scripted_peer const peer{[answer](tcp::socket& socket) {
      scripted_peer::greet(socket);
      scripted_peer::read_some(socket);
      scripted_peer::write(socket, answer);
      scripted_peer::wait_for_end(socket);
    }};
    auto options = peer.options();
    options.limits.replies.bytes_max = 100'000;
    live_client client{options};
    BOOST_REQUIRE(client.connect());
    BOOST_TEST_CONTEXT(answer.substr(0, 20)) {
      auto const failed = client.command({"X"});
      BOOST_REQUIRE(failed.has_error());
      BOOST_TEST((failed.error().code == errc::bad_reply));
      BOOST_TEST(!is_surely_not_executed(failed.error().code));
      BOOST_TEST(client.changes().wait_for([](auto const& change) { return change.what == kind::lost; }));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_reply_that_nobody_asked_for_ends_the_connection) {
  scripted_peer const peer{[](tcp::socket& socket) {
    scripted_peer::greet(socket);
    scripted_peer::write(socket, "+SURPRISE\r\n");
    scripted_peer::wait_for_end(socket);
  }};
  live_client client{peer.options()};
  BOOST_TEST(fails_with(client, kind::lost, "a reply to nothing"));
}

BOOST_AUTO_TEST_CASE(a_peer_that_never_greets_is_left) {
  scripted_peer const peer{[](tcp::socket& socket) { scripted_peer::wait_for_end(socket); }};
  auto options = peer.options();
  options.limits.connect_max = std::chrono::milliseconds{50};
  live_client client{options};
  BOOST_TEST(fails_with(client, kind::failed, "It took too long"));
  BOOST_TEST((client.command({"X"}).error().code == errc::not_connected));
}

BOOST_AUTO_TEST_CASE(a_connection_that_is_left_waits_only_a_moment_for_answers) {
  scripted_peer const peer{[](tcp::socket& socket) {
    scripted_peer::greet(socket);
    scripted_peer::read_some(socket);
    scripted_peer::write(socket, "-READONLY You can't write against a read only replica.\r\n");
    scripted_peer::wait_for_end(socket);
  }};
  live_client client{peer.options()};
  BOOST_REQUIRE(client.connect());
  auto first = client->command({"X"}, "", within(std::chrono::hours{1}));
  auto second = client->command({"Y"}, "", within(std::chrono::hours{1}));
  auto refused = asio::co_spawn(client.caller().executor(), std::move(first), asio::use_future);
  auto unanswered = asio::co_spawn(client.caller().executor(), std::move(second), asio::use_future);
  BOOST_TEST((refused.get().error().code == errc::refused));
  // When it came after the answer to the first, it was not sent at all.
  auto const ended = unanswered.get().error().code;
  BOOST_TEST((ended == errc::connection_lost || ended == errc::not_connected));
}

/// What a sentinel says to a client: who the master is, and later on the channel of switches whatever the test wants.
class scripted_sentinel {
 public:
  explicit scripted_sentinel(std::string master_port) : port_{std::move(master_port)} {}

  std::string place() const { return peer_.place(); }
  /// Waits until the client listens.
  void announce(std::string const& message) {
    listener_.emplace(next_listener());
    scripted_peer::write(*listener_,
                         "*4\r\n" + bulk("pmessage") + bulk("+switch-master") + bulk("+switch-master") + bulk(message));
  }
  /// Names another master from now on, and announces nothing: it ends the connection of the client that listens.
  void change_silently(std::string master_port) {
    auto const listener = next_listener();
    std::lock_guard const lock{mutex_};
    port_ = std::move(master_port);
  }

 private:
  static std::string bulk(std::string const& text) {
    return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
  }
  void answer(tcp::socket& socket) {
    for (;;) {
      auto const asked = scripted_peer::read_some(socket);
      if (asked.find("PING") != std::string::npos) {
        scripted_peer::write(socket, "+PONG\r\n");
      } else if (asked.find("GET-MASTER-ADDR") != std::string::npos) {
        std::lock_guard const lock{mutex_};
        scripted_peer::write(socket, "*2\r\n" + bulk("127.0.0.1") + bulk(port_));
      } else {
        scripted_peer::write(socket, "*3\r\n" + bulk("psubscribe") + bulk("+switch-master") + ":1\r\n");
        std::lock_guard const lock{mutex_};
        waiting_.emplace(io_, tcp::v4(), socket.release());
        return changed_.notify_all();
      }
    }
  }
  tcp::socket next_listener() {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, time_limit, [&] { return waiting_.has_value(); }))
      throw std::runtime_error{"The client does not listen."};
    return *std::exchange(waiting_, std::nullopt);
  }

  asio::io_context io_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string port_;
  std::optional<tcp::socket> waiting_;  ///< the connection of a client that listens
  std::optional<tcp::socket> listener_;
  scripted_peer peer_{[this](tcp::socket& socket) { answer(socket); }};
};

/// Obeys every command.
void obey(tcp::socket& socket) {
  for (;;) {
    scripted_peer::read_some(socket);
    scripted_peer::write(socket, "+OK\r\n");
  }
}
void serve(tcp::socket& socket) {
  scripted_peer::greet(socket);
  obey(socket);
}

std::string port_of(scripted_peer const& peer) {
  return peer.place().substr(peer.place().find(':') + 1);
}

bool becomes_connected(live_client& client, scripted_peer const& master) {
  return client.changes().wait_for([place = master.place()](redis::state_change const& change) {
    return change.what == kind::connected && change.where == place;
  });
}

BOOST_AUTO_TEST_CASE(a_master_that_is_announced_while_the_old_one_greets_is_followed) {
  std::promise<void> begun, over;
  auto const announced = over.get_future().share();
  scripted_peer const before{[&, is_first = true](tcp::socket& socket) mutable {
    scripted_peer::read_some(socket);
    if (std::exchange(is_first, false)) begun.set_value();
    announced.wait();
    scripted_peer::write(socket, greeting);
    obey(socket);
  }};
  scripted_peer const after{serve};
  scripted_sentinel sentinel{port_of(before)};
  auto options = live_client::options_for("redis+sentinel://" + sentinel.place() + "/shop");
  options.limits.connect_max = time_limit;
  live_client client{options};
  begun.get_future().wait();
  sentinel.announce("shop 127.0.0.1 " + port_of(before) + " 127.0.0.1 " + port_of(after));
  BOOST_TEST(client.changes().wait_for([](auto const& change) { return change.what == kind::master_changed; }));
  over.set_value();
  BOOST_TEST(becomes_connected(client, after));
  BOOST_TEST(client.command({"X"}).has_value());
}

BOOST_AUTO_TEST_CASE(a_master_whose_announcement_was_missed_is_asked_for) {
  scripted_peer const before{serve};
  scripted_peer const after{serve};
  scripted_sentinel sentinel{port_of(before)};
  live_client client{"redis+sentinel://" + sentinel.place() + "/shop"};
  BOOST_REQUIRE(becomes_connected(client, before));
  sentinel.change_silently(port_of(after));
  BOOST_TEST(becomes_connected(client, after));
  BOOST_TEST(client.connect());
  BOOST_TEST(client.command({"X"}).has_value());
}

/// The first sentinel is cut off from the others, and so knows only the master that is dead.
BOOST_AUTO_TEST_CASE(a_sentinel_that_names_a_dead_master_is_not_the_only_one_asked) {
  scripted_peer const master{[](tcp::socket& socket) {
    scripted_peer::greet(socket);
    scripted_peer::read_some(socket);
    scripted_peer::write(socket, "*3\r\n$10\r\npsubscribe\r\n$4\r\nnews\r\n:1\r\n");
    scripted_peer::wait_for_end(socket);
  }};
  scripted_sentinel const cut_off{std::to_string(free_port())}, other{port_of(master)};
  std::string const address = "redis+sentinel://" + cut_off.place() + "," + other.place() + "/shop";
  {
    live_client client{address};
    BOOST_TEST(client.connect());
  }
  journal<redis::subscription_event> heard;
  running_context ears;
  redis::subscriber const subscriber{ears.executor(), live_client::options_for(address), "news",
                                     [&](auto const& event) { heard.add(event); }};
  using event_kind = redis::subscription_event::kind;
  BOOST_TEST(heard.wait_for([](auto const& event) { return event.what == event_kind::listening; }));
}

BOOST_AUTO_TEST_CASE(an_announcement_of_the_master_in_use_ends_no_connection) {
  scripted_peer const master{serve};
  std::string const port = port_of(master);
  scripted_sentinel sentinel{port};
  live_client client{"redis+sentinel://" + sentinel.place() + "/shop"};
  BOOST_REQUIRE(client.connect());

  sentinel.announce("shop 127.0.0.1 1 127.0.0.1 " + port);
  BOOST_REQUIRE(client.changes().wait_for([](auto const& change) { return change.what == kind::master_changed; }));
  BOOST_TEST(client.command({"X"}).has_value());
  BOOST_TEST(std::ranges::none_of(client.changes().all(), [](auto const& c) { return c.what == kind::lost; }));
}

/// A node of a cluster whose only master is at that port.
void greet_in_cluster(tcp::socket& socket, std::string const& master_port) {
  scripted_peer::read_some(socket);
  scripted_peer::write(socket, "*2\r\n$4\r\nmode\r\n$7\r\ncluster\r\n");
  scripted_peer::read_some(socket);
  scripted_peer::write(socket, "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + master_port + "\r\n");
}

BOOST_AUTO_TEST_CASE(a_subscriber_finds_a_cluster_when_the_nodes_of_its_address_are_gone) {
  scripted_peer const remaining{[](tcp::socket& socket) {
    greet_in_cluster(socket, std::to_string(socket.local_endpoint().port()));
    scripted_peer::read_some(socket);
    scripted_peer::write(socket, "*3\r\n$10\r\npsubscribe\r\n$4\r\nnews\r\n:1\r\n");
    scripted_peer::wait_for_end(socket);
  }};
  scripted_peer const gone{[port = port_of(remaining), is_first = true](tcp::socket& socket) mutable {
    if (std::exchange(is_first, false)) greet_in_cluster(socket, port);
  }};
  journal<redis::subscription_event> heard;
  running_context ears;
  redis::subscriber const subscriber{ears.executor(), gone.options(), "news",
                                     [&](auto const& event) { heard.add(event); }};
  using event_kind = redis::subscription_event::kind;
  BOOST_TEST(heard.wait_for([](auto const& event) { return event.what == event_kind::listening; }));
}

BOOST_AUTO_TEST_CASE(nodes_that_send_a_call_in_circles_are_not_followed_for_ever) {
  std::atomic<int> sent{0};
  scripted_peer const peer{[&](tcp::socket& socket) {
    auto const port = std::to_string(socket.local_endpoint().port());
    for (;;) {
      auto const command = scripted_peer::read_some(socket);
      if (command.find("HELLO") != std::string::npos) {
        scripted_peer::write(socket, "*2\r\n$4\r\nmode\r\n$7\r\ncluster\r\n");
      } else if (command.find("SLOTS") != std::string::npos) {
        scripted_peer::write(socket, "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + port + "\r\n");
      } else {
        ++sent;
        scripted_peer::write(socket, "-MOVED 0 127.0.0.1:" + port + "\r\n");
      }
    }
  }};
  live_client client{peer.options()};
  BOOST_REQUIRE(client.connect());
  BOOST_TEST((client.command({"X"}, "key").error().code == errc::refused));
  BOOST_TEST(sent == 4);
}

BOOST_AUTO_TEST_CASE(closing_ends_an_attempt_to_connect) {
  std::promise<void> accepted;
  std::promise<void> left;
  scripted_peer const peer{[&](tcp::socket& socket) {
    scripted_peer::read_some(socket);
    accepted.set_value();
    boost::system::error_code ended;
    std::array<char, 1> byte;
    socket.read_some(asio::buffer(byte), ended);
    left.set_value();
  }};
  auto options = peer.options();
  options.limits.connect_max = std::chrono::hours{1};
  running_context home;  // it ends only once it has no work any more
  {
    redis::client const client{home.executor(), options};
    accepted.get_future().get();
  }
  BOOST_TEST((left.get_future().wait_for(time_limit) == std::future_status::ready));
}

BOOST_AUTO_TEST_CASE(a_server_too_old_to_be_greeted_is_told_the_password_all_the_same) {
  std::atomic<bool> was_told{false};
  scripted_peer const peer{[&](tcp::socket& socket) {
    scripted_peer::read_some(socket);
    scripted_peer::write(socket, "-ERR unknown command `HELLO`, with args beginning with: `2`\r\n");
    was_told = scripted_peer::read_some(socket) == "*2\r\n$4\r\nAUTH\r\n$3\r\npet\r\n";
    scripted_peer::write(socket, "+OK\r\n");
    scripted_peer::wait_for_end(socket);
  }};
  auto options = peer.options();
  options.address.password = "pet";
  live_client client{options};
  BOOST_TEST(client.connect());
  BOOST_TEST(was_told.load());
}

BOOST_AUTO_TEST_CASE(calls_of_one_turn_are_sent_as_one_piece) {
  journal<std::string> received;
  scripted_peer const peer{[&](tcp::socket& socket) {
    scripted_peer::greet(socket);
    received.add(scripted_peer::read_some(socket));
    scripted_peer::write(socket, "+1\r\n+2\r\n+3\r\n+4\r\n");
    scripted_peer::wait_for_end(socket);
  }};
  running_context home;
  redis::client client{home.executor(), peer.options()};
  std::vector<std::future<redis::result<redis::reply>>> answers;
  std::promise<void> begun;
  auto connected = client.wait_until_connected(within(time_limit));
  BOOST_REQUIRE(asio::co_spawn(home.executor(), std::move(connected), asio::use_future).get());
  asio::post(home.executor(), [&] {
    for (int i = 0; i < 4; ++i) {
      auto calling = client.command({"X"}, "", within(time_limit));
      answers.push_back(asio::co_spawn(home.executor(), std::move(calling), asio::use_future));
    }
    begun.set_value();
  });
  begun.get_future().get();
  for (int i = 0; i < 4; ++i)
    BOOST_TEST(answers[static_cast<std::size_t>(i)].get().value().text == std::to_string(i + 1));
  std::string const one = "*1\r\n$1\r\nX\r\n";
  BOOST_TEST(received.all().at(0) == one + one + one + one);
}

BOOST_AUTO_TEST_CASE(a_peer_that_reads_nothing_bounds_what_waits_and_deadlines_hold) {
  std::promise<void> over;
  auto ended = over.get_future().share();
  scripted_peer const peer{[&](tcp::socket& socket) {
    scripted_peer::greet(socket);
    ended.wait();
  }};
  auto options = peer.options();
  options.limits.bytes_max = 1 << 20;
  live_client client{options};
  BOOST_REQUIRE(client.connect());
  std::string const large(500'000, 'x');
  // The first calls fill what the kernel keeps: they are sent, and not answered. Then two wait and a third has no room.
  std::vector<errc> outcomes;
  bool was_one_sent = false;
  std::vector const stuck{errc::not_sent, errc::not_sent, errc::queue_full};
  auto const give_up = within(time_limit);
  while (outcomes != stuck && std::chrono::steady_clock::now() < give_up) {
    std::vector<std::future<redis::result<redis::reply>>> all;
    for (std::size_t i = 0; i < stuck.size(); ++i) {
      auto calling = client->command({"SET", "k", large}, "", within(std::chrono::milliseconds{300}));
      all.push_back(asio::co_spawn(client.caller().executor(), std::move(calling), asio::use_future));
    }
    outcomes.clear();
    for (auto& one : all) {
      outcomes.push_back(one.get().error().code);
      was_one_sent |= outcomes.back() == errc::timed_out;
    }
  }
  BOOST_TEST((outcomes == stuck));
  BOOST_TEST(was_one_sent);
  over.set_value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
