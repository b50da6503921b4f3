// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The limiter in a pool of plain threads, without Asio. Clients send lines `CUSTOMER DOCUMENT`, and get the number of
// words in that document. Large ones cost more. Work that fails costs nothing. Used tokens outlast the program.
//
// Usage: limiter_in_thread_pool PORT DOCUMENTS QUOTAS      PORT 0 takes a free one. DOCUMENTS is a directory, QUOTAS
// the file with the used tokens.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "petstore/limits/keyed_hash.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/limits/notice.hpp"
#include "petstore/limits/saved_limiter.hpp"

namespace limits = petstore::limits;

namespace {

constexpr int threads = 4;
constexpr std::size_t line_bytes_max = 4'096;
constexpr std::uintmax_t bytes_of_a_token = 1'000;
constexpr std::chrono::seconds line_max{30};              ///< from one line to the end of the next
constexpr timeval answer_max{.tv_sec = 2, .tv_usec = 0};  ///< until the client takes an answer

// Clients choose their names, so the hash has a secret.
using limiter = limits::limiter<std::string, limits::keyed_hash, std::equal_to<>>;

/// nullopt for a document that cannot be read to its end.
std::optional<std::size_t> count_words(std::filesystem::path const& file) {
  std::ifstream in(file);
  if (!in) return std::nullopt;
  auto const words = std::distance(std::istream_iterator<std::string>{in}, {});
  return in.bad() ? std::nullopt : std::optional{static_cast<std::size_t>(words)};
}

/// Answers lines. Any thread.
class word_service {
 public:
  word_service(std::filesystem::path documents, limiter& quota) : documents_{std::move(documents)}, quota_{quota} {}

  std::string answer_to(std::string const& line) {
    std::string customer, name;
    if (!(std::istringstream{line} >> customer >> name)) return "expected: CUSTOMER DOCUMENT\n";
    auto const file = documents_ / std::filesystem::path{name}.filename();
    std::error_code failed;
    auto const bytes = std::filesystem::file_size(file, failed);
    auto const tokens = limits::cost::of(failed ? 1 : 1 + bytes / bytes_of_a_token);
    if (!tokens) return "this document is too large\n";

    auto held = quota_.reserve(customer, *tokens);
    limits::verdict const& verdict = held.verdict();
    if (!verdict.can_ever_pass()) return "this document is too large\n";  // it costs more than a whole quota
    if (!held.admitted()) return "wait " + std::to_string(limits::tell(verdict).retry_after_s) + " s\n";
    auto const words = count_words(file);
    if (!words) return "this document cannot be read\n";  // the destructor of `held` gives the tokens back
    held.commit();
    return std::to_string(*words) + " words\n";
  }

 private:
  std::filesystem::path const documents_;
  limiter& quota_;
};

/// A descriptor that is closed at the end.
class descriptor {
 public:
  explicit descriptor(int number) : number_{number} {
    if (number < 0) throw std::system_error{errno, std::generic_category()};
  }
  ~descriptor() { ::close(number_); }
  descriptor(descriptor const&) = delete;
  descriptor& operator=(descriptor const&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

/// Waits until the client has sent something, or has ended, or the program ends. False if that takes too long.
bool waits_for(descriptor const& client, std::chrono::steady_clock::time_point until) {
  auto const left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  pollfd waiting{.fd = client, .events = POLLIN, .revents = 0};
  return left.count() > 0 && ::poll(&waiting, 1, static_cast<int>(left.count())) > 0;
}

/// Answers the lines of one client until it ends, is too slow, or the program ends.
void serve(descriptor const& client, word_service& service, std::stop_token const& ending) {
  ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &answer_max, sizeof answer_max);
  std::stop_callback const wake{ending, [&] { ::shutdown(client, SHUT_RD); }};
  std::string input;
  auto until = std::chrono::steady_clock::now() + line_max;
  for (char some[1'024]; !ending.stop_requested() && waits_for(client, until);) {
    auto const received = ::recv(client, some, sizeof some, 0);
    if (received <= 0) return;
    input.append(some, static_cast<std::size_t>(received));
    for (std::size_t end; (end = input.find('\n')) != std::string::npos; input.erase(0, end + 1)) {
      std::string const answer = service.answer_to(input.substr(0, end));
      auto const sent = ::send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
      if (sent != static_cast<ssize_t>(answer.size())) return;
      until = std::chrono::steady_clock::now() + line_max;
    }
    if (input.size() > line_bytes_max) return;
  }
}

/// Each thread of the pool accepts clients, one after the other.
void work(int listening, word_service& service, std::stop_token const& ending) {
  while (!ending.stop_requested()) {
    int const accepted = ::accept(listening, nullptr, nullptr);
    if (accepted >= 0) {
      serve(descriptor{accepted}, service, ending);
    } else if (!ending.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds{100});  // too many open files, for example: that passes
    }
  }
}

std::uint16_t listen_on(int listening, std::uint16_t port) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  where.sin_port = htons(port);
  socklen_t size = sizeof where;
  auto* const address = reinterpret_cast<sockaddr*>(&where);
  if (::bind(listening, address, size) < 0 || ::listen(listening, SOMAXCONN) < 0 ||
      ::getsockname(listening, address, &size) < 0)
    throw std::system_error{errno, std::generic_category(), "cannot listen"};
  return ntohs(where.sin_port);
}

/// A file that is not there is one of a program that has not run before.
void load(limiter& quota, std::filesystem::path const& file) {
  if (!std::filesystem::exists(file)) return;
  std::ostringstream bytes;
  bytes << std::ifstream{file, std::ios::binary}.rdbuf();
  limits::loaded const got = limits::load(quota, bytes.str(), limits::now());
  if (got.failed) throw std::system_error{got.failed, file.string()};
}

void sync(std::filesystem::path const& what) {
  descriptor const opened{::open(what.c_str(), O_RDONLY | O_CLOEXEC)};
  if (::fsync(opened) < 0) throw std::system_error{errno, std::generic_category(), what.string()};
}

/// Writes beside the file, and renames what is on the disk, so that the file is always whole.
void save(limiter const& quota, std::filesystem::path const& file) {
  auto const fresh = file.string() + ".new";
  std::ofstream out(fresh, std::ios::binary);
  out << limits::save(quota, limits::now());
  out.close();
  if (!out) throw std::runtime_error{fresh + " cannot be written"};
  sync(fresh);  // fsync: what is renamed has to be on the disk
  std::filesystem::rename(fresh, file);
  sync(std::filesystem::absolute(file).parent_path());
}

/// Throws std::invalid_argument for anything but a number from 0 to 65535.
std::uint16_t port_of(std::string_view text) {
  std::uint16_t port = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failed != std::errc{} || end != text.data() + text.size()) throw std::invalid_argument{"PORT is from 0 to 65535"};
  return port;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw std::invalid_argument{"usage: limiter_in_thread_pool PORT DOCUMENTS QUOTAS"};
  std::filesystem::path const saved = argv[3];
  sigset_t ends;  // no thread takes these signals: this one waits for them
  ::sigemptyset(&ends);
  ::sigaddset(&ends, SIGTERM);
  ::sigaddset(&ends, SIGINT);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);

  limiter quota({.plan = {limits::per_minute(10), limits::per_day(1'000)}}, limits::keyed_hash{limits::random_seed()});
  load(quota, saved);
  word_service service{argv[2], quota};
  descriptor const listening{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  std::cout << "listening on " << listen_on(listening, port_of(argv[1])) << std::endl;
  {
    std::vector<std::jthread> pool;
    for (int i = 0; i < threads; ++i)
      pool.emplace_back([&](std::stop_token const& ending) { work(listening, service, ending); });
    int taken = 0;
    ::sigwait(&ends, &taken);
    for (auto& one : pool) one.request_stop();
    ::shutdown(listening, SHUT_RDWR);  // wakes the threads that accept
  }                                    // joins the threads: lines that were received get their answers
  save(quota, saved);
  return 0;
} catch (std::exception const& failed) {
  std::cerr << failed.what() << '\n';
  return 1;
}
