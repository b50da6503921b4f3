// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/passed_sockets.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "config/load.hpp"

BOOST_AUTO_TEST_SUITE(passed_sockets)

using namespace petstore::program;

namespace {

class open_socket {
 public:
  explicit open_socket(bool listens, int type = SOCK_STREAM) : fd_(::socket(AF_INET, type | SOCK_CLOEXEC, 0)) {
    if (listens) ::listen(fd_, 1);
  }
  ~open_socket() { ::close(fd_); }
  open_socket(open_socket const&) = delete;
  open_socket& operator=(open_socket const&) = delete;
  operator int() const { return fd_; }

 private:
  int fd_;
};

std::string fault_of(std::vector<passed_socket> const& sockets) {
  try {
    assign_sockets(sockets);
  } catch (config_error const& wrong) {
    return wrong.what();
  }
  return "none";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_variables_say_which_descriptors_have_which_names) {
  using list = std::vector<passed_socket>;
  BOOST_TEST((parse_passed_sockets("7", "2", "public:admin", 7) == list{{3, "public"}, {4, "admin"}}));
  BOOST_TEST((parse_passed_sockets("7", "2", "public", 7) == list{{3, "public"}, {4, ""}}));
  BOOST_TEST((parse_passed_sockets("7", "1", nullptr, 7) == list{{3, ""}}));
  BOOST_TEST(parse_passed_sockets("7", "0", "", 7).empty());
}

BOOST_AUTO_TEST_CASE(what_is_meant_for_another_process_is_left_alone) {
  BOOST_TEST(parse_passed_sockets("8", "2", "public:admin", 7).empty());
  BOOST_TEST(parse_passed_sockets(nullptr, "2", "public:admin", 7).empty());
  BOOST_TEST(parse_passed_sockets("7", nullptr, "public:admin", 7).empty());
  BOOST_TEST(parse_passed_sockets("7x", "2", nullptr, 7).empty());
}

BOOST_AUTO_TEST_CASE(a_number_that_is_none_is_a_fault) {
  for (auto const* count : {"", "-1", "65", "two", "2 "})
    BOOST_CHECK_THROW(parse_passed_sockets("7", count, nullptr, 7), config_error);
}

BOOST_AUTO_TEST_CASE(names_say_what_sockets_are_for) {
  open_socket const a{true}, b{true};
  auto const both = assign_sockets(std::vector<passed_socket>{{b, "admin"}, {a, "public"}});
  BOOST_TEST((both.listen == a && both.admin_listen == b));
  // systemd names a socket after its unit unless told otherwise.
  auto const one = assign_sockets(std::vector<passed_socket>{{a, "petstore.socket"}});
  BOOST_TEST((one.listen == a && !one.admin_listen));
  BOOST_TEST(!assign_sockets({}).listen.has_value());
}

BOOST_AUTO_TEST_CASE(a_socket_that_cannot_be_used_is_a_fault_and_named) {
  open_socket const a{true}, b{true}, silent{false}, datagrams{false, SOCK_DGRAM};
  BOOST_TEST(fault_of({{a, "public"}, {b, "public"}}).find("second one of its purpose") != std::string::npos);
  BOOST_TEST(fault_of({{a, "public"}, {b, "x"}}).find("second one of its purpose") != std::string::npos);
  BOOST_TEST(fault_of({{a, "x"}, {b, "y"}}).find("`x` is for nothing") != std::string::npos);
  BOOST_TEST(fault_of({{silent, "public"}}).find("does not accept TCP") != std::string::npos);
  BOOST_TEST(fault_of({{datagrams, "admin"}}).find("does not accept TCP") != std::string::npos);
  BOOST_TEST(fault_of({{-1, "public"}}).find("does not accept TCP") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_variables_are_gone_when_the_sockets_are_taken) {
  ::setenv("LISTEN_PID", "1", 1);
  ::setenv("LISTEN_FDS", "1", 1);
  ::setenv("LISTEN_FDNAMES", "public", 1);
  BOOST_TEST(take_passed_sockets().empty());  // meant for another process
  for (auto const* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) BOOST_TEST(::getenv(name) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
