// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "commands/open_store.hpp"
#include "config/load.hpp"
#include "petstore/quota/local.hpp"

/// The parts of a server that can fail to open. Each function throws config_error naming the setting and the cause.
namespace petstore::program {

/// A context for each thread; 0 wanted: for each processor. Throws config_error where it cannot wait for anything.
std::vector<std::unique_ptr<boost::asio::io_context>> make_contexts(std::size_t wanted);

/// An acceptor for each executor, on the endpoint of that setting.
std::vector<boost::asio::ip::tcp::acceptor> open_port(std::string_view setting, boost::asio::ip::tcp::endpoint const&,
                                                      loaded_settings const&,
                                                      std::vector<boost::asio::any_io_executor> const&);

/// Quotas kept beside an lmdb store, or nowhere. The store is open already.
std::unique_ptr<quota::local_quota> open_quota(loaded_settings const&, store_report);

}  // namespace petstore::program
