// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/names/lookup.hpp"

#include <netdb.h>

#include <atomic>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "petstore/asio/as_result.hpp"

namespace petstore::names {
namespace {

/// How often a waiting caller checks for an answer. The thread notifies no caller, since the caller may be gone.
constexpr std::chrono::milliseconds look_interval{5};

boost::system::error_code failure_of(int code) {
  if (code == EAI_SYSTEM) return {errno, boost::system::system_category()};
  if (code == EAI_NONAME) return asio::error::host_not_found;
  if (code == EAI_AGAIN) return asio::error::host_not_found_try_again;
  if (code == EAI_MEMORY) return asio::error::no_memory;
  return asio::error::no_recovery;
}

asio::ip::address address_of(addrinfo const& entry) {
  asio::ip::tcp::endpoint endpoint;
  endpoint.resize(entry.ai_addrlen);
  std::memcpy(endpoint.data(), entry.ai_addr, entry.ai_addrlen);
  return endpoint.address();
}

}  // namespace

found ask_system(std::string const& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (int const code = ::getaddrinfo(host.c_str(), nullptr, &hints, &list); code != 0) return {failure_of(code), {}};
  std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> const kept(list, &::freeaddrinfo);
  found answer;
  for (addrinfo const* one = list; one; one = one->ai_next)
    if (one->ai_family == AF_INET || one->ai_family == AF_INET6) answer.addresses.push_back(address_of(*one));
  if (answer.addresses.empty()) answer.failure = asio::error::no_data;
  return answer;
}

struct lookup::question {
  found answer;                   ///< written by the thread
  time_point answered_at;         ///< likewise
  std::atomic<bool> done{false};  ///< set after both

  bool is_older_than(std::chrono::nanoseconds life) const {
    return done.load(std::memory_order_acquire) && std::chrono::steady_clock::now() - answered_at >= life;
  }
};

lookup::lookup(asio::any_io_executor executor, source s, std::chrono::nanoseconds answer_life)
    : executor_(std::move(executor)), source_(std::move(s)), answer_life_(answer_life) {}

std::shared_ptr<lookup::question> lookup::ask(std::string const& host) {
  auto const known = under_way_.find(host);
  if (known != under_way_.end() && !known->second->is_older_than(answer_life_)) return known->second;
  auto const asked = std::make_shared<question>();
  std::thread([asked, host, ask_source = source_] {
    try {
      asked->answer = ask_source(host);
    } catch (std::exception const&) {  // no memory
      asked->answer.failure = asio::error::no_memory;
    }
    asked->answered_at = std::chrono::steady_clock::now();
    asked->done.store(true, std::memory_order_release);
  }).detach();
  under_way_.insert_or_assign(host, asked);
  return asked;
}

asio::awaitable<found> lookup::find(std::string host, time_point deadline) {
  std::shared_ptr<question> asked;
  try {
    asked = ask(host);
  } catch (std::system_error const& no_thread) {
    boost::system::error_code const failure(no_thread.code().value(), boost::system::system_category());
    co_return found{failure, {}};
  }
  asio::steady_timer timer(executor_);
  while (!asked->done.load(std::memory_order_acquire)) {
    if (closed_) co_return found{asio::error::operation_aborted, {}};
    if (std::chrono::steady_clock::now() >= deadline) co_return found{asio::error::timed_out, {}};
    timer.expires_after(look_interval);
    co_await timer.async_wait(as_result);
  }
  if (auto const known = under_way_.find(host); known != under_way_.end() && known->second == asked)
    under_way_.erase(known);
  co_return asked->answer;
}

}  // namespace petstore::names
