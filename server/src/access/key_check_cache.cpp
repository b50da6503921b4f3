// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/key_check_cache.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "petstore/api_key.hpp"
#include "petstore/limits/keyed_hash.hpp"

namespace petstore::server {
namespace {

constexpr std::size_t shard_count = 16;

/// Clients choose the tokens, so they could choose digests with equal parts.
struct digest_hash {
  limits::keyed_hash hash;
  std::size_t operator()(sha256_digest const& d) const noexcept {
    return hash(std::string_view{reinterpret_cast<char const*>(d.data()), d.size()});
  }
};

/// A bounded table of answers, each valid until a time.
class answers {
 public:
  answers(digest_hash hash, std::size_t size_max) : size_max_{size_max}, found_{0, hash} {}

  std::optional<principal> const* find(sha256_digest const& token, limits::boot_time now) const {
    auto const known = found_.find(token);
    return known != found_.end() && now < known->second.until ? &known->second.answer : nullptr;
  }
  void put(sha256_digest const& token, std::optional<principal> answer, limits::boot_time until) {
    erase(token);
    if (found_.size() == size_max_) erase(order_.front());
    order_.push_back(token);
    try {
      found_.emplace(token, entry{std::move(answer), until, std::prev(order_.end())});
    } catch (...) {
      order_.pop_back();
      throw;
    }
  }
  void erase(sha256_digest const& token) noexcept {
    auto const known = found_.find(token);
    if (known == found_.end()) return;
    auto const place = known->second.place;
    found_.erase(known);
    order_.erase(place);  // last: the token may be the one in it
  }
  void clear() noexcept {
    found_.clear();
    order_.clear();
  }

 private:
  struct entry {
    std::optional<principal> answer;
    limits::boot_time until;
    std::list<sha256_digest>::iterator place;  ///< in `order_`
  };

  std::size_t const size_max_;
  std::unordered_map<sha256_digest, entry, digest_hash> found_;
  std::list<sha256_digest> order_;  ///< the oldest answer first
};

}  // namespace

struct key_check_cache::impl {
  struct shard {
    shard(digest_hash hash, std::size_t size_max) : known{hash, size_max}, unknown{hash, size_max} {}

    std::mutex mutex;
    answers known;
    answers unknown;
  };

  impl(key_check& check, key_check_cache_options const& o) : asked{check}, options{o} {
    if (o.valid_for.count() < 0 || o.unknown_for.count() < 0) throw std::invalid_argument{"a time is negative"};
    if (o.tokens_max == 0) throw std::invalid_argument{"the cache of key checks has no place for a token"};
    digest_hash const hash{limits::keyed_hash{limits::random_seed()}};
    std::size_t const size_max = std::max<std::size_t>(1, o.tokens_max / shard_count);
    for (auto& s : shards) s = std::make_unique<shard>(hash, size_max);
  }

  /// A digest is as good as a random number, and the hash of the tables is another one.
  shard& shard_of(sha256_digest const& token) const { return *shards[token[0] % shard_count]; }

  std::optional<std::optional<principal>> find(sha256_digest const& token, limits::boot_time now) const {
    auto& s = shard_of(token);
    std::lock_guard const lock{s.mutex};
    for (answers const* const all : {&s.known, &s.unknown})
      if (auto const* answer = all->find(token, now)) return *answer;
    return std::nullopt;
  }
  void remember(sha256_digest const& token, std::optional<principal> const& answer, limits::boot_time now) const {
    auto const lifetime = answer ? options.valid_for : options.unknown_for;
    auto& s = shard_of(token);
    std::lock_guard const lock{s.mutex};
    (answer ? s.unknown : s.known).erase(token);
    if (lifetime.count() > 0) (answer ? s.known : s.unknown).put(token, answer, now + lifetime);
  }

  key_check& asked;
  key_check_cache_options const options;
  std::array<std::unique_ptr<shard>, shard_count> shards;
};

key_check_cache::key_check_cache(key_check& asked, key_check_cache_options options)
    : impl_{std::make_unique<impl>(asked, options)} {}

key_check_cache::~key_check_cache() = default;

ports::eventual<std::optional<principal>> key_check_cache::check(std::string_view token, limits::instant now) {
  auto const digest = sha256(token);
  if (auto known = impl_->find(digest, now.boot)) return *std::move(known);
  return impl_->asked.check(token, now).then([this, digest, at = now.boot](std::optional<principal> answer) {
    impl_->remember(digest, answer, at);
    return answer;
  });
}

void key_check_cache::forget(std::string_view token) noexcept {
  auto const digest = sha256(token);
  auto& s = impl_->shard_of(digest);
  std::lock_guard const lock{s.mutex};
  s.known.erase(digest);
  s.unknown.erase(digest);
}

void key_check_cache::forget_all() noexcept {
  for (auto const& s : impl_->shards) {
    std::lock_guard const lock{s->mutex};
    s->known.clear();
    s->unknown.clear();
  }
}

}  // namespace petstore::server
