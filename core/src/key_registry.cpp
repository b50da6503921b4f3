// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_registry.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "constant_time.hpp"

namespace petstore {
namespace {

/// A hash of a SHA-256 digest. Any bytes of the digest are a good hash; position and tag are different bytes.
struct hash {
  explicit hash(sha256_digest const& digest) noexcept {
    static_assert(sizeof position + sizeof tag <= sizeof digest);
    std::memcpy(&position, digest.data(), sizeof position);
    std::memcpy(&tag, digest.data() + sizeof position, sizeof tag);
  }
  std::size_t position;
  std::uint32_t tag;
};

bool is_expired(key_entry const& entry, unix_ms now) noexcept {
  return entry.expires_unix_ms != 0 && entry.expires_unix_ms <= now.time_since_epoch().count();
}

/// The plan of that name, or the plan free. Throws std::invalid_argument if there is neither.
plan_table::value_type const& find_plan(std::string_view name, plan_table const& plans) {
  auto named = plans.find(name);
  if (named == plans.end()) named = plans.find("free");
  if (named == plans.end()) throw std::invalid_argument("the plan table has no plan free");
  return *named;
}

/// The plan with the quotas of the identity in place of its own; nullopt if one is outside its range, or if they do not
/// go together. A store has only what `decide` let in; a host's own one may have anything.
std::optional<limits::plan> with_overrides(limits::plan plan, identity_record const& identity) noexcept {
  auto const shorter = limits::short_window::of(limits::per_minute(identity.per_minute.value_or(1)));
  auto const longer = limits::long_window::of(limits::per_day(identity.per_day.value_or(1)));
  if (!shorter || !longer) return std::nullopt;
  if (identity.per_minute) plan.short_window = *shorter;
  if (identity.per_day) plan.long_window = *longer;
  return plan.is_sound() ? std::optional{plan} : std::nullopt;
}

/// Does the same as `plan_of`, but returns nullopt if the identity has a quota of its own that is outside its range or
/// makes a plan that is not sound.
std::optional<plan_in_force> find_plan_of(identity_record const& identity, plan_table const& plans) {
  auto const& [name, named] = find_plan(identity.plan, plans);
  auto const numbers = with_overrides(named, identity);
  if (!numbers) return std::nullopt;
  bool const has_own = identity.per_minute || identity.per_day;
  return plan_in_force{has_own ? identity.plan : name, *numbers};
}

}  // namespace

plan_in_force plan_of(identity_record const& identity, plan_table const& plans) {
  if (auto found = find_plan_of(identity, plans)) return std::move(*found);
  throw std::invalid_argument("a quota of the identity " + std::to_string(identity.number) +
                              " is outside its range, or does not go together with its plan");
}

key_snapshot::key_snapshot(key_directory const& directory, plan_table const& plans,
                           std::function<limits::account&(std::uint64_t identity, limits::plan const&,
                                                          std::uint64_t resets)> const& account_of)
    : version_(directory.version) {
  /// The values that all keys of one identity share.
  struct owner {
    identity_record const* identity;
    plan_in_force plan;
    limits::account* account = nullptr;  ///< null until its first key is read
    std::uint32_t plan_number = 0;
  };
  std::unordered_map<std::uint64_t, owner> owners;
  for (auto const& identity : directory.identities) {
    if (auto plan = find_plan_of(identity, plans))
      owners.emplace(identity.number, owner{&identity, std::move(*plan)});
    else
      left_out_.push_back(identity.number);
  }

  if (directory.keys.size() >= std::numeric_limits<std::uint32_t>::max()) throw std::length_error("too many keys");
  slots_.resize(std::bit_ceil(directory.keys.size() + directory.keys.size() / 2 + 2));  // never full, so a search ends
  entries_.reserve(directory.keys.size());
  for (auto const& key : directory.keys) {
    auto const found = owners.find(key.identity);
    if (key.revoked_at || found == owners.end()) continue;
    auto& owner = found->second;
    if (!owner.account) {
      owner.plan_number = number_of_plan(owner.plan.name);
      owner.account = &account_of(key.identity, owner.plan.numbers, owner.identity->quota_resets);
    }
    insert(
        {.digest = key.digest,
         .key = key.number,
         .identity = key.identity,
         .account = owner.account,
         .plan = owner.plan.numbers,
         .plan_name = plan_names_[owner.plan_number].get(),
         .scope = key.scope,
         .plan_number = owner.plan_number,
         .expires_unix_ms = key.expires_at ? std::max<std::int64_t>(1, key.expires_at->time_since_epoch().count()) : 0,
         .banned_until = owner.identity->banned_until.value_or(unix_ms{})});
  }
}

/// The index of the name among those of the keys, to which it is added when it is new.
std::uint32_t key_snapshot::number_of_plan(std::string const& name) {
  auto const known = std::ranges::find(plan_names_, name, [](auto const& each) { return *each; });
  auto const number = static_cast<std::uint32_t>(known - plan_names_.begin());
  if (known == plan_names_.end()) plan_names_.push_back(std::make_unique<std::string>(name));
  return number;
}

/// Adds the entry, and its slot.
void key_snapshot::insert(key_entry entry) {
  hash const wanted(entry.digest);
  auto at = wanted.position & (slots_.size() - 1);
  while (slots_[at].entry_number != 0) at = (at + 1) & (slots_.size() - 1);
  entries_.push_back(entry);
  slots_[at] = {entry.account, wanted.tag, static_cast<std::uint32_t>(entries_.size())};
}

key_entry const* key_snapshot::find(sha256_digest const& digest, unix_ms now) const noexcept {
  hash const wanted(digest);
  for (auto at = wanted.position & (slots_.size() - 1); slots_[at].entry_number != 0;
       at = (at + 1) & (slots_.size() - 1)) {
    slot const& candidate = slots_[at];
    if (candidate.tag != wanted.tag) continue;
    // With many keys, neither the entry nor the account, which is charged next, is in a cache. The prefetch loads both
    // at the same time.
    __builtin_prefetch(candidate.account, 1);
    key_entry const& entry = entries_[candidate.entry_number - 1];
    if (!equals_in_constant_time(entry.digest.data(), digest)) continue;
    return is_expired(entry, now) ? nullptr : &entry;
  }
  return nullptr;
}

key_registry::key_registry() : current_(std::make_shared<key_snapshot const>(key_directory{}, plan_table{}, nullptr)) {}

void key_registry::publish(std::shared_ptr<key_snapshot const> next) {
  {
    std::lock_guard const lock(mutex_);
    current_.swap(next);
    // Under the lock, so that a reader under the lock reads the generation of the snapshot that it takes.
    generation_.fetch_add(1, std::memory_order_relaxed);
  }
  // If no reader has the old snapshot, it is destroyed here, after the lock is released.
}

std::shared_ptr<key_snapshot const> key_registry::current() const {
  std::lock_guard const lock(mutex_);
  return current_;
}

key_registry::reader::reader(key_registry const& registry) : registry_(registry) {}

key_snapshot const& key_registry::reader::get() {
  // Relaxed is enough: the number only shows that something changed. The mutex makes the change visible.
  if (registry_.generation_.load(std::memory_order_relaxed) != generation_) {
    std::shared_ptr<key_snapshot const> old;  // outlives the lock, since destroying a large table takes long
    std::lock_guard const lock(registry_.mutex_);
    old = std::exchange(held_, registry_.current_);
    generation_ = registry_.generation_.load(std::memory_order_relaxed);
  }
  return *held_;
}

}  // namespace petstore
