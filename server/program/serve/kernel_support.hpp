// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
#include <vector>

namespace petstore::program {

/// Asio chooses between epoll and io_uring when it is compiled, so a program built on io_uring (PETSTORE_IO_URING) has
/// nothing to fall back to where the kernel, or who started the program, forbids it. Sets up a ring for each context,
/// and throws config_error where that is refused; does nothing in a build on epoll, which no kernel refuses.
void require_kernel_support(std::vector<std::unique_ptr<boost::asio::io_context>> const&);

}  // namespace petstore::program
