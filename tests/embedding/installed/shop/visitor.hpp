// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <string_view>

/// Requests a page in `depth` nested coroutines with waits in between. Returns the whole answer.
boost::asio::awaitable<std::string> visit(boost::asio::ip::tcp::endpoint server, std::string_view path, int depth);

/// Runs an operation whose handler has `asio_handler_allocate`; returns how often that was called.
int allocations_by_the_handler(boost::asio::io_context&);
