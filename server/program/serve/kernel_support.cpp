// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "serve/kernel_support.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
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

}  // namespace

void require_kernel_support() {
  if (!is_built_on_io_uring) return;
  try {
    asio::io_context context{1};
    asio::steady_timer const sets_up_a_ring{context};
  } catch (boost::system::system_error const& failure) {
    if (!is_refusal(failure.code())) throw;
    throw config_error({fmt::format(
        "PETSTORE_IO_URING: this program was built on io_uring, which is refused here: {} ({}; a seccomp filter may "
        "refuse it too); allow it, or run a build without this option",
        failure.code().message(), describe_sysctl())});
  }
}

}  // namespace petstore::program
