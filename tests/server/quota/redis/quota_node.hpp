// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "free_plan.hpp"
#include "petstore/limits/notice.hpp"
#include "petstore/quota/redis.hpp"
#include "support/eventually.hpp"

namespace petstore::quota {

using tests::eventually;
using tests::time_limit;

/// One node: a thread with its executor, and the source.
class node {
 public:
  using opener = std::function<std::unique_ptr<redis_quota>(redis_options)>;

  node(redis_options options, opener const& open) {
    options.environment = "test";
    options.executor = context_.get_executor();
    source_ = open(std::move(options));
    thread_ = std::jthread([this] { run(); });
  }
  ~node() {
    source_.reset();
    guard_.reset();
    context_.stop();
  }

  redis_quota& source() { return *source_; }
  boost::asio::any_io_executor executor() { return context_.get_executor(); }
  ports::shared_quota_figures counters() const { return source_->counters(); }

  ports::payer identity(limits::plan const& p = free_plan, std::uint64_t number = 1, std::uint64_t resets = 0) {
    ports::payer who;
    who.kind = ports::payer::kind::identity;
    who.account = &source_->account_of(number, p, resets);
    who.plan = p;
    return who;
  }
  /// One that comes and goes.
  ports::payer guest(std::uint64_t number = 1, limits::plan const& p = free_plan) {
    return source_->payer_of(number, p);
  }
  static ports::payer address(unsigned char last, unsigned char before_last = 0) {
    ports::payer who;
    who.kind = ports::payer::kind::address;
    who.address.bytes[14] = before_last;
    who.address.bytes[15] = last;
    who.plan = {limits::per_minute(60)};
    return who;
  }

  limits::verdict wait_for(ports::eventual<limits::verdict> coming) {
    if (coming.is_ready()) return coming.take();
    auto future = boost::asio::co_spawn(context_, coming.work(), boost::asio::use_future);
    if (future.wait_for(time_limit) != std::future_status::ready) throw std::runtime_error("no verdict");
    return future.get();
  }
  limits::notice charge(ports::payer const& who, limits::instant now) { return limits::tell(judge(who, now)); }
  limits::notice charge(ports::payer const& who, limits::cost tokens, limits::instant now) {
    return limits::tell(wait_for(source_->charge(who, tokens, now)));
  }
  /// The same, as the service sees it.
  limits::verdict judge(ports::payer const& who, limits::instant now) { return wait_for(source_->charge(who, now)); }
  /// All at once: each has begun to wait before the first answer comes.
  std::uint64_t admitted_of_burst(std::uint64_t requests, ports::payer const& who, limits::instant now) {
    std::latch all_are_there{1};
    boost::asio::post(context_, [&] { all_are_there.wait(); });
    std::vector<std::future<limits::verdict>> coming;
    for (std::uint64_t i = 0; i < requests; ++i)
      coming.push_back(boost::asio::co_spawn(context_, source_->charge(who, now).wait(), boost::asio::use_future));
    all_are_there.count_down();
    std::uint64_t count = 0;
    for (auto& verdict : coming) {
      if (verdict.wait_for(time_limit) != std::future_status::ready) throw std::runtime_error("no verdict");
      count += verdict.get().admitted() ? 1u : 0u;
    }
    return count;
  }
  /// Begins to charge and does not wait for it.
  std::future<limits::verdict> begin(ports::payer const& who, limits::instant now) {
    return boost::asio::co_spawn(context_, source_->charge(who, now).wait(), boost::asio::use_future);
  }
  std::uint64_t admitted_of(std::uint64_t requests, ports::payer const& who, limits::instant now) {
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < requests; ++i) count += charge(who, now).admitted() ? 1u : 0u;
    return count;
  }

  /// On the node's thread, and done when this returns.
  void run_there(std::function<void()> const& what) {
    std::promise<void> done;
    boost::asio::post(context_, [&] {
      what();
      done.set_value();
    });
    done.get_future().wait();
  }

 private:
  /// A handler that throws, for lack of memory, ends no node.
  void run() {
    for (;;) {
      try {
        context_.run();
        return;
      } catch (std::exception const&) {
      }
    }
  }

  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{context_.get_executor()};
  std::unique_ptr<redis_quota> source_;
  std::jthread thread_;
};

inline void wait_until(auto&& is_so) {
  BOOST_REQUIRE(eventually(is_so));
}

}  // namespace petstore::quota
