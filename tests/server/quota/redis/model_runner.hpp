// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <bit>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model_server.hpp"
#include "script_runner.hpp"

namespace petstore::quota {

class model_runner;

/// A server that several runners ask, and that answers as a test wants. Any thread.
class model_server {
 public:
  enum class mood : std::uint8_t {
    answers,
    refuses,  ///< surely does nothing
    loses,    ///< works, and the answer never comes
    dawdles,  ///< works at once, and answers after the deadline
    pauses,   ///< works at once, and answers when it is in another mood
    throws,   ///< has no memory
  };
  std::atomic<mood> now_it{mood::answers};
  std::atomic<bool> fails_strangers{false};  ///< those who have no key
  std::atomic<bool> holds_strangers{false};  ///< their calls get no answer until that is false again
  std::atomic<std::uint32_t> held{0};        ///< of them
  std::atomic<std::int64_t> clock_us{1'780'315'200'000'000};
  std::atomic<std::uint64_t> acquisitions{0};

  script_integers acquire(std::string const& key, std::vector<std::string> const& words) {
    ++acquisitions;
    auto const number = [&words](std::size_t i) { return packed_number(words[0], i - 1); };
    auto const natural = [&number](std::size_t i) { return static_cast<std::uint64_t>(number(i)); };
    auto const small = [&natural](std::size_t i) { return static_cast<std::uint32_t>(natural(i)); };
    acquisition a;
    a.generation = natural(2);
    a.sequence = natural(3);
    auto const period = [&number](std::size_t length_place) {
      if (number(length_place + 1) == 2) return limits::per_month(1).period;
      auto const made = limits::period::of(std::chrono::seconds{number(length_place) / 1'000'000}).value();
      return number(length_place + 1) == 1 ? made.aligned() : made;
    };
    auto const refill = number(10) == 1 ? limits::refill::continuous : limits::refill::periodic;
    std::optional<limits::window> longer;
    if (number(7) != 0) longer = {number(7), period(8)};
    a.plan = limits::plan::of({number(4), period(5)}, longer, refill).value();
    a.nodes = small(11);
    a.want = small(12);
    a.waiting = small(13);
    a.held = small(14);
    a.looks = number(15) == 1;
    a.patience = number(16);
    a.short_end = number(17);
    a.short_count = natural(18);
    a.long_end = number(19);
    a.long_count = natural(20);
    a.returned_ns = number(21);
    a.returned_mark = number(22);
    a.strikes = small(23);
    a.pardoned = number(30);
    a.never_banned = number(31) == 1;
    a.born = number(32);
    a.earlier_short_end = number(33);
    a.earlier_short_count = natural(34);
    a.earlier_long_end = number(35);
    a.earlier_long_count = natural(36);
    a.full_at = number(37);
    a.cheapest = small(39);
    a.dearest = small(40);
    limits::ban_policy const bans{.strikes = small(24),
                                  .base = std::chrono::milliseconds{number(25) / 1'000},
                                  .max = std::chrono::milliseconds{number(26) / 1'000}};
    std::lock_guard const lock(mutex_);
    int const node = nodes_.try_emplace(number(1), static_cast<int>(nodes_.size())).first->second;
    auto const got = keys_[key].acquire(node, a, bans, clock_us);
    if (!got) return {0};
    if (keys_[key].is_recall() && publishes) publish(natural(1), key);
    auto const n = [](std::uint64_t u) { return static_cast<std::int64_t>(u); };
    last_long_used_ = n(got->long_used);
    told_[key] = {n(got->short_used), last_long_used_};
    return {1,
            got->now,
            got->granted,
            got->short_end,
            n(got->short_used),
            got->long_end,
            n(got->long_used),
            got->full_at,
            got->full_at_ns,
            got->announced_at,
            got->announced_until,
            got->ban_until,
            got->ban_begun,
            static_cast<std::int64_t>(got->holders),
            got->born};
  }
  script_integers beat(std::vector<std::string> const& words) {
    std::lock_guard const lock(mutex_);
    if (words[1] == "1")
      living_.insert(words[0]);
    else
      living_.erase(words[0]);
    return {static_cast<std::int64_t>(living_.size()), run_, data_since_, 0, 0};
  }
  /// Whoever listens is told of recalls on its executor. No longer, once this is called with nothing to call.
  void listen(model_runner const* who, asio::any_io_executor executor, std::function<void(std::string_view)> hear) {
    std::lock_guard const lock(mutex_);
    if (hear)
      listeners_[who] = {std::move(executor), std::move(hear)};
    else
      listeners_.erase(who);
  }
  std::atomic<bool> publishes{true};  ///< else recalls are lost

  /// As after FLUSHALL.
  void forget() {
    std::lock_guard const lock(mutex_);
    keys_.clear();
    told_.clear();
    ++data_since_;
  }
  /// As after a restart that lost nothing.
  void restart() {
    std::lock_guard const lock(mutex_);
    ++run_;
  }
  std::int64_t long_used() const {
    std::lock_guard const lock(mutex_);
    return last_long_used_;
  }
  std::int64_t long_used(std::string const& key) const { return told(key).long_used; }
  std::int64_t short_used(std::string const& key) const { return told(key).short_used; }

 private:
  struct counts {
    std::int64_t short_used = 0, long_used = 0;
  };
  struct listener {
    asio::any_io_executor executor;
    std::function<void(std::string_view)> hear;
  };

  static std::int64_t packed_number(std::string const& words, std::size_t place) {
    std::uint64_t bits = 0;
    for (std::size_t byte = 8; byte-- > 0;) bits = bits << 8 | static_cast<unsigned char>(words.at(8 * place + byte));
    return static_cast<std::int64_t>(std::bit_cast<double>(bits));
  }

  void publish(std::uint64_t asker, std::string const& key) {
    std::string payload;
    for (unsigned byte = 0; byte < 6; ++byte) payload.push_back(static_cast<char>(asker >> 8 * byte & 0xff));
    payload += key;
    for (auto const& [who, one] : listeners_) asio::post(one.executor, [hear = one.hear, payload] { hear(payload); });
  }

  counts told(std::string const& key) const {
    std::lock_guard const lock(mutex_);
    auto const place = told_.find(key);
    return place == told_.end() ? counts{} : place->second;
  }

  mutable std::mutex mutex_;
  std::map<std::string, model_key> keys_;
  std::map<std::string, counts> told_;  // with the last answer
  std::map<std::int64_t, int> nodes_;
  std::map<model_runner const*, listener> listeners_;
  std::set<std::string> living_;
  std::int64_t run_ = 1, data_since_ = 1;
  std::int64_t last_long_used_ = 0;
};

/// One node's way to it.
class model_runner final : public script_runner {
 public:
  model_runner(model_server& server, asio::any_io_executor executor)
      : server_(server), executor_(std::move(executor)) {}
  ~model_runner() override { server_.listen(this, executor_, {}); }

  void listen(std::string, std::function<void(std::string_view payload)> hear) override {
    server_.listen(this, executor_, std::move(hear));
  }

  asio::awaitable<script_answer> run(script_name name, std::vector<std::string> keys,
                                     std::vector<std::string> arguments,
                                     std::chrono::steady_clock::time_point deadline) override {
    auto const mood = server_.now_it.load();
    if (mood == model_server::mood::throws) throw std::bad_alloc();
    std::string const& key = keys.front();
    script_answer answer = script_failure{script_outcome::not_run, "refused"};
    bool const is_of_stranger = key.find(":i:") == std::string::npos && name == script_name::acquire;
    if (mood == model_server::mood::refuses || (is_of_stranger && server_.fails_strangers)) co_return answer;
    if (is_of_stranger && server_.holds_strangers) {
      auto const executor = co_await asio::this_coro::executor;
      asio::steady_timer look(executor);
      boost::system::error_code ignored;
      for (++server_.held; server_.holds_strangers;) {
        look.expires_after(std::chrono::milliseconds{2});
        co_await look.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      }
      --server_.held;
    }
    answer = name == script_name::acquire ? server_.acquire(key, arguments) : server_.beat(arguments);
    if (mood == model_server::mood::answers) co_return answer;

    auto const executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, deadline);
    boost::system::error_code ignored;
    if (mood == model_server::mood::pauses) {
      while (server_.now_it == model_server::mood::pauses) {
        timer.expires_after(std::chrono::milliseconds{2});
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
      }
      co_return answer;
    }
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    if (mood == model_server::mood::loses) answer = script_failure{script_outcome::unknown, "lost"};
    if (mood == model_server::mood::dawdles) {
      timer.expires_after(std::chrono::milliseconds{30});
      co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    co_return answer;
  }

 private:
  model_server& server_;
  asio::any_io_executor const executor_;
};

}  // namespace petstore::quota
