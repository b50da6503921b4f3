// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <string_view>

/// Asks a server for a page, in coroutines as deep as `depth`, and waits in between. The whole answer.
boost::asio::awaitable<std::string> visit(boost::asio::ip::tcp::endpoint server, std::string_view path, int depth);

/// How often `asio_handler_allocate` of a handler of the host's was called for an operation.
int allocations_by_the_handler(boost::asio::io_context&);
