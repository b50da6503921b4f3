// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "support/redis_process.hpp"

#include <hiredis/hiredis.h>

#include <chrono>
#include <memory>
#include <stdexcept>

#include "support/eventually.hpp"
#include "support/free_port.hpp"

namespace petstore::tests {
namespace {

using context = std::unique_ptr<redisContext, void (*)(redisContext*)>;
using answer = std::unique_ptr<redisReply, void (*)(void*)>;

timeval answer_max() {
  return {static_cast<time_t>(time_limit.count()), 0};
}

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

redis_process::redis_process(std::vector<std::string> arguments, role what) : role_{what}, port_{free_port()} {
  auto const directory = directory_.path().string();
  if (role_ == role::sentinel) {
    // A sentinel changes its configuration file.
    directory_.write("sentinel.conf", "");
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

std::string redis_process::address() const {
  return "redis://127.0.0.1:" + std::to_string(port_);
}

std::string redis_process::ask(std::vector<std::string> const& words) const {
  context const line{role_ == role::sentinel
                         ? redisConnectWithTimeout("127.0.0.1", port_, answer_max())
                         : redisConnectUnixWithTimeout((directory_ / "socket").c_str(), answer_max()),
                     redisFree};
  if (!line || line->err != 0) throw std::runtime_error("No connection to redis-server.");
  redisSetTimeout(line.get(), answer_max());
  if (!password_.empty()) ask_on(line, {"AUTH", password_});
  auto const said = ask_on(line, words);
  if (!said) throw std::runtime_error(std::string{"redis-server did not answer: "} + line->errstr);
  if (said->type == REDIS_REPLY_ERROR) throw std::runtime_error(words[0] + ": " + text_of(*said));
  return text_of(*said);
}

void redis_process::start() {
  process_.emplace(child_options{.words = words_, .output = directory_ / "log", .errors = directory_ / "log"});
  std::string reason;
  auto const answers = [&] {
    try {
      return ask({"PING"}) == "PONG";
    } catch (std::runtime_error const& not_yet) {
      reason = not_yet.what();
      return false;
    }
  };
  bool const is_decided = eventually([&] { return process_->exit_code() || answers(); });
  if (is_decided && !process_->exit_code()) return;
  process_.reset();
  throw std::runtime_error("redis-server (tests/packages.txt) did not start: " + reason + '\n' +
                           read_file(directory_ / "log"));
}

}  // namespace petstore::tests
