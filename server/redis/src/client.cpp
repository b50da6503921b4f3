// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/redis/client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "completion.hpp"
#include "core.hpp"
#include "slot.hpp"

namespace petstore::redis {

client::client(asio::any_io_executor executor, client_options options)
    : core_{std::make_shared<core>(std::move(executor), std::move(options))} {
  asio::post(core_->executor(), [begun = core_] { begun->start(); });
}

client::~client() {
  close();
}

asio::awaitable<result<reply>> client::run_script(script const& to_run, std::vector<std::string> keys,
                                                  std::vector<std::string> arguments, time_point deadline) {
  auto one = std::make_unique<call>();
  one->to_run = &to_run;
  one->deadline = deadline;
  if (!keys.empty()) one->slot = slot_of(keys.front());
  one->words.push_back(std::to_string(keys.size()));
  for (auto* const more : {&keys, &arguments}) {
    one->words.insert(one->words.end(), std::make_move_iterator(more->begin()), std::make_move_iterator(more->end()));
  }
  return begin(std::move(one));
}

asio::awaitable<result<reply>> client::command(std::vector<std::string> words, std::string key, time_point deadline) {
  auto one = std::make_unique<call>();
  one->words = std::move(words);
  one->deadline = deadline;
  if (!key.empty()) one->slot = slot_of(key);
  return begin(std::move(one));
}

asio::awaitable<result<reply>> client::begin(std::unique_ptr<call> one) {
  auto submit = [asked = core_](std::unique_ptr<call> begun) {
    asio::dispatch(asked->executor(), [asked, begun = std::move(begun)]() mutable { asked->submit(std::move(begun)); });
  };
  return await_call(std::move(one), std::move(submit));
}

asio::awaitable<result<void>> client::wait_until_connected(time_point deadline) {
  return asio::co_spawn(core_->executor(), core_->wait_until_connected(core_, deadline), asio::use_awaitable);
}

asio::awaitable<result<std::vector<inspection>>> client::inspect(time_point deadline) {
  return asio::co_spawn(core_->executor(), core_->inspect(core_, deadline), asio::use_awaitable);
}

bool client::is_connected() const noexcept {
  return core_->is_connected();
}

std::size_t client::connected_servers() const noexcept {
  return core_->connected_servers();
}

client_counters client::counters() const noexcept {
  return core_->counters();
}

void client::close() {
  asio::dispatch(core_->executor(), [closed = core_] { closed->close(); });
}

}  // namespace petstore::redis
