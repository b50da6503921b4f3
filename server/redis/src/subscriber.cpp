// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/redis/subscriber.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <utility>
#include <vector>

#include "sentinels.hpp"
#include "slot_map_request.hpp"
#include "subscription.hpp"

namespace petstore::redis {
namespace {

using line_result = result<std::shared_ptr<channel>>;

/// The nodes to listen to, in turn: those of the address, and the masters of the cluster that one of them was part of,
/// since each node of the address may be replaced one day.
class turns {
 public:
  explicit turns(std::shared_ptr<dialer> calls) : dialer_(std::move(calls)) {}

  asio::awaitable<line_result> greet_next(std::shared_ptr<turns>) {
    node const where = next();
    auto greeting = dialer_->greet(where);
    result<dialer::greeted> found = co_await std::move(greeting);
    if (!found) co_return found.error();
    if (found->said.mode == "cluster") {
      auto asking = ask_for_slot_map(found->line, where, dialer_->deadline());
      result<std::vector<slot_range>> const map = co_await std::move(asking);
      if (!map) co_return map.error();
      masters_.clear();
      for (slot_range const& range : *map) masters_.push_back(range.master);
    }
    co_return std::move(found->line);
  }

 private:
  node next() {
    auto const& named = dialer_->address().nodes;
    auto const which = next_++ % (named.size() + masters_.size());
    return which < named.size() ? named[which] : masters_[which - named.size()];
  }

  std::shared_ptr<dialer> const dialer_;
  std::vector<node> masters_;  // one with several ranges of slots is there several times
  std::size_t next_ = 0;
};

asio::awaitable<line_result> greet_master(std::shared_ptr<dialer> calls, std::shared_ptr<sentinels> asked) {
  auto finding = asked->find_master();
  result<node> master = co_await std::move(finding);
  if (!master) co_return master.error();
  auto greeting = calls->greet(std::move(*master));
  result<dialer::greeted> found = co_await std::move(greeting);
  if (found) co_return std::move(found->line);
  asked->doubt();
  co_return found.error();
}

subscription::opener make_opener(std::shared_ptr<dialer> const& calls) {
  if (calls->address().kind == address::topology::sentinel) {
    return [calls, asked = std::make_shared<sentinels>(calls)] { return greet_master(calls, asked); };
  }
  return [all = std::make_shared<turns>(calls)] { return all->greet_next(all); };
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
