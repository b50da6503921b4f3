// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <system_error>

#include "server/forwarding_quotas.hpp"

namespace petstore::tests {

namespace asio = boost::asio;

/// A source that has to be asked elsewhere: it answers when the test lets it, by a local one.
class slow_source final : public forwarding_quotas {
 public:
  slow_source(asio::io_context& context, ports::quota_source& inner)
      : forwarding_quotas(inner), gate_{context, asio::steady_timer::time_point::max()} {}

  void answer() { gate_.expires_at(asio::steady_timer::time_point::min()); }
  void fail() { is_gone_ = true; }
  int asked() const { return asked_; }

  ports::eventual<limits::verdict> charge(ports::payer const& who, limits::cost tokens, limits::instant now) override {
    return wait_and_charge(who, tokens, now);
  }

 private:
  asio::awaitable<limits::verdict> wait_and_charge(ports::payer who, limits::cost tokens, limits::instant now) {
    constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
    ++asked_;
    co_await gate_.async_wait(as_result);
    if (is_gone_) throw std::system_error{std::make_error_code(std::errc::connection_refused)};
    auto charging = inner_.charge(who, tokens, now);
    co_return charging.take();
  }

  asio::steady_timer gate_;
  bool is_gone_ = false;
  int asked_ = 0;
};

}  // namespace petstore::tests
