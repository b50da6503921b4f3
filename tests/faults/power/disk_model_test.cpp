// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "disk_model.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "support/temporary_directory.hpp"

namespace petstore::faults {

BOOST_AUTO_TEST_SUITE(disk_model_)

namespace {

namespace fs = std::filesystem;

constexpr std::string_view root = "/disk";
constexpr std::string_view file = "/disk/file";

/// What a disk holds: names and bytes.
using held = std::map<std::string, std::string>;

held read(fs::path const& directory) {
  held found;
  for (auto const& entry : fs::recursive_directory_iterator(directory)) {
    std::ifstream in(entry.path(), std::ios::binary);
    auto const name = entry.path().lexically_relative(directory).string();
    found[name] = entry.is_directory() ? "directory" : std::string(std::istreambuf_iterator<char>(in), {});
  }
  return found;
}

struct recorded_disk {
  disk_model model{std::string{root}};

  void begin(act what, std::string_view path, std::uint64_t offset = 0, std::string_view data = {},
             std::string_view to = {}) {
    last = {.begins_at = 0, .what = what, .thread = 1, .offset = offset, .path = path, .to = to, .data = data};
    model.begin(last);
  }
  void end() { model.end(last); }
  void run(act what, std::string_view path, std::uint64_t offset = 0, std::string_view data = {},
           std::string_view to = {}) {
    begin(what, path, offset, data, to);
    end();
  }
  void sync(std::string_view path) {
    run(act::sync_begins, path);
    run(act::sync_ends, path);
  }
  /// Every disk that may be left.
  std::set<held> possible() const {
    std::set<held> all;
    auto const count = model.doubts().size();
    for (std::size_t bits = 0; bits < std::size_t{1} << count; ++bits) {
      std::vector<bool> chosen;
      for (std::size_t i = 0; i < count; ++i) chosen.push_back((bits >> i & 1) != 0);
      tests::temporary_directory directory;
      model.make(chosen, directory.path());
      all.insert(read(directory.path()));
    }
    return all;
  }

  entry last;
};

std::set<held> files(std::initializer_list<std::string> contents) {
  std::set<held> all;
  for (auto const& c : contents) all.insert({{"file", c}});
  return all;
}

recorded_disk disk_with_file() {
  recorded_disk d;
  d.run(act::make_file, file);
  d.sync(root);
  return d;
}

}  // namespace

BOOST_AUTO_TEST_CASE(file_is_certain_once_it_and_its_directory_are_synced) {
  recorded_disk d;
  d.run(act::make_file, file);
  d.run(act::write, file, 0, "new");
  BOOST_TEST((d.possible().contains(held{})));
  d.sync(file);
  BOOST_TEST((d.possible() == std::set<held>{{}, {{"file", "new"}}}));
  d.sync(root);
  BOOST_TEST((d.possible() == files({"new"})));
}

BOOST_AUTO_TEST_CASE(sync_covers_what_was_written_before_it_began) {
  auto d = disk_with_file();
  d.run(act::write, file, 0, "a");
  d.run(act::sync_begins, file);
  d.run(act::write, file, 0, "b");
  d.run(act::sync_ends, file);
  BOOST_TEST((d.possible() == files({"a", "b"})));
}

BOOST_AUTO_TEST_CASE(sync_that_is_under_way_makes_nothing_certain) {
  auto d = disk_with_file();
  d.run(act::write, file, 0, "a");
  d.run(act::sync_begins, file);
  d.begin(act::sync_ends, file);
  BOOST_TEST(d.possible().contains({{"file", ""}}));
  d.end();
  BOOST_TEST((d.possible() == files({"a"})));
}

BOOST_AUTO_TEST_CASE(synchronous_write_is_certain_by_itself_alone) {
  auto d = disk_with_file();
  d.run(act::set_size, file, 2 * sector_size);
  d.sync(file);
  std::string const first(sector_size, '1');
  std::string const second(sector_size, '2');
  std::string const nothing(sector_size, '\0');
  d.run(act::write, file, 0, first);
  d.begin(act::synchronous_write, file, sector_size, second);
  BOOST_TEST((d.possible() == files({nothing + nothing, first + nothing, nothing + second, first + second})));
  d.end();
  BOOST_TEST((d.possible() == files({nothing + second, first + second})));
}

BOOST_AUTO_TEST_CASE(write_is_torn_between_sectors_and_nowhere_else) {
  auto d = disk_with_file();
  d.run(act::set_size, file, sector_size + 4);
  d.sync(file);
  d.run(act::write, file, sector_size - 2, "abcd");
  std::string const begin(sector_size - 2, '\0');
  std::string const end(2, '\0');
  std::string const gap(2, '\0');
  BOOST_TEST((d.possible() == files({begin + gap + gap + end, begin + "ab" + gap + end, begin + gap + "cd" + end,
                                     begin + "abcd" + end})));
}

BOOST_AUTO_TEST_CASE(older_write_never_replaces_a_newer_one) {
  auto d = disk_with_file();
  d.run(act::write, file, 0, "a");
  d.run(act::synchronous_write, file, 0, "b");
  BOOST_TEST((d.possible() == files({"b"})));
}

BOOST_AUTO_TEST_CASE(file_may_have_grown_without_its_data) {
  auto d = disk_with_file();
  d.run(act::write, file, 0, "data");
  BOOST_TEST((d.possible() == files({"", std::string(4, '\0'), "data"})));
}

BOOST_AUTO_TEST_CASE(renamed_file_has_one_of_its_names) {
  auto d = disk_with_file();
  d.run(act::rename, file, 0, {}, "/disk/other");
  BOOST_TEST((d.possible() == std::set<held>{{{"file", ""}}, {{"other", ""}}}));
  d.sync(root);
  BOOST_TEST((d.possible() == std::set<held>{{{"other", ""}}}));
}

BOOST_AUTO_TEST_CASE(file_moved_to_another_directory_is_in_one_of_them) {
  auto d = disk_with_file();
  d.run(act::make_directory, "/disk/shops");
  d.sync(root);
  d.run(act::rename, file, 0, {}, "/disk/shops/file");
  held const before{{"file", ""}, {"shops", "directory"}};
  held const after{{"shops", "directory"}, {"shops/file", ""}};
  d.sync(root);
  BOOST_TEST((d.possible() == std::set<held>{before, after}));
  d.sync("/disk/shops");
  BOOST_TEST((d.possible() == std::set<held>{after}));
}

BOOST_AUTO_TEST_CASE(removed_file_is_gone_once_its_directory_is_synced) {
  auto d = disk_with_file();
  d.run(act::remove, file);
  BOOST_TEST((d.possible() == std::set<held>{{}, {{"file", ""}}}));
  d.sync(root);
  BOOST_TEST((d.possible() == std::set<held>{{}}));
}

BOOST_AUTO_TEST_CASE(directory_is_lost_with_what_is_in_it) {
  recorded_disk d;
  d.run(act::make_directory, "/disk/shops");
  d.run(act::make_file, "/disk/shops/one");
  d.sync("/disk/shops/one");
  d.sync("/disk/shops");
  BOOST_TEST((d.possible() == std::set<held>{{}, {{"shops", "directory"}, {"shops/one", ""}}}));
}

BOOST_AUTO_TEST_CASE(programs_see_everything_while_the_power_is_on) {
  auto d = disk_with_file();
  d.run(act::write, file, 0, "data");
  held seen;
  d.model.each_file_seen([&](std::string const& path, std::string_view bytes) { seen[path] = bytes; });
  BOOST_TEST((seen == held{{std::string{file}, "data"}}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::faults
