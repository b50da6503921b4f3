// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/system/system_error.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

#include "config/values.hpp"
#include "petstore/ports/open_error.hpp"
#include "petstore/server/listener.hpp"

namespace petstore::program {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

/// The files that are open besides connections: the store, logs, acceptors, event queues, admin connections.
constexpr std::size_t other_files_max = 128;
/// Unless it is configured, it takes this many addresses to use up all connections.
constexpr std::size_t shares_of_connections = 4;

void add_this_machine(std::vector<server::address_range>& exempt) {
  for (auto const* loopback : {"127.0.0.0/8", "::1"}) exempt.push_back(*server::address_range::parse(loopback));
}

}  // namespace

std::vector<std::unique_ptr<asio::io_context>> make_contexts(std::size_t wanted) {
  auto const processors = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  std::vector<std::unique_ptr<asio::io_context>> contexts;
  auto const serving = wanted == 0 ? processors : wanted;
  for (std::size_t i = 0; i < 1 + serving; ++i) {
    contexts.push_back(std::make_unique<asio::io_context>(1));
  }
  return contexts;
}

std::vector<tcp::acceptor> open_port(std::string_view setting, tcp::endpoint const& endpoint, std::optional<int> passed,
                                     loaded_settings const& loaded,
                                     std::vector<asio::any_io_executor> const& executors) {
  try {
    if (passed) return server::adopt_acceptors(*passed, executors);
    return server::open_acceptors(endpoint, executors);
  } catch (boost::system::system_error const& failure) {
    throw_fault(fmt::format("{}: `{}` cannot be listened on: {} (from {})", setting, to_text(endpoint),
                            failure.code().message(), loaded.source_of(setting)),
                ports::may_pass(failure.code()));
  }
}

server::connection_shares choose_shares(settings const& values, std::size_t files_max) {
  std::size_t const most = files_max > other_files_max ? files_max - other_files_max : 1;
  std::size_t const max = std::min(values.connections_max, most);
  auto exempt = values.service.trusted_proxies;
  if (auto const own = values.connections_of_address_max) return {max, *own, std::move(exempt)};
  add_this_machine(exempt);
  return {max, std::max<std::size_t>(1, max / shares_of_connections), std::move(exempt)};
}

server::handshake_shares choose_handshakes(settings const& values, server::connection_shares const& connections) {
  server::handshake_shares chosen;
  chosen.exempt = values.service.trusted_proxies;
  chosen.under_way_of_address = std::max<std::size_t>(1, connections.max_of_address / 2);
  if (auto const own = values.tls_handshakes_per_minute) {
    chosen.per_minute_of_address = *own;
  } else {
    add_this_machine(chosen.exempt);
  }
  return chosen;
}

}  // namespace petstore::program
