// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/redis/subscriber.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "sentinels.hpp"
#include "subscription.hpp"

namespace petstore::redis {
namespace {

using line_result = result<std::shared_ptr<channel>>;

asio::awaitable<line_result> greet(std::shared_ptr<dialer> calls, node where) {
  auto greeting = calls->greet(std::move(where));
  result<dialer::greeted> found = co_await std::move(greeting);
  if (!found) co_return found.error();
  co_return std::move(found->line);
}

asio::awaitable<line_result> greet_master(std::shared_ptr<dialer> calls, std::shared_ptr<sentinels> asked) {
  auto finding = asked->find_master();
  result<node> master = co_await std::move(finding);
  if (!master) co_return master.error();
  auto greeting = greet(std::move(calls), std::move(*master));
  line_result line = co_await std::move(greeting);
  if (!line) asked->doubt();
  co_return line;
}

subscription::opener make_opener(std::shared_ptr<dialer> const& calls) {
  if (calls->address().kind == address::topology::sentinel) {
    return [calls, asked = std::make_shared<sentinels>(calls)] { return greet_master(calls, asked); };
  }
  return [calls, next = std::size_t{0}]() mutable {
    auto const& all = calls->address().nodes;
    return greet(calls, all[next++ % all.size()]);
  };
}

}  // namespace

subscriber::subscriber(asio::any_io_executor executor, client_options options, std::string pattern,
                       std::function<void(subscription_event const&)> hear) {
  dialer_ = std::make_shared<dialer>(std::move(executor), std::move(options.address), std::move(options.name),
                                     options.limits);
  subscription_ = std::make_shared<subscription>(dialer_, make_opener(dialer_), std::move(pattern), std::move(hear));
  asio::post(dialer_->executor(), [begun = subscription_] { begun->start(); });
}

subscriber::~subscriber() {
  asio::dispatch(dialer_->executor(), [ended = subscription_, calls = dialer_] {
    ended->close();
    calls->close();
  });
}

}  // namespace petstore::redis
