// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_registry.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

BOOST_AUTO_TEST_SUITE(key_registry_)

using namespace petstore;
using namespace std::chrono_literals;

namespace {

constexpr unix_ms noon{1'780'315'200'000ms};

sha256_digest digest_of(std::uint64_t number) {
  std::mt19937_64 random(number);
  sha256_digest digest;
  for (auto& byte : digest) byte = static_cast<unsigned char>(random());
  return digest;
}

key_record key(std::uint64_t number, std::uint64_t identity) {
  key_record k;
  k.number = number;
  k.identity = identity;
  k.digest = digest_of(number);
  k.created_at = noon;
  return k;
}

identity_record identity(std::uint64_t number, std::string plan, std::optional<std::uint32_t> per_minute = {},
                         std::optional<std::uint64_t> per_day = {}) {
  identity_record i;
  i.number = number;
  i.plan = std::move(plan);
  i.per_minute = per_minute;
  i.per_day = per_day;
  return i;
}

plan_table const plans{{"free", {limits::per_minute(60), limits::per_day(1000)}},
                       {"smooth",
                        {.short_window = limits::per_minute(300),
                         .long_window = limits::per_day(10'000),
                         .short_refill = limits::refill::continuous}}};

/// Accounts as a quota source hands them out: one of each identity, wherever it is asked for.
class account_book {
 public:
  key_snapshot read(key_directory const& directory, plan_table const& of_plans = plans) {
    auto const account_of = [this](std::uint64_t identity, limits::plan const& p,
                                   std::uint64_t resets) -> limits::account& {
      ++asked[identity];
      plan_of.insert_or_assign(identity, p);
      resets_of[identity] = resets;
      return accounts_[identity];
    };
    return key_snapshot(directory, of_plans, account_of);
  }

  std::map<std::uint64_t, int> asked;
  std::map<std::uint64_t, limits::plan> plan_of;
  std::map<std::uint64_t, std::uint64_t> resets_of;

 private:
  std::map<std::uint64_t, limits::account> accounts_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_quota_of_an_identity_outside_its_range_is_an_error) {
  for (std::uint32_t const per_minute : {std::uint32_t{0}, limits::short_tokens_max + 1})
    BOOST_CHECK_THROW((void)plan_of(identity(1, "free", per_minute), plans), std::invalid_argument);
  for (std::uint64_t const per_day : {std::uint64_t{0}, limits::long_tokens_max + 1})
    BOOST_CHECK_THROW((void)plan_of(identity(1, "free", {}, per_day), plans), std::invalid_argument);
  BOOST_TEST(plan_of(identity(1, "free", limits::short_tokens_max), plans).numbers.short_window.tokens() ==
             limits::short_tokens_max);
}

BOOST_AUTO_TEST_CASE(a_quota_of_an_identity_that_does_not_go_together_with_its_plan_is_an_error) {
  plan_table const others{{"free", {limits::per_day(10)}},
                          {"odd", {limits::per_second(10), limits::window{300, std::chrono::minutes{1}}}}};
  BOOST_CHECK_THROW((void)plan_of(identity(1, "free", {}, 60), others), std::invalid_argument);
  BOOST_CHECK_THROW((void)plan_of(identity(1, "odd", 60), others), std::invalid_argument);
  BOOST_TEST((plan_of(identity(1, "odd", {}, 60), others).numbers.long_window.tokens() == 60u));
  key_directory directory;
  directory.identities = {identity(1, "odd", 60), identity(2, "odd")};
  directory.keys = {key(1, 1), key(2, 2)};
  account_book book;
  auto const snapshot = book.read(directory, others);
  BOOST_TEST((snapshot.left_out() == std::vector<std::uint64_t>{1}));
}

BOOST_AUTO_TEST_CASE(an_identity_with_a_quota_outside_its_range_is_left_out_alone) {
  key_directory directory;
  directory.identities = {identity(1, "free", 0), identity(2, "free"),
                          identity(3, "free", {}, limits::long_tokens_max + 1), identity(4, "free", {}, 0)};
  directory.keys = {key(1, 1), key(2, 2), key(3, 3), key(4, 1), key(5, 4)};
  account_book book;
  auto const snapshot = book.read(directory);
  BOOST_TEST(snapshot.size() == 1u);
  BOOST_TEST(snapshot.find(digest_of(2), noon) != nullptr);
  BOOST_TEST(snapshot.find(digest_of(1), noon) == nullptr);
  BOOST_TEST((snapshot.left_out() == std::vector<std::uint64_t>{1, 3, 4}));
}

BOOST_AUTO_TEST_CASE(an_empty_directory_knows_nobody) {
  account_book book;
  auto const snapshot = book.read({.version = 3, .keys = {}, .identities = {}});
  BOOST_TEST(snapshot.version() == 3u);
  BOOST_TEST(snapshot.size() == 0u);
  BOOST_TEST(snapshot.find(digest_of(1), noon) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_key_is_found_by_its_digest_with_all_that_a_request_needs) {
  account_book book;
  auto k = key(7, 3);
  k.scope = key_scope::read;
  auto const snapshot = book.read({.version = 1, .keys = {k}, .identities = {identity(3, "smooth")}});
  auto const* entry = snapshot.find(digest_of(7), noon);
  BOOST_REQUIRE(entry);
  BOOST_TEST(entry->key == 7u);
  BOOST_TEST(entry->identity == 3u);
  BOOST_TEST(entry->account != nullptr);
  BOOST_TEST((entry->plan == plans.at("smooth")));
  BOOST_TEST(*entry->plan_name == "smooth");
  BOOST_TEST((entry->scope == key_scope::read));
}

BOOST_AUTO_TEST_CASE(a_digest_that_differs_in_one_bit_is_not_found) {
  account_book book;
  auto const snapshot = book.read({.version = 1, .keys = {key(7, 7)}, .identities = {identity(7, "free")}});
  for (std::size_t bit = 0; bit < 256; ++bit) {
    auto digest = digest_of(7);
    digest[bit / 8] = static_cast<unsigned char>(digest[bit / 8] ^ (1u << bit % 8));
    BOOST_TEST(snapshot.find(digest, noon) == nullptr);
  }
}

BOOST_AUTO_TEST_CASE(digests_that_fall_on_one_slot_are_all_found) {
  account_book book;
  key_directory directory{.version = 1, .keys = {}, .identities = {identity(1, "free")}};
  for (std::uint64_t n = 1; n <= 40; ++n) {
    auto k = key(n, 1);
    std::fill_n(k.digest.begin(), 16, static_cast<unsigned char>(0xFF));  // the last slot, one tag: probes wrap around
    directory.keys.push_back(k);
  }
  auto const snapshot = book.read(directory);
  for (auto const& k : directory.keys) {
    auto const* entry = snapshot.find(k.digest, noon);
    BOOST_REQUIRE(entry);
    BOOST_TEST(entry->key == k.number);
  }
  auto unknown = directory.keys.front().digest;
  unknown.back() = static_cast<unsigned char>(unknown.back() ^ 1);
  BOOST_TEST(snapshot.find(unknown, noon) == nullptr);
}

BOOST_AUTO_TEST_CASE(the_table_agrees_with_a_map) {
  account_book book;
  key_directory directory{.version = 1, .keys = {}, .identities = {identity(1, "free")}};
  std::mt19937_64 random(8);
  std::set<std::uint64_t> working;
  for (std::uint64_t n = 1; n <= 3000; ++n) {
    auto k = key(n, 1);
    if (random() % 3 == 0) {
      k.revoked_at = noon;
    } else {
      working.insert(n);
    }
    directory.keys.push_back(k);
  }
  auto const snapshot = book.read(directory);
  BOOST_TEST(snapshot.size() == working.size());
  for (std::uint64_t n = 1; n <= 6000; ++n) {
    auto const* entry = snapshot.find(digest_of(n), noon);
    BOOST_REQUIRE((entry ? entry->key : 0) == (working.contains(n) ? n : 0));
  }
}

BOOST_AUTO_TEST_CASE(a_revoked_key_is_not_in_it) {
  account_book book;
  auto k = key(7, 7);
  k.revoked_at = noon + 1h;  // revoked is revoked, whatever the clock says
  auto const snapshot = book.read({.version = 1, .keys = {k}, .identities = {identity(7, "free")}});
  BOOST_TEST(snapshot.find(digest_of(7), noon) == nullptr);
  BOOST_TEST(snapshot.size() == 0u);
  BOOST_TEST(book.asked.empty());
}

BOOST_AUTO_TEST_CASE(a_key_works_until_it_expires) {
  account_book book;
  auto k = key(7, 7);
  k.expires_at = noon;
  auto long_gone = key(8, 7);
  long_gone.expires_at = unix_ms{};
  auto const snapshot = book.read({.version = 1, .keys = {k, long_gone}, .identities = {identity(7, "free")}});
  BOOST_TEST(snapshot.find(digest_of(7), noon - 1ms) != nullptr);
  BOOST_TEST(snapshot.find(digest_of(7), noon) == nullptr);
  BOOST_TEST(snapshot.find(digest_of(8), noon) == nullptr);
}

BOOST_AUTO_TEST_CASE(keys_of_one_identity_share_one_account) {
  account_book book;
  auto old_key = key(1, 1);
  old_key.replaced_by = 2;
  old_key.expires_at = noon + 24h;
  auto const snapshot = book.read({.version = 1,
                                   .keys = {old_key, key(2, 1), key(3, 3)},
                                   .identities = {identity(1, "free"), identity(3, "free")}});
  BOOST_TEST(snapshot.find(digest_of(1), noon)->account == snapshot.find(digest_of(2), noon)->account);
  BOOST_TEST(snapshot.find(digest_of(1), noon)->account != snapshot.find(digest_of(3), noon)->account);
  BOOST_TEST(book.asked[1] == 1);
}

BOOST_AUTO_TEST_CASE(an_identitys_numbers_override_its_plans) {
  account_book book;
  auto const snapshot = book.read({.version = 1,
                                   .keys = {key(1, 1), key(2, 2)},
                                   .identities = {identity(1, "smooth", 5), identity(2, "free", {}, 7)}});
  limits::plan const first{.short_window = limits::per_minute(5),
                           .long_window = limits::per_day(10'000),
                           .short_refill = limits::refill::continuous};
  limits::plan const second{limits::per_minute(60), limits::per_day(7)};
  BOOST_TEST((snapshot.find(digest_of(1), noon)->plan == first));
  BOOST_TEST((snapshot.find(digest_of(2), noon)->plan == second));
  BOOST_TEST((book.plan_of.at(1) == first));
}

BOOST_AUTO_TEST_CASE(a_plan_that_is_not_configured_lives_by_the_identitys_own_numbers) {
  account_book book;
  auto const snapshot =
      book.read({.version = 1, .keys = {key(1, 1)}, .identities = {identity(1, "enterprise", 5000, 1'000'000)}});
  auto const* entry = snapshot.find(digest_of(1), noon);
  BOOST_TEST((entry->plan == limits::plan{limits::per_minute(5000), limits::per_day(1'000'000)}));
  BOOST_TEST(*entry->plan_name == "enterprise");
}

BOOST_AUTO_TEST_CASE(plans_are_numbered_by_their_names) {
  account_book book;
  auto const snapshot = book.read(
      {.version = 1,
       .keys = {key(1, 1), key(2, 2), key(3, 3), key(4, 4)},
       .identities = {identity(1, "smooth"), identity(2, "free"), identity(3, "smooth"), identity(4, "gone")}});
  BOOST_TEST(snapshot.plan_count() == 2u);
  auto const number = [&](std::uint64_t of) { return snapshot.find(digest_of(of), noon)->plan_number; };
  BOOST_TEST(number(1) == 0u);
  BOOST_TEST(number(2) == 1u);
  BOOST_TEST(number(3) == 0u);
  BOOST_TEST(number(4) == 1u);
}

BOOST_AUTO_TEST_CASE(a_plan_that_is_gone_falls_back_to_free) {
  account_book book;
  auto const snapshot = book.read({.version = 1, .keys = {key(1, 1)}, .identities = {identity(1, "gold")}});
  auto const* entry = snapshot.find(digest_of(1), noon);
  BOOST_TEST((entry->plan == plans.at("free")));
  BOOST_TEST(*entry->plan_name == "free");
}

BOOST_AUTO_TEST_CASE(a_table_without_free_cannot_stand_in_for_a_plan_that_is_gone) {
  limits::account account;
  BOOST_CHECK_THROW(key_snapshot({.version = 1, .keys = {key(1, 1)}, .identities = {identity(1, "gold")}}, {},
                                 [&](auto, auto const&, auto) -> limits::account& { return account; }),
                    std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_key_without_its_identity_is_left_out) {
  account_book book;
  auto const snapshot = book.read({.version = 1, .keys = {key(1, 9)}, .identities = {}});
  BOOST_TEST(snapshot.find(digest_of(1), noon) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_reader_follows_what_is_published) {
  account_book book;
  key_registry registry;
  key_registry::reader reader(registry);
  BOOST_TEST(reader.get().size() == 0u);

  key_directory directory{.version = 1, .keys = {key(1, 1)}, .identities = {identity(1, "free")}};
  registry.publish(std::make_shared<key_snapshot const>(book.read(directory)));
  BOOST_TEST(reader.get().version() == 1u);
  BOOST_TEST(&reader.get() == registry.current().get());

  directory.version = 2;
  registry.publish(std::make_shared<key_snapshot const>(book.read(directory)));
  BOOST_TEST(reader.get().version() == 2u);
  BOOST_TEST(key_registry::reader(registry).get().version() == 2u);
}

BOOST_AUTO_TEST_CASE(a_snapshot_lives_until_its_last_reader_moves_on) {
  account_book book;
  key_registry registry;
  key_registry::reader reader(registry);
  auto published = std::make_shared<key_snapshot const>(book.read({.version = 1, .keys = {}, .identities = {}}));
  std::weak_ptr<key_snapshot const> const watched = published;
  registry.publish(std::move(published));
  reader.get();
  registry.publish(std::make_shared<key_snapshot const>(book.read({.version = 2, .keys = {}, .identities = {}})));
  BOOST_TEST(!watched.expired());
  reader.get();
  BOOST_TEST(watched.expired());
}

// For the thread sanitizer above all. Version v knows the keys v and v+1, so a reader can tell a torn or a stale table.
BOOST_AUTO_TEST_CASE(readers_see_whole_snapshots_in_order_while_one_thread_publishes) {
  constexpr std::uint64_t last_version = 500;
  std::vector<sha256_digest> digests;
  for (std::uint64_t n = 0; n <= last_version + 2; ++n) digests.push_back(digest_of(n));

  account_book book;
  key_registry registry;
  std::vector<std::uint64_t> faults(3);
  std::vector<std::thread> readers;
  for (auto& count : faults) {
    readers.emplace_back([&] {
      key_registry::reader reader(registry);
      std::uint64_t seen = 0;
      while (seen != last_version) {
        auto const& snapshot = reader.get();
        auto const version = snapshot.version();
        count += version < seen;
        seen = version;
        if (version == 0) continue;
        auto const* first = snapshot.find(digests[version], noon);
        auto const* second = snapshot.find(digests[version + 1], noon);
        count += !first || first->key != version || *first->plan_name != "free";
        count += !second || second->key != version + 1;
        count += snapshot.find(digests[version - 1], noon) != nullptr;
      }
    });
  }
  for (std::uint64_t v = 1; v <= last_version; ++v) {
    registry.publish(std::make_shared<key_snapshot const>(
        book.read({.version = v, .keys = {key(v, 1), key(v + 1, 1)}, .identities = {identity(1, "free")}})));
  }
  for (auto& t : readers) t.join();
  for (auto count : faults) BOOST_TEST(count == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
