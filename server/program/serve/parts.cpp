// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "serve/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/system/system_error.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

#include "config/values.hpp"
#include "petstore/server/listener.hpp"
#include "serve/kernel_support.hpp"

namespace petstore::program {

namespace asio = boost::asio;
using asio::ip::tcp;

std::vector<std::unique_ptr<asio::io_context>> make_contexts(std::size_t wanted) {
  auto const processors = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  std::vector<std::unique_ptr<asio::io_context>> contexts;
  for (std::size_t i = 0; i < (wanted == 0 ? processors : wanted); ++i) {
    contexts.push_back(std::make_unique<asio::io_context>(1));
  }
  require_kernel_support(contexts);
  return contexts;
}

std::vector<tcp::acceptor> open_port(std::string_view setting, tcp::endpoint const& endpoint,
                                     loaded_settings const& loaded,
                                     std::vector<asio::any_io_executor> const& executors) {
  try {
    return server::open_acceptors(endpoint, executors);
  } catch (boost::system::system_error const& failure) {
    throw config_error({fmt::format("{}: `{}` cannot be listened on: {} (from {})", setting, to_text(endpoint),
                                    failure.code().message(), loaded.source_of(setting))});
  }
}

std::unique_ptr<quota::local_quota> open_quota(loaded_settings const& loaded, store_report report) {
  quota::local_options options;
  auto const& store = *loaded.values.store;
  if (store.kind == store_address::kind::lmdb) options.directory = store.directory / "quota";
  options.bans = loaded.values.bans;
  options.addresses_max = loaded.values.anonymous_addresses_max;
  options.report = std::move(report);
  try {
    return quota::open_local_quota(std::move(options));
  } catch (std::runtime_error const& failure) {
    throw config_error({fmt::format("store: {} (from {})", failure.what(), loaded.source_of("store"))});
  }
}

}  // namespace petstore::program
