// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <unistd.h>

#include <barrier>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "storage/lmdb/open_store.hpp"
#include "support/child_process.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(lmdb_processes)

namespace {

/// How other_process.cpp is started.
child_options other_process(std::string const& what, temporary_directory const& directory) {
  return {.words = {PETSTORE_OTHER_PROCESS, what, directory.path().string()}};
}

/// A tool that dies in the midst of a read, so that its place among the readers is never given back.
void leave_dead_reader(temporary_directory const& directory) {
  child_process tool(other_process("read", directory));
  BOOST_REQUIRE(tool.read_line() == "reading");
}

auto rename(test_store& s, int n) {
  return fault_of(s.update_pet(1, {.name = std::to_string(n), .category_id = {}, .status = {}}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(server_that_is_killed_loses_nothing_that_it_answered) {
  temporary_directory directory;
  for (std::size_t round = 1; round <= 3; ++round) {
    child_process server(other_process("serve", directory));
    std::string answered_text;
    for (std::size_t i = 0; i < 100 * round; ++i) answered_text += server.read_line() + '\n';
    server.send_signal(SIGKILL);
    server.wait();
    answered_text += server.read_rest();

    auto store = open_store(directory.path());
    auto const all = store.walk(pet_list{.status = {}, .category_id = {}, .after = 0, .limit = 100});
    std::set<std::int64_t> const stored(all.begin(), all.end());
    BOOST_TEST(stored.size() >= 100 * round);
    std::istringstream answered(answered_text.substr(0, answered_text.rfind('\n') + 1));
    for (std::int64_t id; answered >> id;) BOOST_TEST(stored.contains(id));
    for (auto const& q : {pet_list{.status = pet_status::available, .category_id = {}, .after = 0, .limit = 100},
                          pet_list{.status = {}, .category_id = 1, .after = 0, .limit = 100},
                          pet_list{.status = pet_status::available, .category_id = 1, .after = 0, .limit = 100}})
      BOOST_TEST(store.walk(q) == all, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(server_sees_what_a_tool_changes_beside_it) {
  temporary_directory directory;
  auto store = open_store(directory.path());
  auto const version = store.keys_version().value();
  BOOST_TEST(run(other_process("tool", directory)).code == 0);
  BOOST_TEST(store.keys_version().value() == version + 1);
  BOOST_TEST(store.read_keys()->keys.size() == 1u);
  BOOST_TEST(store.add_pet(std::nullopt).id == 1);
}

BOOST_AUTO_TEST_CASE(tool_fills_the_store_no_further_than_its_server_can_read) {
  temporary_directory directory;
  auto options = options_for(directory.path());
  options.map_bytes_max = std::size_t{512} << 10;
  auto store = open_store(options);
  BOOST_TEST(run(other_process("fill", directory)).code == 0);
  BOOST_TEST(!fault_of(store.ready()));
  BOOST_TEST(store.walk(pet_list{.status = {}, .category_id = {}, .after = 0, .limit = 100}).size() > 100u);
}

BOOST_AUTO_TEST_CASE(every_thread_sees_what_a_tool_has_changed_since_it_read_last) {
  temporary_directory directory;
  auto store = open_store(directory.path());
  auto const read_on_a_thread = [&] {
    std::uint64_t version = 0;
    std::thread{[&] { version = store.keys_version().value(); }}.join();
    return version;
  };
  auto const here = store.keys_version().value();
  auto const there = read_on_a_thread();
  BOOST_TEST(run(other_process("tool", directory)).code == 0);
  BOOST_TEST(store.keys_version().value() == here + 1);
  BOOST_TEST(read_on_a_thread() == there + 1);
}

BOOST_AUTO_TEST_CASE(threads_that_read_no_more_do_not_make_the_file_grow) {
  temporary_directory directory;
  auto store = open_store(directory.path());
  store.add_pet(std::nullopt);
  std::vector<std::thread> readers;
  std::barrier all_read(9);
  std::barrier all_grown(9);
  for (int i = 0; i < 8; ++i)
    readers.emplace_back([&] {
      store.ready();
      all_read.arrive_and_wait();  // a thread that is still there keeps its own reader
      all_grown.arrive_and_wait();
    });
  all_read.arrive_and_wait();
  auto const grown_by = [&](int updates) {
    auto const before = std::filesystem::file_size(directory / "data.mdb");
    for (int i = 0; i < updates; ++i) rename(store, i);
    return std::filesystem::file_size(directory / "data.mdb") - before;
  };
  grown_by(20);
  auto const grown = grown_by(200);
  all_grown.arrive_and_wait();
  for (auto& r : readers) r.join();
  BOOST_TEST(grown == 0u);
}

BOOST_AUTO_TEST_CASE(thread_that_reads_no_more_does_not_make_the_file_grow_while_a_tool_writes) {
  temporary_directory directory;
  auto store = open_store(directory.path());
  store.add_pet(std::nullopt);
  std::barrier has_read(2);
  std::barrier has_grown(2);
  std::thread reader([&] {
    store.ready();
    has_read.arrive_and_wait();  // a thread that is still there keeps its own reader
    has_grown.arrive_and_wait();
  });
  has_read.arrive_and_wait();
  auto const grown_by = [&](int tools) {
    auto const before = std::filesystem::file_size(directory / "data.mdb");
    for (int i = 0; i < tools; ++i) {
      BOOST_TEST(run(other_process("rename", directory)).code == 0);
      store.keys_version();  // as a server polls
    }
    return std::filesystem::file_size(directory / "data.mdb") - before;
  };
  grown_by(3);
  auto const grown = grown_by(3);
  has_grown.arrive_and_wait();
  reader.join();
  BOOST_TEST(grown == 0u);
}

BOOST_AUTO_TEST_CASE(reader_that_was_killed_does_not_make_the_file_grow) {
  temporary_directory directory;
  auto store = open_store(directory.path());
  store.add_pet(std::nullopt);
  leave_dead_reader(directory);
  auto const grown_by = [&](int updates) {
    auto const before = std::filesystem::file_size(directory / "data.mdb");
    for (int i = 0; i < updates; ++i) rename(store, i);
    return std::filesystem::file_size(directory / "data.mdb") - before;
  };
  grown_by(100);
  BOOST_TEST(grown_by(100) == 0u);
}

BOOST_AUTO_TEST_CASE(tool_that_rests_between_two_reads_does_not_fill_the_map) {
  temporary_directory directory;
  auto options = options_for(directory.path());
  options.map_bytes_max = std::size_t{512} << 10;
  auto store = open_store(options);
  store.add_pet(std::nullopt);
  child_process tool(other_process("rest", directory));
  BOOST_REQUIRE(tool.read_line() == "resting");
  for (int i = 0; i < 60; ++i) BOOST_TEST(!rename(store, i));
}

BOOST_AUTO_TEST_CASE(store_that_a_process_with_the_same_id_reads_is_refused_with_the_reason) {
  temporary_directory directory;
  open_store(directory.path());
  auto how = other_process("occupy", directory);
  how.words.push_back(std::to_string(::getpid()));
  child_process other(how);
  BOOST_REQUIRE(other.read_line() == "occupied");
  auto options = options_for(directory.path());
  options.serve = false;
  auto const why = refusal_of(options);
  BOOST_TEST(why.find("a process with the same id, in another container, has it open") != why.npos, why);
}

BOOST_AUTO_TEST_CASE(reader_that_was_killed_does_not_fill_the_map) {
  temporary_directory directory;
  auto options = options_for(directory.path());
  options.map_bytes_max = std::size_t{512} << 10;
  auto store = open_store(options);
  store.add_pet(std::nullopt);
  leave_dead_reader(directory);
  for (int i = 0; i < 60; ++i) BOOST_TEST(!rename(store, i));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
