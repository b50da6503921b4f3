// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>

#include "program/system/running_server.hpp"

BOOST_AUTO_TEST_SUITE(io_uring)

using namespace petstore::tests;

namespace {

/// From now on io_uring_setup fails in this thread and in every process that it starts, as it does in a container that
/// forbids it. There is no way back.
void refuse_io_uring(std::uint16_t with_errno) {
  std::array filter{
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | with_errno),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog const program{static_cast<unsigned short>(filter.size()), filter.data()};
  // An unprivileged process may install a filter once it can gain no privileges.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    throw std::system_error(errno, std::generic_category(), "seccomp");
  }
}

/// Runs a command where io_uring is refused.
finished run_refused(std::uint16_t with_errno, std::vector<std::string> const& arguments) {
  finished done;
  std::exception_ptr failure;
  std::jthread([&] {
    try {
      refuse_io_uring(with_errno);
      done = run_petstore(arguments);
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
  return done;
}

}  // namespace

BOOST_AUTO_TEST_CASE(where_it_is_refused_the_server_does_not_start_and_names_the_option) {
  std::vector<std::string> const line{"serve",       "--store",        "memory:",    "--listen",
                                      "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"};
  auto const forbidden = run_refused(EPERM, line);
  BOOST_TEST(forbidden.code == 2);
  BOOST_TEST(forbidden.out.empty(), forbidden.out);
  BOOST_TEST(forbidden.err.starts_with("petstore: PETSTORE_IO_URING: "), forbidden.err);
  BOOST_TEST(forbidden.err.find("Operation not permitted") != std::string::npos, forbidden.err);
  BOOST_TEST(std::ranges::count(forbidden.err, '\n') == 1, forbidden.err);

  auto const unknown = run_refused(ENOSYS, line);
  BOOST_TEST(unknown.code == 2);
  BOOST_TEST(unknown.err.find("Function not implemented") != std::string::npos, unknown.err);
}

BOOST_AUTO_TEST_CASE(without_memory_for_all_rings_the_server_names_the_limit) {
  std::vector<std::string> const line{"serve",          "--store",     "memory:",   "--listen", "127.0.0.1:0",
                                      "--admin-listen", "127.0.0.1:0", "--threads", "2"};
  auto const starved = run_refused(ENOMEM, line);
  BOOST_TEST(starved.code == 2);
  // Two that serve, and the main one.
  BOOST_TEST(starved.err.find("rings of 3 threads") != std::string::npos, starved.err);
  BOOST_TEST(starved.err.find("RLIMIT_MEMLOCK") != std::string::npos, starved.err);
}

BOOST_AUTO_TEST_CASE(where_it_is_refused_a_store_is_left_as_it_was) {
  temporary_directory directory;
  auto const store = directory / "store";
  BOOST_TEST(run_refused(EPERM, {"serve", "--store", "lmdb:" + store.string()}).code == 2);
  BOOST_TEST(!std::filesystem::exists(store));
}

BOOST_AUTO_TEST_CASE(commands_that_wait_for_no_socket_work_without_it) {
  temporary_directory directory;
  auto const store = "lmdb:" + (directory / "store").string();
  auto const made = run_refused(EPERM, {"keys", "create", "--store", store, "--plan", "free", "--name", "shop"});
  BOOST_TEST(made.code == 0, made.err);
  BOOST_TEST(run_refused(EPERM, {"keys", "list", "--store", store}).out.find("shop") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_version_says_what_the_program_is_built_on) {
  auto const version = run_petstore({"version"});
  BOOST_TEST(version.out.find("+io-uring\n") != std::string::npos, version.out);
}

BOOST_AUTO_TEST_SUITE_END()
