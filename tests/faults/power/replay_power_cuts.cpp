// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Cuts the power at many places of a recorded run, makes what the disk may hold then, starts a store on it, and looks
// whether everything is there that clients had been told by then.
//
//   replay_power_cuts LOG ROOT STORE ACKNOWLEDGED SCRATCH PLACES SEED
//
// ROOT is the directory that was recorded, and still there; STORE is the store's, relative to it. What a disk may hold
// is made in SCRATCH. Exits 0 when nothing is ever lost, 3 when something is, 1 when it cannot tell.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <set>
#include <stdexcept>

#include "cuts.hpp"
#include "disk_log.hpp"
#include "disk_model.hpp"
#include "judge.hpp"

namespace petstore::faults {
namespace {

namespace fs = std::filesystem;

constexpr int exit_lost = 3;
constexpr std::size_t first_places = 60;  // all of them: the store comes to be there

struct run {
  fs::path log;
  fs::path root;
  fs::path store;
  fs::path acknowledged;
  fs::path scratch;
  std::size_t places = 0;
  std::uint64_t seed = 0;
};

std::uint64_t parse_number(std::string_view text) {
  std::uint64_t number = 0;
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || end != text.data() + text.size())
    throw std::runtime_error("not a number: " + std::string{text});
  return number;
}

/// The acts in the midst of which the power goes.
std::set<std::size_t> choose_places(std::size_t count, std::size_t wanted, std::mt19937_64& random) {
  std::set<std::size_t> places;
  for (std::size_t i = 0; i < std::min(count, first_places); ++i) places.insert(i);
  while (places.size() < std::min(count, wanted)) places.insert(random() % count);
  return places;
}

/// How far back charges may be forgotten: what was answered before the last transaction of quotas but one had ended was
/// charged before the last one began.
class quota_writes {
 public:
  explicit quota_writes(std::string data_file) : data_file_(std::move(data_file)) {}

  void note(entry const& e) {
    if (e.what != act::synchronous_write || e.path != data_file_) return;
    last_but_one_ = last_;
    last_ = e.begins_at;
  }
  std::uint64_t charged_by() const noexcept { return last_but_one_; }

 private:
  std::string const data_file_;
  std::uint64_t last_ = 0;
  std::uint64_t last_but_one_ = 0;
};

/// A write that escaped the recorder would make every verdict worthless.
void check_recorder(disk_model const& disk) {
  disk.each_file_seen([](std::string const& path, std::string_view bytes) {
    if (!path.ends_with("/data.mdb")) return;  // others are written through shared mappings
    std::ifstream file(path, std::ios::binary);
    std::string const there(std::istreambuf_iterator<char>(file), {});
    if (there != bytes) throw std::runtime_error(path + " is not what was recorded");
  });
}

/// Makes each disk that may be left, and judges it.
class power_cuts {
 public:
  power_cuts(run const& r, std::mt19937_64& random)
      : run_(r), noted_(read_acknowledged(r.acknowledged)), random_(random) {}

  /// `when` is for the report; the others are as for `judge`.
  void cut(disk_model const& disk, std::string const& when, std::uint64_t cut_at, std::uint64_t charged_by) {
    for (auto const& way : ways_to_cut(disk.doubts(), random_)) {
      fs::remove_all(run_.scratch);
      fs::create_directories(run_.scratch);
      disk.make(way.chosen, run_.scratch);
      try {
        judge(run_.scratch / run_.store, noted_, cut_at, charged_by);
      } catch (lost const& l) {
        throw lost("cut " + when + ", with " + std::string{way.name} + " of what was not synced: " + l.what());
      }
      ++disks_;
    }
  }

  std::size_t disks() const noexcept { return disks_; }

 private:
  run const& run_;
  acknowledged const noted_;
  std::mt19937_64& random_;
  std::size_t disks_ = 0;
};

void replay(run const& r) {
  disk_log const log(r.log);
  auto const& acts = log.entries();
  std::mt19937_64 random(r.seed);
  auto const places = choose_places(acts.size(), r.places, random);
  power_cuts power(r, random);
  disk_model disk(r.root.string());
  quota_writes quotas((r.root / r.store / "quota" / "data.mdb").string());
  for (std::size_t i = 0; i < acts.size(); ++i) {
    disk.begin(acts[i]);
    if (places.contains(i))
      power.cut(disk, "in act " + std::to_string(i) + " of " + std::to_string(acts.size()), acts[i].begins_at,
                quotas.charged_by());
    disk.end(acts[i]);
    quotas.note(acts[i]);
  }
  power.cut(disk, "after the last act", fs::file_size(r.log), quotas.charged_by());
  check_recorder(disk);
  std::cout << power.disks() << " disks of " << places.size() + 1 << " power cuts in " << acts.size() << " acts\n";
}

}  // namespace
}  // namespace petstore::faults

int main(int count, char** arguments) {
  using namespace petstore::faults;
  if (count != 8) {
    std::cerr << "usage: replay_power_cuts LOG ROOT STORE ACKNOWLEDGED SCRATCH PLACES SEED\n";
    return 2;
  }
  try {
    replay({.log = arguments[1],
            .root = arguments[2],
            .store = arguments[3],
            .acknowledged = arguments[4],
            .scratch = arguments[5],
            .places = parse_number(arguments[6]),
            .seed = parse_number(arguments[7])});
    return 0;
  } catch (lost const& l) {
    std::cerr << l.what() << '\n';
    return exit_lost;
  } catch (std::exception const& failure) {
    std::cerr << "cannot tell: " << failure.what() << '\n';
    return 1;
  }
}
