// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/limits/address.hpp"
#include "petstore/limits/keyed_hash.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/ports/async_quota.hpp"
#include "petstore/server/application.hpp"
#include "petstore/server/key_check.hpp"

/// The functions of the examples in this directory, which tests call. Whole programs are in docs/examples.
namespace examples {

namespace asio = boost::asio;

// udp_echo.cpp
using address_limiter = petstore::limits::limiter<petstore::limits::address, petstore::limits::keyed_hash>;
asio::awaitable<void> serve_echo(asio::ip::udp::socket&, address_limiter&);

// cancelled_host.cpp
using opened_function = std::function<void(asio::ip::tcp::endpoint)>;
asio::awaitable<bool> serve_until_cancelled(asio::ip::tcp::endpoint, opened_function);

// beside_own_pages.cpp
petstore::server::application_options beside_own_pages(petstore::server::key_check&,
                                                       std::function<void(std::string)> log);
std::string metrics_page(petstore::server::application const&);
class member_cards final : public petstore::server::key_check {
 public:
  petstore::ports::eventual<std::optional<petstore::server::principal>> check(std::string_view token,
                                                                              petstore::limits::instant) override;
};

// sessions.cpp
class session_check final : public petstore::server::key_check {
 public:
  std::atomic<int> asked{0};
  petstore::ports::eventual<std::optional<petstore::server::principal>> check(std::string_view token,
                                                                              petstore::limits::instant) override;

 private:
  asio::awaitable<std::optional<petstore::server::principal>> look_up(std::string token);
};

// charged_page.cpp
asio::awaitable<void> charged_page(petstore::server::application const&, petstore::ports::async_quota&,
                                   petstore::server::request const&, petstore::server::response&);

}  // namespace examples
