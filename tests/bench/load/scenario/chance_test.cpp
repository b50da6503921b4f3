// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/chance.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <limits>

#include "scenario/think_time.hpp"

BOOST_AUTO_TEST_SUITE(chance_test)

namespace {

using namespace petstore::load;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(same_seed_draws_the_same) {
  chance a(7), b(7), other(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    auto const drawn = a.bits();
    BOOST_TEST(drawn == b.bits());
    differs |= drawn != other.bits();
  }
  BOOST_TEST(differs);
}

// So that a seed means the same requests wherever the tool is built.
BOOST_AUTO_TEST_CASE(the_generator_is_the_published_one) {
  // splitmix64 from 0 begins with these two, and xoshiro256** makes rotl(s1 * 5, 7) * 9 of the second.
  std::uint64_t const second = 0x6e789e6aa1b965f4;
  auto const times5 = second * 5;
  BOOST_TEST(chance(0).bits() == ((times5 << 7) | (times5 >> 57)) * 9);
}

BOOST_AUTO_TEST_CASE(every_value_of_a_range_is_drawn_about_equally_often) {
  chance random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts[random.below(counts.size())];
  for (auto const n : counts) BOOST_TEST((n > 9'500 && n < 10'500), n);  // five standard deviations
}

BOOST_AUTO_TEST_CASE(both_ends_of_a_range_are_drawn_and_nothing_beyond) {
  chance random(1);
  bool least = false, most = false;
  for (int i = 0; i < 1'000; ++i) {
    auto const n = random.between(-2, 2);
    BOOST_TEST((n >= -2 && n <= 2));
    least |= n == -2;
    most |= n == 2;
  }
  BOOST_TEST((least && most));
  BOOST_TEST(random.between(5, 5) == 5);
  using numbers = std::numeric_limits<std::int64_t>;
  random.between(numbers::min(), numbers::max());  // the one range whose width does not fit
}

BOOST_AUTO_TEST_CASE(fractions_are_below_one) {
  chance random(1);
  for (int i = 0; i < 10'000; ++i) {
    auto const f = random.fraction();
    BOOST_TEST((f >= 0 && f < 1));
  }
}

BOOST_AUTO_TEST_CASE(think_times_are_read_as_documented) {
  BOOST_TEST((parse_think_time("200ms").value == think_time{think_time::kind::fixed, 200ms}));
  BOOST_TEST((parse_think_time("exponential 2s").value == think_time{think_time::kind::exponential, 2s}));
  BOOST_TEST((parse_think_time("none").value == think_time{}));
  for (auto const* wrong : {"", "soon", "100ms..300ms", "exponential", "exponential 1s..2s", "1s.."})
    BOOST_TEST(!parse_think_time(wrong).mistake.empty(), wrong);
}

BOOST_AUTO_TEST_CASE(think_times_keep_to_what_they_say) {
  chance random(3);
  auto const exponential = *parse_think_time("exponential 100ms").value;
  std::chrono::nanoseconds sum{};
  for (int i = 0; i < 10'000; ++i) sum += exponential.draw(random);
  auto const mean = sum / 10'000;  // its standard deviation is 1 ms
  BOOST_TEST((mean > 95ms && mean < 105ms), mean.count());
  BOOST_TEST((parse_think_time("50ms").value->draw(random) == 50ms));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
