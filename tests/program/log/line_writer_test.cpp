// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/line_writer.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/eventually.hpp"

using petstore::program::line_writer;
using petstore::tests::eventually;
using namespace std::chrono_literals;

namespace {

/// Long enough that nothing in a test happens because a pause is over.
constexpr auto for_ever = std::chrono::hours(24);

/// Keeps what was written.
struct paper {
  void write(std::string_view lines) {
    std::lock_guard const lock(mutex);
    text.append(lines);
    ++writes;
  }
  line_writer::destination destination() {
    return [this](std::string_view lines) { write(lines); };
  }
  std::string read() {
    std::lock_guard const lock(mutex);
    return text;
  }
  void wait_for(std::string_view end) {
    BOOST_REQUIRE(eventually([&] { return read().ends_with(end); }));
  }

  std::mutex mutex;
  std::string text;
  std::size_t writes = 0;
};

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(line_writer_suite, paper)

BOOST_AUTO_TEST_CASE(a_line_after_a_silence_is_written_at_once) {
  line_writer writer(destination(), for_ever);
  writer.add_buffer().add("one\n");
  wait_for("one\n");
}

BOOST_AUTO_TEST_CASE(lines_after_it_wait_together_until_the_pause_is_over) {
  line_writer writer(destination(), 1ms);
  auto& buffer = writer.add_buffer();
  for (char const c : std::string_view("abc")) {
    buffer.add(std::string(1, c) + "\n");
    wait_for(std::string(1, c) + "\n");
  }
  BOOST_TEST(read() == "a\nb\nc\n");
}

BOOST_AUTO_TEST_CASE(a_lane_at_its_high_water_does_not_wait_for_the_pause) {
  line_writer writer(destination(), for_ever);
  auto& buffer = writer.add_buffer();
  buffer.add("first\n");
  wait_for("first\n");
  std::string const long_line(line_writer::high_water_bytes - 1, 'x');
  buffer.add(long_line + "\n");
  wait_for("x\n");
}

BOOST_AUTO_TEST_CASE(what_is_left_is_written_at_the_end_pause_or_not) {
  {
    line_writer writer(destination(), for_ever);
    auto& a = writer.add_buffer();
    auto& b = writer.add_buffer();
    for (int i = 0; i < 100; ++i) {
      a.add("a\n");
      b.add("b\n");
    }
  }
  BOOST_TEST(count_lines(text) == 200u);
}

BOOST_AUTO_TEST_CASE(many_lines_are_few_writes) {
  {
    line_writer writer(destination(), for_ever);
    auto& buffer = writer.add_buffer();
    buffer.add("first\n");
    wait_for("first\n");
    for (int i = 0; i < 1000; ++i) buffer.add("line\n");
  }
  BOOST_TEST(count_lines(text) == 1001u);
  BOOST_TEST(writes < 10u);
}

BOOST_AUTO_TEST_CASE(a_line_that_cannot_be_made_is_counted_and_spoils_no_other) {
  {
    line_writer writer(destination(), for_ever);
    auto& buffer = writer.add_buffer();
    buffer.add("one\n");
    buffer.add(100, [](char* to) -> char* {
      *to = 'x';
      throw std::bad_alloc();
    });
    buffer.add("two\n");
    BOOST_TEST(writer.dropped_lines() == 1u);
  }
  BOOST_TEST(text == "one\ntwo\n");
}

BOOST_AUTO_TEST_CASE(a_line_may_be_shorter_than_its_bound) {
  {
    line_writer writer(destination(), for_ever);
    auto& buffer = writer.add_buffer();
    for (char const c : std::string_view("abc"))
      buffer.add(1000, [c](char* to) { return std::fill_n(to, 3, c) + std::string_view("\n").copy(to + 3, 1); });
  }
  BOOST_TEST(text == "aaa\nbbb\nccc\n");
}

BOOST_AUTO_TEST_CASE(lines_of_one_thread_stay_in_order_and_none_is_lost) {
  constexpr std::size_t threads_count = 4;
  constexpr std::size_t lines_count = 20'000;
  {
    line_writer writer(destination(), 0ms);
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < threads_count; ++t) {
      threads.emplace_back([&buffer = writer.add_buffer(), t] {
        for (std::size_t i = 0; i < lines_count; ++i) buffer.add(std::to_string(t) + " " + std::to_string(i) + "\n");
      });
    }
    threads.clear();
    BOOST_TEST(writer.dropped_lines() == 0u);
  }
  std::array<std::size_t, threads_count> next{};
  std::istringstream in(text);
  for (std::size_t t = 0, i = 0; in >> t >> i;) BOOST_REQUIRE(i == next.at(t)++);
  for (auto const n : next) BOOST_TEST(n == lines_count);
}

BOOST_AUTO_TEST_CASE(a_destination_that_hangs_holds_nobody_up_and_what_does_not_fit_is_counted) {
  std::promise<void> reads_again;
  std::atomic<bool> hangs = false;
  auto const hang = [&, going_on = reads_again.get_future().share()](std::string_view lines) {
    hangs = true;
    going_on.wait();
    write(lines);
  };
  std::string const line = std::string(1023, 'x') + "\n";
  constexpr std::size_t fitting = line_writer::buffer_bytes_max / 1024;
  {
    line_writer writer(hang, for_ever);
    auto& buffer = writer.add_buffer();
    buffer.add("first\n");
    BOOST_REQUIRE(eventually([&] { return hangs.load(); }));
    for (std::size_t i = 0; i < fitting; ++i) buffer.add(line);
    BOOST_TEST(writer.dropped_lines() == 0u);
    for (std::size_t i = 0; i < 7; ++i) buffer.add(line);
    BOOST_TEST(writer.dropped_lines() == 7u);
    writer.add_buffer().add("of another buffer\n");
    BOOST_TEST(writer.dropped_lines() == 7u);
    reads_again.set_value();
    wait_for("of another buffer\n");
    buffer.add("after\n");
  }
  BOOST_TEST(count_lines(text) == 1 + fitting + 1 + 1);
  BOOST_TEST(text.ends_with("after\n"));
}

BOOST_AUTO_TEST_SUITE_END()
