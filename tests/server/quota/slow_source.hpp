// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <system_error>

#include "petstore/ports/quota_source.hpp"

namespace petstore::tests {

namespace asio = boost::asio;

/// A source that has to be asked elsewhere: it answers when the test lets it, by a local one.
class slow_source final : public ports::quota_source {
 public:
  slow_source(asio::io_context& context, ports::quota_source& inner)
      : inner_{inner}, gate_{context, asio::steady_timer::time_point::max()} {}

  void answer() { gate_.expires_at(asio::steady_timer::time_point::min()); }
  void fail() { is_gone_ = true; }
  int asked() const { return asked_; }

  limits::account& account_of(std::uint64_t identity, limits::plan const& p, std::uint64_t resets) override {
    return inner_.account_of(identity, p, resets);
  }
  ports::eventual<limits::verdict> charge(ports::payer const& who, limits::cost tokens, limits::instant now) override {
    return wait_and_charge(who, tokens, now);
  }
  ports::eventual<limits::verdict> refund(ports::payer const& who, limits::verdict const& v,
                                          limits::instant now) override {
    return inner_.refund(who, v, now);
  }
  ports::eventual<limits::verdict> charge_inquiry(ports::payer const& who, limits::instant now) override {
    return inner_.charge_inquiry(who, now);
  }
  limits::verdict observe(ports::payer const& who, limits::instant now) override { return inner_.observe(who, now); }
  void impose_ban(std::uint64_t, limits::wall_time, limits::instant) override {}
  void lift_ban(std::uint64_t, limits::wall_time, limits::instant) override {}

 private:
  asio::awaitable<limits::verdict> wait_and_charge(ports::payer who, limits::cost tokens, limits::instant now) {
    constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
    ++asked_;
    co_await gate_.async_wait(as_result);
    if (is_gone_) throw std::system_error{std::make_error_code(std::errc::connection_refused)};
    auto charging = inner_.charge(who, tokens, now);
    co_return charging.take();
  }

  ports::quota_source& inner_;
  asio::steady_timer gate_;
  bool is_gone_ = false;
  int asked_ = 0;
};

}  // namespace petstore::tests
