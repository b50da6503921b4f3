// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/key_catalog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>

#include "petstore/limits/notice.hpp"
#include "petstore/server/quota_body.hpp"

namespace petstore::program {
namespace {

/// An account counts on the boot clock, so the end of the same ban may differ from the record by as much.
constexpr std::chrono::seconds translation_slack{1};

unix_ms in_milliseconds(limits::wall_time time) {
  return std::chrono::floor<std::chrono::milliseconds>(time);
}

}  // namespace

known_key const* key_list::find(std::uint64_t number) const noexcept {
  auto const at = std::ranges::lower_bound(keys_, number, {}, [](known_key const& k) { return k.key.number; });
  return at != keys_.end() && at->key.number == number ? &*at : nullptr;
}

boost::asio::awaitable<result<std::shared_ptr<key_list const>>> key_catalog::read() {
  auto const version = co_await store_.keys_version();
  if (!version) co_return version.error();
  auto plans = plans_();
  if (list_ && *version == version_ && plans == plans_of_list_) co_return list_;
  auto directory = co_await store_.read_keys();
  if (!directory) co_return directory.error();
  auto const directory_version = directory->version;
  list_ = std::make_shared<key_list const>(list_of(*std::move(directory), plans));
  version_ = directory_version;
  plans_of_list_ = std::move(plans);
  co_return list_;
}

key_list key_catalog::list_of(key_directory directory, plan_table const& plans) const {
  std::unordered_map<std::uint64_t, identity_record const*> identities;
  for (auto const& identity : directory.identities) identities.emplace(identity.number, &identity);
  std::vector<known_key> keys;
  keys.reserve(directory.keys.size());
  for (auto& key : directory.keys) {
    auto const identity = identities.find(key.identity);
    if (identity == identities.end()) continue;  // the store has reported that its record is damaged
    keys.push_back(make(std::move(key), *identity->second, plans));
  }
  return key_list{std::move(keys)};
}

known_key key_catalog::make(key_record key, identity_record identity, plan_table const& plans) const {
  auto plan = plan_of(identity, plans);
  ports::payer payer;
  payer.kind = ports::payer::kind::identity;
  payer.account = &quotas_.account_of(identity.number, plan.numbers, identity.quota_resets);
  payer.plan = plan.numbers;
  return {std::move(key), std::move(identity), payer, std::move(plan.name)};
}

boost::asio::awaitable<result<known_key>> key_catalog::find(std::uint64_t number) {
  auto reading = read();
  auto const keys = co_await std::move(reading);
  if (!keys) co_return keys.error();
  auto const* const found = (*keys)->find(number);
  if (!found) co_return error{errc::not_found, fmt::format("There is no key k{}.", number), {}};
  auto key = *found;
  auto reading_use = read_last_use(key);
  auto const used = co_await std::move(reading_use);
  if (!used) co_return used.error();
  co_return key;
}

boost::asio::awaitable<result<void>> key_catalog::read_last_use(known_key& k) const {
  auto reading = store_.read_last_uses(k.key.number, k.key.number);
  auto const found = co_await std::move(reading);
  if (!found) co_return found.error();
  if (!found->empty()) k.last_used = found->front().at;
  co_return result<void>{};
}

boost::asio::awaitable<void> key_catalog::look_at_quota(known_key const& k) const {
  auto looking = quotas_.look(k.payer, clock_()).wait();
  [[maybe_unused]] auto const seen = co_await std::move(looking);
}

known_key key_catalog::make(key_record key, identity_record identity) const {
  return make(std::move(key), std::move(identity), plans_());
}

key_object key_catalog::describe(known_key const& k) const {
  auto const now = clock_();
  auto const now_ms = in_milliseconds(now.wall);
  std::optional<unix_ms> banned_until;
  if (k.identity.banned_until && *k.identity.banned_until > now_ms) banned_until = k.identity.banned_until;
  // Only a ban blocks an observation. A ban for strikes may last longer than the operator's.
  auto const blocked_for = quotas_.observe(k.payer, now).blocked_for;
  auto const blocked_until = in_milliseconds(now.wall + blocked_for);
  if (blocked_until > (banned_until ? *banned_until + translation_slack : now_ms)) banned_until = blocked_until;
  return {k.key, k.identity, banned_until, k.last_used, now_ms};
}

void key_catalog::add_quota(json_object& object, known_key const& k) const {
  std::string quota;
  server::append_quota_body(quota, k.plan_name, limits::tell(quotas_.observe(k.payer, clock_())));
  object.add_json("quota", quota);
}

}  // namespace petstore::program
