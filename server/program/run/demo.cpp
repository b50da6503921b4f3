// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/demo.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "config/value_file.hpp"
#include "config/values.hpp"
#include "petstore/api_key.hpp"
#include "petstore/disk/file_descriptor.hpp"
#include "store/await.hpp"
#include "store/store_keys.hpp"
#include "store/value_or_fail.hpp"

namespace petstore::program {
namespace {

constexpr std::string_view demo_name = "demo";
/// In the audit log. No operator is called so: the names of tokens and of users have no spaces.
constexpr char const* demo_actor = "serve --demo";
constexpr int tries_to_renew = 5;

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

bool works(key_record const& key, unix_ms now) {
  return !key.revoked_at && (!key.expires_at || *key.expires_at > now) && !key.replaced_by;
}

/// Returns the identities of that name that the demo has made. A customer may have the same name.
std::unordered_set<std::uint64_t> find_demo_identities(ports::store& store, key_directory const& directory) {
  std::unordered_set<std::uint64_t> named;
  for (auto const& identity : directory.identities)
    if (identity.name == demo_name) named.insert(identity.number);
  std::unordered_set<std::uint64_t> found;
  if (named.empty()) return found;
  store_keys(store, {}).visit_audit_log([&](audit_entry const& e) {  // an identity has the number of its first key
    if (e.actor == demo_actor && e.action == "create" && named.contains(e.key)) found.insert(e.key);
  });
  return found;
}

/// The newest key of the identity that still works.
key_record const* find_demo_key(ports::store& store, key_directory const& directory, unix_ms now) {
  auto const identities = find_demo_identities(store, directory);
  key_record const* newest = nullptr;
  for (auto const& key : directory.keys)
    if (works(key, now) && identities.contains(key.identity)) newest = &key;
  return newest;
}

/// Returns why the demo cannot go on with the key in a file, in words that follow its name; empty if it can.
std::string find_obstacle(ports::store& store, std::string_view key, unix_ms now) {
  if (!is_well_formed_api_key(key, store.environment())) return "has a damaged key, or one of another environment";
  auto const directory = value_or_fail(await(store.read_keys()), "the keys cannot be read");
  auto const known = std::ranges::find(directory.keys, sha256(key), &key_record::digest);
  if (known == directory.keys.end()) return "has a key that this store does not know";
  if (!find_demo_identities(store, directory).contains(known->identity)) return "has the key of another identity";
  return works(*known, now) ? "" : "has a key that was revoked or rotated, or has expired";
}

/// Returns an error number, or 0. A file that is written in part is damaged, and the next start replaces the key.
int write_for_owner(std::filesystem::path const& path, std::string_view text) {
  disk::file_descriptor const file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  // A file that is there already may have other permissions.
  if (file.get() < 0 || ::fchmod(file.get(), 0600) != 0) return errno;
  auto const written = ::write(file.get(), text.data(), text.size());
  if (written < 0) return errno;
  return written == static_cast<ssize_t>(text.size()) ? 0 : ENOSPC;
}

/// Makes `key` the demo key.
result<key_change> try_to_renew(ports::store& store, std::string const& key, unix_ms now) {
  auto const directory = value_or_fail(await(store.read_keys()), "the keys cannot be read");
  key_command command;
  if (auto const* const old = find_demo_key(store, directory, now)) {
    rotate_key next;
    next.number = old->number;
    set_key(next, key);
    next.old_expires_at = now;
    command = std::move(next);
  } else {
    create_key fresh;
    set_key(fresh, key);
    fresh.name = demo_name;
    fresh.plan = demo_plan;
    command = std::move(fresh);
  }
  return await(store.change_keys(std::move(command), now, demo_actor));
}

}  // namespace

bool fill_with_samples(ports::store& store, unix_ms now) {
  if (!is_untouched(store)) return false;
  std::size_t fault_at = 0;
  auto records = samples(now);
  auto const done = await(store.import_records(std::move(records), fault_at));
  if (!done && done.error().code == errc::conflict) return false;  // another node has filled it meanwhile
  value_or_fail(done, "the samples cannot be written");
  return true;
}

std::string renew_demo_key(ports::store& store, unix_ms now) {
  auto const key = generate_api_key(store.environment());
  auto renewed = try_to_renew(store, key, now);
  // Another node has renewed it meanwhile.
  for (int tries = 1; tries < tries_to_renew && !renewed && renewed.error().code == errc::conflict; ++tries)
    renewed = try_to_renew(store, key, now);
  value_or_fail(std::move(renewed), "the demo key cannot be made");
  return key;
}

std::string keep_demo_key(ports::store& store, std::filesystem::path const& file, unix_ms now,
                          std::function<void(std::string_view)> const& report) {
  if (file.empty()) return renew_demo_key(store, now);
  std::error_code failure;
  if (std::filesystem::exists(file, failure)) {
    std::string key;
    std::string obstacle;
    try {
      key = read_value_file(file);
      obstacle = find_obstacle(store, key, now);
    } catch (value_error const& wrong) {
      obstacle = wrong.what();
    }
    if (obstacle.empty()) return key;
    report(fmt::format("'{}' {}: the demo has a new key", file.string(), obstacle));
  }
  auto key = renew_demo_key(store, now);
  if (int const error = write_for_owner(file, key + "\n"))
    report(fmt::format("the key cannot be kept in '{}', and the next start makes another: {}", file.string(),
                       std::generic_category().message(error)));
  return key;
}

}  // namespace petstore::program
