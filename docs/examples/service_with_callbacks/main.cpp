// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The whole service in a program without coroutines. It accepts its connections itself, for example to inspect them
// first, or because its socket also serves other protocols; a program without such a reason calls
// `application::listen`. `service_with_coroutines` makes the directory, and a key.
//
// Usage: service_with_callbacks PORT DIRECTORY      PORT 0 takes a free one.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "petstore/quota/local.hpp"
#include "petstore/server/application.hpp"
#include "petstore/storage/lmdb.hpp"

namespace asio = boost::asio;
namespace ports = petstore::ports;
namespace quota = petstore::quota;
namespace server = petstore::server;
namespace storage = petstore::storage;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

/// The host, on one thread.
///
///     [made] --start()--> [serving] --stop()--> [draining] --last answer--> [done]
class host {
 public:
  host(asio::io_context& context, std::uint16_t port, std::shared_ptr<ports::store> store,
       std::shared_ptr<ports::quota_source> quotas)
      : acceptor_{context, {asio::ip::address_v4::loopback(), port}},
        pause_{context},
        signals_{context, SIGTERM, SIGINT},
        app_{{context.get_executor()}, std::move(store), std::move(quotas)} {
    acceptor_.non_blocking(true);
  }

  void start() {
    app_.async_start([this](error_code failed) {
      if (failed) return fail("cannot start", failed);
      std::cout << "listening on " << acceptor_.local_endpoint().port() << std::endl;
      signals_.async_wait([this](error_code, int) { stop(); });
      accept();
    });
  }
  bool is_whole() const { return is_whole_; }

 private:
  void accept() {
    acceptor_.async_wait(tcp::acceptor::wait_read, [this](error_code failed) {
      if (failed || !acceptor_.is_open()) return;
      if (serve_waiting() == asio::error::would_block) return accept();
      // There are too many open files, for example: that passes.
      pause_.expires_after(std::chrono::milliseconds{100});
      pause_.async_wait([this](error_code) {
        if (acceptor_.is_open()) accept();
      });
    });
  }

  /// Serves every connection that waits, and returns why it ends: would_block when none is left.
  error_code serve_waiting() {
    for (;;) {
      error_code failed;
      tcp::socket socket = acceptor_.accept(failed);
      if (failed) return failed;
      app_.serve(std::move(socket));
    }
  }

  void stop() {
    serve_waiting();  // closing the acceptor would reset what waits, and the drain takes nothing that comes after it
    acceptor_.close();
    pause_.cancel();
    app_.async_drain({}, [this](error_code failed, bool is_whole) {
      if (failed) return fail("cannot drain", failed);
      is_whole_ = is_whole;  // every request that arrived was answered
    });
  }

  void fail(char const* what, error_code why) { std::cerr << what << ": " << why.message() << '\n'; }

  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  asio::signal_set signals_;
  server::application app_;
  bool is_whole_ = false;
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
  if (argc != 3) throw std::invalid_argument{"usage: service_with_callbacks PORT DIRECTORY"};
  std::filesystem::path const directory = argv[2];
  asio::io_context context{1};  // outlives the store, which answers writes on it
  storage::lmdb_options data;
  data.directory = directory;
  data.environment = petstore::environment::production;
  quota::local_options counts;
  counts.directory = directory / "quota";
  std::shared_ptr<ports::store> const store = storage::open_lmdb_store(data);
  std::shared_ptr<quota::local_quota> const quotas = quota::open_local_quota(counts);

  host own{context, port_of(argv[1]), store, quotas};
  own.start();
  context.run();  // until the application is drained and has no more work
  if (!quotas->close()) throw std::runtime_error{"the last used tokens are not on disk"};
  return own.is_whole() ? 0 : 1;
} catch (std::exception const& failed) {
  std::cerr << failed.what() << '\n';
  return 1;
}
