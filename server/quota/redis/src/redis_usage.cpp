// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/quota/redis_usage.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "acquisition.hpp"
#include "petstore/redis/client.hpp"
#include "quota_names.hpp"

namespace petstore::quota {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

/// The number of commands under way at one time; they share round trips.
constexpr std::size_t commands_max = 64;

limits::saved_account account_of(stored_counts const& counts) {
  limits::saved_account account;
  if (counts.short_end != 0) {
    std::chrono::microseconds const end{counts.short_end};
    account.short_end_unix_ms = std::chrono::floor<std::chrono::milliseconds>(end).count();
    account.short_used = static_cast<decltype(account.short_used)>(counts.short_used);
  }
  // Whether a request began the period is not stored. One that ends at midnight may as well be aligned.
  std::chrono::microseconds const end{counts.long_end};
  account.long_end_unix_ms = std::chrono::floor<std::chrono::milliseconds>(end).count();
  account.long_is_aligned = end % std::chrono::days{1} == std::chrono::microseconds{0};
  account.long_used = counts.long_used;
  return account;
}

/// The time for nodes to give back the tokens that they hold and do not need. Tokens that are not given back by then
/// count as used.
constexpr auto recall_pause = 100ms;

/// Reads the quotas of all identities once. The calling thread runs the context.
class usage_reader {
 public:
  usage_reader(redis::address server, std::string_view environment, std::span<shared_identity const> identities,
               std::chrono::milliseconds patience)
      : client_{context_.get_executor(), options_for(std::move(server))},
        names_{quota_names::of_identities(environment)},
        channel_{recall_channel(environment)},
        identities_{identities},
        patience_{patience} {}

  shared_usage run() {
    begin(connect());
    finish();
    for_all([this](shared_identity who) { return recall_tokens(who); });
    context_.restart();
    context_.run_for(recall_pause);
    for_all([this](shared_identity who) { return read_counts(who); });
    return std::move(found_);
  }

 private:
  static redis::client_options options_for(redis::address server) {
    redis::client_options options;
    options.address = std::move(server);
    options.name = "petstore-usage";
    return options;
  }

  redis::client::time_point deadline() const { return std::chrono::steady_clock::now() + patience_; }

  void begin(asio::awaitable<void> work) {
    ++running_;
    auto const ended = [this](std::exception_ptr failure) {
      if (failure && !failure_) failure_ = failure;
      if (--running_ == 0) context_.stop();  // otherwise the client would keep the context running
    };
    asio::co_spawn(context_, std::move(work), ended);
  }

  /// Runs the coroutines to their end.
  void finish() {
    context_.restart();
    if (running_ != 0) context_.run();
    if (failure_) std::rethrow_exception(failure_);
  }

  /// Does the same for every identity, for several at a time.
  template <class Act>
  void for_all(Act act) {
    next_ = 0;
    for (std::size_t i = 0; i < std::min(commands_max, identities_.size()); ++i) begin(act_until_done(act));
    finish();
  }
  template <class Act>
  asio::awaitable<void> act_until_done(Act act) {
    while (next_ < identities_.size() && !failure_) {
      auto acting = act(identities_[next_++]);
      co_await std::move(acting);
    }
  }

  asio::awaitable<void> connect() {
    auto connecting = client_.wait_until_connected(deadline());
    auto const connected = co_await std::move(connecting);
    if (!connected) throw std::runtime_error{redis::to_string(connected.error())};
  }

  /// An error that the server answers (the user may not publish) is ignored; the counts are read all the same.
  asio::awaitable<void> recall_tokens(shared_identity who) {
    auto const key = names_.key_of(name_of(who));
    std::vector<std::string> words{"PUBLISH", channel_, to_payload({.asker = 0, .key = key})};
    auto publishing = client_.command(std::move(words), key, deadline());
    auto const answered = co_await std::move(publishing);
    bool const is_answered =
        answered || answered.error().code == redis::errc::refused || answered.error().code == redis::errc::server_error;
    if (!is_answered) throw std::runtime_error{redis::to_string(answered.error())};
  }

  asio::awaitable<void> read_counts(shared_identity who) {
    auto const key = names_.key_of(name_of(who));
    auto reading = read({"GET", key}, key);
    auto const value = co_await std::move(reading);
    std::vector<std::string> words{"HMGET", key.substr(0, key.size() - 1)};
    words.insert(words.end(), fields_of_version_1.begin(), fields_of_version_1.end());
    reading = read(std::move(words), key);
    auto const hash = co_await std::move(reading);

    auto const counts = value && value->is_text() ? parse_stored(value->text) : std::nullopt;
    auto const counts_1 = hash ? counts_in(*hash) : std::nullopt;
    bool const is_unreadable = !value || !hash || (value->is_text() && !counts);
    if (is_unreadable)
      found_.unreadable.push_back(who.number);
    else if (counts || counts_1)
      found_.accounts.emplace(who.number,
                              account_of(sum_of(counts.value_or(stored_counts{}), counts_1.value_or(stored_counts{}))));
  }

  static std::optional<stored_counts> counts_in(redis::reply const& hash) {
    if (hash.elements.size() != fields_of_version_1.size()) return std::nullopt;
    std::vector<std::string> fields;
    for (redis::reply const& element : hash.elements) fields.push_back(element.text);
    return parse_stored_1(fields);
  }

  /// nullopt if the key holds a value of another type.
  asio::awaitable<std::optional<redis::reply>> read(std::vector<std::string> words, std::string key) {
    auto asking = client_.command(std::move(words), std::move(key), deadline());
    auto answered = co_await std::move(asking);
    if (answered) co_return std::move(*answered);
    if (!answered.error().detail.starts_with("WRONGTYPE")) throw std::runtime_error{redis::to_string(answered.error())};
    co_return std::nullopt;
  }

  asio::io_context context_{1};
  redis::client client_;
  quota_names const names_;
  std::string const channel_;
  std::span<shared_identity const> const identities_;
  std::chrono::milliseconds const patience_;
  std::size_t next_ = 0;
  std::size_t running_ = 0;
  shared_usage found_;
  std::exception_ptr failure_;
};

}  // namespace

shared_usage read_shared_quotas(std::string const& address, std::string_view environment,
                                std::span<shared_identity const> identities, std::chrono::milliseconds patience) {
  auto parsed = redis::parse_address(address);
  if (!parsed) throw std::runtime_error{redis::to_string(parsed.error())};
  return usage_reader{std::move(*parsed), environment, identities, patience}.run();
}

}  // namespace petstore::quota
