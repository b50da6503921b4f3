// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/passed_sockets.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "config/load.hpp"
#include "petstore/whole_number.hpp"

namespace petstore::program {
namespace {

/// Standard input, output and error come before.
constexpr int first_descriptor = 3;
/// No unit passes more sockets; a larger number is a mistake.
constexpr int sockets_max = 64;

int socket_option(int descriptor, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  return ::getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

bool accepts_tcp(int descriptor) {
  int const domain = socket_option(descriptor, SO_DOMAIN);
  bool const is_tcp = (domain == AF_INET || domain == AF_INET6) && socket_option(descriptor, SO_TYPE) == SOCK_STREAM;
  return is_tcp && socket_option(descriptor, SO_ACCEPTCONN) == 1;
}

[[noreturn]] void refuse(passed_socket const& s, std::string_view why) {
  throw config_error({fmt::format("socket {} `{}` {} (from LISTEN_FDS)", s.descriptor, s.name, why)});
}

void assign(std::optional<int>& purpose, passed_socket const& s) {
  if (purpose) refuse(s, "is the second one of its purpose");
  if (!accepts_tcp(s.descriptor)) refuse(s, "does not accept TCP connections");
  purpose = s.descriptor;
}

}  // namespace

std::vector<passed_socket> parse_passed_sockets(char const* pid, char const* count, char const* names, int own_pid) {
  if (!pid || !count || whole_number(pid) != own_pid) return {};
  auto const n = whole_number(count);
  if (!n || *n < 0 || *n > sockets_max)
    throw config_error({fmt::format("LISTEN_FDS: `{}` is no number of sockets", count)});
  std::vector<passed_socket> sockets;
  std::string_view rest = names ? names : "";
  for (int i = 0; i < static_cast<int>(*n); ++i) {
    auto const end = std::min(rest.find(':'), rest.size());
    sockets.push_back({first_descriptor + i, std::string(rest.substr(0, end))});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return sockets;
}

std::vector<passed_socket> take_passed_sockets() {
  auto sockets = parse_passed_sockets(std::getenv("LISTEN_PID"), std::getenv("LISTEN_FDS"),
                                      std::getenv("LISTEN_FDNAMES"), ::getpid());
  for (auto const* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(name);
  for (auto const& s : sockets) ::fcntl(s.descriptor, F_SETFD, FD_CLOEXEC);
  return sockets;
}

socket_purposes assign_sockets(std::span<passed_socket const> sockets) {
  socket_purposes found;
  std::size_t others = 0;
  for (auto const& s : sockets)
    if (s.name != "admin" && s.name != "public") ++others;
  for (auto const& s : sockets) {
    if (s.name == "admin") {
      assign(found.admin_listen, s);
    } else if (s.name == "public" || others == 1) {
      assign(found.listen, s);
    } else {
      refuse(s, "is for nothing: its name is neither public nor admin");
    }
  }
  return found;
}

}  // namespace petstore::program
