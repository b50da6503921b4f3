// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/key_check_cache.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/this_coro.hpp>
#include <exception>
#include <list>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <variant>

#include "access/pending_check.hpp"
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

  std::optional<principal> const* find(sha256_digest const& token, limits::instant now) const {
    auto const known = found_.find(token);
    return known != found_.end() && known->second.is_valid(now) ? &known->second.answer : nullptr;
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
    bool is_valid(limits::instant now) const noexcept {
      return now.boot < until && (!answer || now.wall < answer->valid_until);
    }

    std::optional<principal> answer;
    limits::boot_time until;
    std::list<sha256_digest>::iterator place;  ///< in `order_`
  };

  std::size_t const size_max_;
  std::unordered_map<sha256_digest, entry, digest_hash> found_;
  std::list<sha256_digest> order_;  ///< the oldest answer first
};

}  // namespace

/// Shared by the cache and the coroutines of requests, which a context may destroy after the cache.
struct key_check_cache::impl : std::enable_shared_from_this<impl> {
  using answer = pending_check::answer;

  struct question {
    std::string_view token;
    sha256_digest digest;
    limits::instant now;
  };

  struct shard {
    shard(digest_hash hash, std::size_t size_max) : known{hash, size_max}, unknown{hash, size_max}, pending{0, hash} {}

    answer const* find(sha256_digest const& token, limits::instant now) const {
      for (answers const* const all : {&known, &unknown})
        if (auto const* const found = all->find(token, now)) return found;
      return nullptr;
    }
    /// From now on nobody joins the call. Returns false if that is so already.
    bool remove(sha256_digest const& token, pending_check const& check) noexcept {
      auto const place = pending.find(token);
      if (place == pending.end() || place->second.get() != &check) return false;
      pending.erase(place);
      return true;
    }

    std::mutex mutex;
    answers known;
    answers unknown;
    /// The calls that are under way, but those for tokens that were forgotten meanwhile.
    std::unordered_map<sha256_digest, std::shared_ptr<pending_check>, digest_hash> pending;
  };

  /// The right to make the call for a token. If it goes without an outcome, because its request has left, the requests
  /// that wait ask anew.
  class turn {
   public:
    turn(std::shared_ptr<impl> cache, std::shared_ptr<pending_check> check, question const& q)
        : cache_{std::move(cache)}, check_{std::move(check)}, token_{q.digest}, asked_at_{q.now.boot} {}
    turn(turn&&) = default;
    ~turn() { end({}); }

    void succeed(answer const& found) {
      cache_->remember(token_, *check_, found, asked_at_);
      end(found);
    }
    void fail(std::exception_ptr why) noexcept { end(std::move(why)); }

   private:
    void end(pending_check::outcome got) noexcept {
      if (!check_) return;
      cache_->remove(token_, *check_);
      std::exchange(check_, nullptr)->end(std::move(got));
    }

    std::shared_ptr<impl> cache_;
    std::shared_ptr<pending_check> check_;  ///< null once it has ended
    sha256_digest token_;
    limits::boot_time asked_at_;
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

  void remember(sha256_digest const& token, pending_check const& check, answer const& found, limits::boot_time now) {
    auto const lifetime = found ? options.valid_for : options.unknown_for;
    auto& s = shard_of(token);
    std::lock_guard const lock{s.mutex};
    if (!s.remove(token, check)) return;  // forgotten meanwhile
    (found ? s.unknown : s.known).erase(token);
    if (lifetime.count() > 0) (found ? s.known : s.unknown).put(token, found, now + lifetime);
  }
  void remove(sha256_digest const& token, pending_check const& check) noexcept {
    auto& s = shard_of(token);
    std::lock_guard const lock{s.mutex};
    s.remove(token, check);
  }

  ports::eventual<answer> check(question const& q) {
    {
      auto& s = shard_of(q.digest);
      std::lock_guard const lock{s.mutex};
      if (auto const* const known = s.find(q.digest, q.now)) return *known;
    }
    return ask(q);
  }

  ports::eventual<answer> ask(question const& q) {
    auto place = join(q);
    if (auto* const known = std::get_if<answer>(&place)) return std::move(*known);
    if (auto* const mine = std::get_if<turn>(&place)) return call(std::move(*mine), q);
    return wait(shared_from_this(), std::get<std::shared_ptr<pending_check>>(std::move(place)), q);
  }

  /// The answer, if it has come meanwhile; or the call that is under way; or the turn to make it.
  std::variant<answer, std::shared_ptr<pending_check>, turn> join(question const& q) {
    auto& s = shard_of(q.digest);
    std::lock_guard const lock{s.mutex};
    if (auto const* const found = s.find(q.digest, q.now)) return *found;
    if (auto const place = s.pending.find(q.digest); place != s.pending.end()) return place->second;
    auto check = std::make_shared<pending_check>();
    s.pending.emplace(q.digest, check);
    return turn{shared_from_this(), std::move(check), q};
  }

  ports::eventual<answer> call(turn mine, question const& q) {
    try {
      auto asking = asked.check(q.token, q.now);
      if (!asking.is_ready()) return finish(std::move(mine), asking.work());
      answer found = asking.take();
      mine.succeed(found);
      return found;
    } catch (...) {
      mine.fail(std::current_exception());
      throw;
    }
  }

  /// A failure may be that of the request alone, which was cancelled.
  static asio::awaitable<answer> finish(turn mine, asio::awaitable<answer> work) {
    std::exception_ptr failure;
    try {
      answer found = co_await std::move(work);
      mine.succeed(found);
      co_return found;
    } catch (...) {
      failure = std::current_exception();
    }
    auto const state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() == asio::cancellation_type::none) mine.fail(failure);
    std::rethrow_exception(failure);
  }

  static asio::awaitable<answer> wait(std::shared_ptr<impl> self, std::shared_ptr<pending_check> check, question q) {
    for (;;) {
      auto waiting = pending_check::wait(std::move(check));
      auto const got = co_await std::move(waiting);
      if (auto const* const found = std::get_if<answer>(&got)) co_return *found;
      if (auto const* const why = std::get_if<std::exception_ptr>(&got)) std::rethrow_exception(*why);
      auto place = self->join(q);
      if (auto* const known = std::get_if<answer>(&place)) co_return std::move(*known);
      if (auto* const mine = std::get_if<turn>(&place)) {
        auto asking = self->call(std::move(*mine), q);
        auto work = std::move(asking).wait();
        co_return co_await std::move(work);
      }
      check = std::get<std::shared_ptr<pending_check>>(std::move(place));
    }
  }

  key_check& asked;
  key_check_cache_options const options;
  std::array<std::unique_ptr<shard>, shard_count> shards;
};

key_check_cache::key_check_cache(key_check& asked, key_check_cache_options options)
    : impl_{std::make_shared<impl>(asked, options)} {}

key_check_cache::~key_check_cache() = default;

ports::eventual<std::optional<principal>> key_check_cache::check(std::string_view token, limits::instant now) {
  return impl_->check({token, sha256(token), now});
}

void key_check_cache::forget(std::string_view token) noexcept {
  auto const digest = sha256(token);
  auto& s = impl_->shard_of(digest);
  std::lock_guard const lock{s.mutex};
  s.known.erase(digest);
  s.unknown.erase(digest);
  s.pending.erase(digest);
}

void key_check_cache::forget_all() noexcept {
  for (auto const& s : impl_->shards) {
    std::lock_guard const lock{s->mutex};
    s->known.clear();
    s->unknown.clear();
    s->pending.clear();
  }
}

}  // namespace petstore::server
