// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "serve/kernel_support.hpp"

#include <fmt/format.h>

#include <boost/asio/steady_timer.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string>

#include "config/load.hpp"

namespace petstore::program {
namespace {

namespace asio = boost::asio;

#ifdef BOOST_ASIO_HAS_IO_URING_AS_DEFAULT
constexpr bool is_built_on_io_uring = true;
#else
constexpr bool is_built_on_io_uring = false;
#endif

/// The ways to say no: a kernel without it, the sysctl or a seccomp filter, a security module.
bool is_refusal(boost::system::error_code const& ec) {
  return ec.value() == ENOSYS || ec.value() == EPERM || ec.value() == EACCES;
}

/// The sysctl is 1 where only one group may use io_uring, 2 where nobody may; kernels before 6.6 have none.
std::string describe_sysctl() {
  std::ifstream in("/proc/sys/kernel/io_uring_disabled");
  std::string value;
  return in >> value ? "kernel.io_uring_disabled is " + value : "there is no kernel.io_uring_disabled";
}

std::string describe_failure(boost::system::error_code const& ec, std::size_t threads) {
  if (is_refusal(ec)) {
    return fmt::format(
        "PETSTORE_IO_URING: this program was built on io_uring, which is refused here: {} ({}; a seccomp filter may "
        "refuse it too); allow it, or run a build without this option",
        ec.message(), describe_sysctl());
  }
  // Some kernels count rings as locked memory, of which an ordinary user may often have 8 MiB.
  return fmt::format(
      "PETSTORE_IO_URING: there is no memory for the rings of {} threads: {}; raise RLIMIT_MEMLOCK by 2 MiB a thread, "
      "or "
      "have fewer (threads)",
      threads, ec.message());
}

}  // namespace

void require_kernel_support(std::vector<std::unique_ptr<asio::io_context>> const& contexts) {
  if (!is_built_on_io_uring) return;
  try {
    // A context keeps its ring once something in it has waited for anything.
    for (auto const& context : contexts) asio::steady_timer const sets_up_the_ring{*context};
  } catch (boost::system::system_error const& failure) {
    if (!is_refusal(failure.code()) && failure.code().value() != ENOMEM) throw;
    throw config_error({describe_failure(failure.code(), contexts.size())});
  }
}

}  // namespace petstore::program
