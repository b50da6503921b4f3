// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "petstore/limits/address.hpp"
#include "petstore/limits/keyed_hash.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/application.hpp"
#include "petstore/server/key_check.hpp"

/// The functions of the examples in this directory, which tests call.
namespace examples {

namespace asio = boost::asio;

// udp_echo.cpp
using address_limiter = petstore::limits::limiter<petstore::limits::address, petstore::limits::keyed_hash>;
asio::awaitable<void> serve_echo(asio::ip::udp::socket&, address_limiter&);

// websocket_chat.cpp
asio::awaitable<void> serve_chat(asio::ip::tcp::socket, petstore::limits::limiter<std::string>&);

// coroutine_host.cpp
using opened_function = std::function<void(asio::ip::tcp::endpoint)>;
asio::awaitable<void> run_application(asio::ip::tcp::endpoint, asio::steady_timer& closing_time, opened_function);

// cancelled_host.cpp
asio::awaitable<bool> serve_until_cancelled(asio::ip::tcp::endpoint, opened_function);

// on_disk.cpp
asio::awaitable<void> keep_open(petstore::server::application&, petstore::ports::store&,
                                std::vector<asio::ip::tcp::acceptor>, asio::steady_timer& closing_time,
                                opened_function);
bool serve_from_disk(std::filesystem::path const& directory, asio::io_context&, asio::steady_timer& closing_time,
                     opened_function);

// callback_host.cpp
class callback_host {
 public:
  callback_host(asio::io_context&, std::shared_ptr<petstore::ports::store>,
                std::shared_ptr<petstore::ports::quota_source>);
  void start();
  void stop(std::function<void(bool)> done);
  asio::ip::tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

 private:
  void accept();

  asio::ip::tcp::acceptor acceptor_;
  petstore::server::application app_;
};

// beside_own_pages.cpp
petstore::server::application_options beside_own_pages(petstore::server::key_check&,
                                                       std::function<void(std::string)> log);
std::string metrics_page(petstore::server::application const&);
class member_cards final : public petstore::server::key_check {
 public:
  std::optional<petstore::server::principal> check(std::string_view token, petstore::limits::instant) override;
};

// issued_key.cpp
asio::awaitable<petstore::result<std::string>> issue_key(petstore::ports::store&, std::string customer);

// own_store.cpp
std::unique_ptr<petstore::ports::store> make_closed_store(std::shared_ptr<petstore::ports::store>,
                                                          std::function<bool()> closed);

}  // namespace examples
