// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/ticket_keys.hpp"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>

namespace petstore::server::tls {
namespace {

bool fill(std::span<unsigned char> bytes) {
  return RAND_priv_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1;
}

void forget(std::optional<ticket_keys::key>& k) {
  if (!k) return;
  OPENSSL_cleanse(&*k, sizeof *k);
  k.reset();
}

}  // namespace

ticket_keys::~ticket_keys() {
  forget(current_);
  forget(previous_);
}

/// Called under the lock.
void ticket_keys::age(time now) {
  if (current_ && now - made_at_ >= lifetime) {
    forget(previous_);
    previous_ = current_;
    previous_ends_at_ = made_at_ + 2 * lifetime;
    forget(current_);
  }
  if (previous_ && now >= previous_ends_at_) forget(previous_);
}

std::optional<ticket_keys::key> ticket_keys::current(time now) {
  std::lock_guard const lock{mutex_};
  age(now);
  if (!current_) {
    key fresh;
    if (!fill(fresh.name) || !fill(fresh.cipher) || !fill(fresh.mac)) return std::nullopt;
    current_ = fresh;
    made_at_ = now;
  }
  return current_;
}

std::optional<ticket_keys::found_key> ticket_keys::find(std::span<unsigned char const, 16> name, time now) {
  std::lock_guard const lock{mutex_};
  age(now);
  if (current_ && std::ranges::equal(current_->name, name)) return found_key{*current_, true};
  if (previous_ && std::ranges::equal(previous_->name, name)) return found_key{*previous_, false};
  return std::nullopt;
}

}  // namespace petstore::server::tls
