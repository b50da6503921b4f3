// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/demo.hpp"

#include <array>
#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

#include "petstore/api_key.hpp"
#include "store/await.hpp"
#include "store/value_or_fail.hpp"

namespace petstore::program {
namespace {

constexpr std::string_view demo_name = "demo";

constexpr std::array<std::string_view, 5> categories{"dogs", "cats", "rabbits", "birds", "reptiles"};

struct sample {
  std::string_view name;
  std::int64_t category;  ///< counted from 1
  pet_status status = pet_status::available;
};

constexpr std::array<sample, 30> animals{{
    {"Rex", 1},
    {"Mimi", 2},
    {"Flopsy", 3},
    {"Kiwi", 4, pet_status::pending},  // the order below is for it
    {"Shelly", 5},
    {"Bruno", 1},
    {"Luna", 2},
    {"Hazel", 3, pet_status::sold},
    {"Pico", 4},
    {"Iggy", 5},
    {"Nala", 1, pet_status::sold},
    {"Felix", 2},
    {"Thumper", 3},
    {"Mango", 4},
    {"Spike", 5, pet_status::sold},
    {"Bella", 1},
    {"Oscar", 2, pet_status::sold},
    {"Clover", 3},
    {"Zazu", 4},
    {"Draco", 5},
    {"Charlie", 1},
    {"Cleo", 2},
    {"Pepper", 3},
    {"Sunny", 4, pet_status::sold},
    {"Rango", 5},
    {"Daisy", 1},
    {"Salem", 2},
    {"Biscuit", 3},
    {"Echo", 4},
    {"Toby", 1},
}};
constexpr std::int64_t ordered_animal = 4;

/// Receives only the summary of an export, and no records.
class summary_sink final : public ports::export_sink {
 public:
  void begin(ports::export_summary const& s) override { seen_ = s; }
  bool take(record_kind, std::string_view) override { return false; }
  ports::export_summary const& seen() const { return seen_; }

 private:
  ports::export_summary seen_;
};

/// Whether the store has no records and never had any. The last ids show that, since ids of deleted records are not
/// used again.
bool is_untouched(ports::store& store) {
  summary_sink sink;
  value_or_fail(await(store.export_records(sink)), "the store cannot be read");
  auto const& s = sink.seen();
  return s.categories == 0 && s.pets == 0 && s.orders == 0 && s.given == ports::last_ids{};
}

std::vector<ports::import_record> samples(unix_ms now) {
  std::vector<ports::import_record> records;
  for (std::size_t i = 0; i < categories.size(); ++i) {
    records.emplace_back(category{static_cast<std::int64_t>(i) + 1, std::string(categories[i])});
  }
  for (std::size_t i = 0; i < animals.size(); ++i) {
    auto const& a = animals[i];
    records.emplace_back(pet{static_cast<std::int64_t>(i) + 1, std::string(a.name), a.category, a.status});
  }
  records.emplace_back(order{1, ordered_animal, order_status::placed, now, now});
  return records;
}

/// The newest key of the identity that still works.
key_record const* find_demo_key(key_directory const& directory, unix_ms now) {
  std::unordered_set<std::uint64_t> demo_identities;
  for (auto const& identity : directory.identities) {
    if (identity.name == demo_name) demo_identities.insert(identity.number);
  }
  key_record const* newest = nullptr;
  for (auto const& key : directory.keys) {
    bool const works = !key.revoked_at && (!key.expires_at || *key.expires_at > now) && !key.replaced_by;
    if (works && demo_identities.contains(key.identity)) newest = &key;
  }
  return newest;
}

}  // namespace

bool fill_with_samples(ports::store& store, unix_ms now) {
  if (!is_untouched(store)) return false;
  std::size_t fault_at = 0;
  auto records = samples(now);
  value_or_fail(await(store.import_records(std::move(records), fault_at)), "the samples cannot be written");
  return true;
}

std::string renew_demo_key(ports::store& store, caller const& who) {
  auto const key = generate_api_key(store.environment());
  auto const directory = value_or_fail(await(store.read_keys()), "the keys cannot be read");
  key_command command;
  if (auto const* const old = find_demo_key(directory, who.now)) {
    rotate_key next;
    next.number = old->number;
    set_key(next, key);
    next.old_expires_at = who.now;
    command = std::move(next);
  } else {
    create_key fresh;
    set_key(fresh, key);
    fresh.name = demo_name;
    fresh.plan = demo_plan;
    command = std::move(fresh);
  }
  value_or_fail(await(store.change_keys(std::move(command), who.now, who.actor)), "the demo key cannot be made");
  return key;
}

}  // namespace petstore::program
