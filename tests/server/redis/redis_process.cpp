// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "server/redis/redis_process.hpp"

#include <hiredis/hiredis.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace petstore::tests {
namespace {

using context = std::unique_ptr<redisContext, void (*)(redisContext*)>;
using answer = std::unique_ptr<redisReply, void (*)(void*)>;

timeval const answer_max{10, 0};

answer ask_on(context const& line, std::vector<std::string> const& words) {
  std::vector<char const*> starts;
  std::vector<std::size_t> sizes;
  for (auto const& word : words) {
    starts.push_back(word.data());
    sizes.push_back(word.size());
  }
  return {static_cast<redisReply*>(
              redisCommandArgv(line.get(), static_cast<int>(words.size()), starts.data(), sizes.data())),
          freeReplyObject};
}

std::string text_of(redisReply const& value) {
  switch (value.type) {
    case REDIS_REPLY_INTEGER: return std::to_string(value.integer);
    case REDIS_REPLY_NIL: return {};
    case REDIS_REPLY_ARRAY: {
      std::string lines;
      for (std::size_t i = 0; i < value.elements; ++i) lines += text_of(*value.element[i]) + '\n';
      return lines;
    }
    default: return {value.str, value.len};
  }
}

}  // namespace

std::uint16_t free_port() {
  using boost::asio::ip::tcp;
  // Below those that the kernel gives to clients: one of them must not have taken it when the server comes, or when it
  // comes back.
  std::uniform_int_distribution<std::uint16_t> any{15'000, 32'000};
  std::random_device random;
  for (;;) {
    tcp::endpoint const candidate{boost::asio::ip::address_v4::loopback(), any(random)};
    boost::asio::io_context io;
    tcp::acceptor acceptor{io, candidate.protocol()};
    boost::system::error_code taken;
    acceptor.bind(candidate, taken);
    if (!taken) return candidate.port();
  }
}

redis_process::redis_process(std::vector<std::string> arguments, role what) : role_{what}, port_{free_port()} {
  auto const directory = directory_.path().string();
  if (role_ == role::sentinel) {
    // A sentinel writes into its configuration.
    std::ofstream{directory_ / "sentinel.conf"};
    words_ = {"redis-server", directory + "/sentinel.conf", "--sentinel"};
  } else {
    words_ = {"redis-server", "--save", "", "--unixsocket", directory + "/socket", "--enable-debug-command", "yes"};
  }
  for (char const* const word : {"--bind", "127.0.0.1", "--protected-mode", "no", "--daemonize", "no", "--logfile"}) {
    words_.emplace_back(word);
  }
  words_.insert(words_.end(), {directory + "/log", "--dir", directory, "--port", std::to_string(port_)});
  words_.insert(words_.end(), arguments.begin(), arguments.end());
  for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
    if (words_[i] == "--requirepass") password_ = words_[i + 1];
  }
  start();
}

redis_process::~redis_process() {
  kill();
}

std::string redis_process::address() const {
  return "redis://127.0.0.1:" + std::to_string(port_);
}

std::string redis_process::ask(std::vector<std::string> const& words) const {
  context const line{role_ == role::sentinel ? redisConnectWithTimeout("127.0.0.1", port_, answer_max)
                                             : redisConnectUnixWithTimeout((directory_ / "socket").c_str(), answer_max),
                     redisFree};
  if (!line || line->err != 0) throw std::runtime_error("No connection to redis-server.");
  redisSetTimeout(line.get(), answer_max);
  if (!password_.empty()) ask_on(line, {"AUTH", password_});
  auto const said = ask_on(line, words);
  if (!said) throw std::runtime_error(std::string{"redis-server did not answer: "} + line->errstr);
  if (said->type == REDIS_REPLY_ERROR) throw std::runtime_error(words[0] + ": " + text_of(*said));
  return text_of(*said);
}

void redis_process::start() {
  std::vector<char*> argv;
  for (auto& word : words_) argv.push_back(word.data());
  argv.push_back(nullptr);
  id_ = ::fork();
  if (id_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (id_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  auto const deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    if (::waitpid(id_, nullptr, WNOHANG) == id_) {
      id_ = -1;
      throw std::runtime_error("redis-server (tests/packages.txt) did not start: " + log());
    }
    try {
      if (ask({"PING"}) == "PONG") return;
    } catch (std::runtime_error const& not_yet) {
      if (std::chrono::steady_clock::now() > deadline) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
}

void redis_process::kill() {
  if (id_ < 0) return;
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
  id_ = -1;
}

void redis_process::freeze() {
  ::kill(id_, SIGSTOP);
}

void redis_process::thaw() {
  ::kill(id_, SIGCONT);
}

std::string redis_process::log() const {
  std::ostringstream text;
  text << std::ifstream{directory_ / "log"}.rdbuf();
  return text.str();
}

}  // namespace petstore::tests
