// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <string>

#include "../examples.hpp"

namespace examples {

// several_nodes.cpp
void serve_as_one_of_several(std::string const& postgres_uri, std::string const& redis_address,
                             std::chrono::milliseconds redis_deadline, asio::io_context&,
                             asio::steady_timer& closing_time, opened_function);

}  // namespace examples
