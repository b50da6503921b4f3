// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Threads that place orders for a few animals and take their steps: what they see must be what one thread could have
// seen.
#include "storage/linearizability.hpp"

#include <array>
#include <atomic>
#include <barrier>
#include <mutex>
#include <random>
#include <thread>

#include "storage/backends.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(linearizability)

namespace {

constexpr int thread_count = 4;
constexpr int calls_per_thread = 16;  // on all animals together, so that no history has more than 64
constexpr std::size_t animal_count = 2;
constexpr int rounds = 15;

/// A desk answers calls on an animal: `place` gives the order's id, or nothing; and so on.
class store_desk {
 public:
  explicit store_desk(test_store& s) : store_(s) {}

  std::int64_t add_animal() {
    return store_.create_pet({.name = "Rex", .category_id = 1, .status = pet_status::available})->id;
  }
  std::optional<std::int64_t> place(std::int64_t animal) {
    auto const placed = store_.create_order(animal);
    return placed ? std::optional{placed->id} : std::nullopt;
  }
  bool step(std::int64_t, std::int64_t order, order_status to) {
    return static_cast<bool>(store_.update_order(order, to));
  }
  std::optional<pet_status> read_animal(std::int64_t animal) {
    std::string json;
    return store_.read_pet(animal, json) ? decode_json<pet>(json)->status : std::nullopt;
  }
  std::optional<order_status> read_order(std::int64_t, std::int64_t order) {
    std::string json;
    return store_.read_order(order, json) ? std::optional{decode_json<petstore::order>(json)->status} : std::nullopt;
  }

 private:
  test_store& store_;
};

/// A mistake on purpose: it looks and acts, each under its mutex, but not both under one.
class careless_desk {
 public:
  std::int64_t add_animal() {
    std::lock_guard const lock(mutex_);
    animals_.emplace_back();
    return static_cast<std::int64_t>(animals_.size()) - 1;
  }
  std::optional<std::int64_t> place(std::int64_t animal) {
    if (read_animal(animal) != pet_status::available) return std::nullopt;
    std::this_thread::yield();
    std::lock_guard const lock(mutex_);
    of(animal).animal = pet_status::pending;
    of(animal).orders.emplace(++last_order_, order_status::placed);
    return last_order_;
  }
  bool step(std::int64_t animal, std::int64_t order, order_status to) {
    auto const before = read_order(animal, order);
    if (!before || !may_follow(*before, to)) return false;
    std::this_thread::yield();
    std::lock_guard const lock(mutex_);
    of(animal).orders[order] = to;
    of(animal).animal = pet_status_after(to).value_or(pet_status::pending);
    return true;
  }
  std::optional<pet_status> read_animal(std::int64_t animal) {
    std::lock_guard const lock(mutex_);
    return of(animal).animal;
  }
  std::optional<order_status> read_order(std::int64_t animal, std::int64_t order) {
    std::lock_guard const lock(mutex_);
    auto const known = of(animal).orders.find(order);
    return known != of(animal).orders.end() ? std::optional{known->second} : std::nullopt;
  }

 private:
  adoption& of(std::int64_t animal) { return animals_[static_cast<std::size_t>(animal)]; }

  std::mutex mutex_;
  std::vector<adoption> animals_;
  std::int64_t last_order_ = 0;
};

/// One animal as the threads share it.
struct watched_animal {
  std::int64_t id = 0;
  std::atomic<std::int64_t> latest_order{0};
  std::mutex mutex;
  std::vector<observed_call> history;
};

template <class Desk>
void call_once(Desk& desk, watched_animal& a, std::minstd_rand& random, std::atomic<std::uint64_t>& counter) {
  constexpr order_status steps[] = {order_status::approved, order_status::delivered, order_status::cancelled};
  auto const kind = random() % 10;
  observed_call c;
  c.what = kind < 4 ? call::place : kind < 8 ? call::step : kind < 9 ? call::read_animal : call::read_order;
  c.order = c.what == call::place ? 0 : a.latest_order.load();
  c.to = steps[random() % std::size(steps)];
  c.begun = ++counter;
  if (c.what == call::place) {
    auto const placed = desk.place(a.id);
    c.went_well = placed.has_value();
    c.order = placed.value_or(0);
  } else if (c.what == call::step) {
    c.went_well = desk.step(a.id, c.order, c.to);
  } else if (c.what == call::read_animal) {
    c.animal = desk.read_animal(a.id);
  } else {
    auto const seen = desk.read_order(a.id, c.order);
    c.went_well = seen.has_value();
    c.seen = seen.value_or(order_status::placed);
  }
  c.ended = ++counter;
  if (c.what == call::place && c.went_well) a.latest_order = c.order;
  std::lock_guard const lock(a.mutex);
  a.history.push_back(c);
}

/// What threads see that call at once.
template <class Desk>
std::vector<std::vector<observed_call>> record(Desk& desk, unsigned seed) {
  std::array<watched_animal, animal_count> animals;
  for (auto& a : animals) a.id = desk.add_animal();
  std::atomic<std::uint64_t> counter = 0;
  std::barrier start(thread_count);
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < thread_count; ++t)
      threads.emplace_back([&, t] {
        std::minstd_rand random(seed * thread_count + t + 1);
        start.arrive_and_wait();
        for (int i = 0; i < calls_per_thread; ++i) call_once(desk, animals[random() % animal_count], random, counter);
      });
  }
  std::vector<std::vector<observed_call>> histories;
  for (auto& a : animals) histories.push_back(std::move(a.history));
  return histories;
}

observed_call placed(std::uint64_t begun, std::uint64_t ended, std::int64_t order) {
  return {.begun = begun, .ended = ended, .what = call::place, .order = order, .went_well = order != 0};
}
observed_call stepped(std::uint64_t begun, std::uint64_t ended, std::int64_t order, order_status to, bool went_well) {
  return {.begun = begun, .ended = ended, .what = call::step, .order = order, .to = to, .went_well = went_well};
}
observed_call read(std::uint64_t begun, std::uint64_t ended, pet_status animal) {
  return {.begun = begun, .ended = ended, .what = call::read_animal, .animal = animal};
}

}  // namespace

// --- the judge

BOOST_AUTO_TEST_CASE(calls_at_the_same_time_may_have_come_in_either_order) {
  BOOST_TEST(is_linearizable({placed(1, 4, 0), placed(2, 3, 7)}));
  BOOST_TEST(is_linearizable({placed(1, 6, 7), read(2, 3, pet_status::available), read(4, 5, pet_status::pending)}));
  BOOST_TEST(is_linearizable({placed(1, 8, 7), stepped(2, 7, 7, order_status::cancelled, true), placed(3, 6, 9)}));
}

BOOST_AUTO_TEST_CASE(two_winners_are_none) {
  BOOST_TEST(!is_linearizable({placed(1, 4, 7), placed(2, 3, 8)}));
  BOOST_TEST(!is_linearizable({placed(1, 2, 7), stepped(3, 6, 7, order_status::approved, true),
                               stepped(4, 5, 7, order_status::approved, true)}));
  BOOST_TEST(!is_linearizable({placed(1, 2, 7), stepped(3, 4, 7, order_status::approved, true),
                               stepped(5, 8, 7, order_status::delivered, true),
                               stepped(6, 7, 7, order_status::cancelled, true)}));
}

BOOST_AUTO_TEST_CASE(nobody_loses_without_a_winner) {
  BOOST_TEST(!is_linearizable({placed(1, 2, 0)}));
  BOOST_TEST(!is_linearizable({placed(1, 2, 0), placed(3, 4, 7)}));  // the winner came too late
}

BOOST_AUTO_TEST_CASE(what_was_seen_stays_seen) {
  BOOST_TEST(!is_linearizable({placed(1, 2, 7), read(3, 4, pet_status::available)}));
  BOOST_TEST(!is_linearizable({placed(1, 6, 7), read(2, 3, pet_status::pending), read(4, 5, pet_status::available)}));
}

// --- the stores

PETSTORE_CONTRACT_CASE(orders_of_many_threads_have_an_order_that_one_could_have_given) {
  store_desk desk(store);
  std::size_t winners = 0;
  std::size_t losers = 0;
  for (unsigned round = 0; round < rounds; ++round)
    for (auto const& history : record(desk, round)) {
      BOOST_TEST_REQUIRE(is_linearizable(history));
      for (observed_call const& c : history)
        if (c.what == call::place || c.what == call::step) ++(c.went_well ? winners : losers);
    }
  BOOST_TEST(winners > 50u);
  BOOST_TEST(losers > 50u);
}

BOOST_AUTO_TEST_CASE(a_desk_that_looks_and_then_acts_is_caught) {
  bool is_caught = false;
  for (unsigned round = 0; round < 10'000 && !is_caught; ++round) {
    careless_desk desk;
    for (auto const& history : record(desk, round)) is_caught = is_caught || !is_linearizable(history);
  }
  BOOST_TEST(is_caught);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
