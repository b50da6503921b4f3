// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/change_watch.hpp"

#include <boost/test/unit_test.hpp>

using petstore::program::change_watch;

BOOST_AUTO_TEST_SUITE(change_watches)

BOOST_AUTO_TEST_CASE(a_change_is_seen_when_two_looks_find_it_the_same) {
  change_watch<int> watch(1);
  BOOST_TEST(!watch.has_changed(1));
  BOOST_TEST(!watch.has_changed(2));
  BOOST_TEST(!watch.has_changed(3));
  BOOST_TEST(watch.has_changed(3));
  watch.note_read(3);
  BOOST_TEST(!watch.has_changed(3));
}

BOOST_AUTO_TEST_CASE(a_file_that_could_not_be_used_is_read_again_although_it_is_the_same) {
  change_watch<int> watch(1);
  watch.note_failure(1, "no descriptor");
  BOOST_TEST(watch.has_changed(1));
  BOOST_TEST(!watch.has_changed(2));  // it is being written
  BOOST_TEST(watch.has_changed(2));
  watch.note_read(2);
  BOOST_TEST(!watch.has_changed(2));
}

BOOST_AUTO_TEST_CASE(a_failure_is_news_when_its_cause_is_another_one) {
  change_watch<int> watch(1);
  BOOST_TEST(watch.note_failure(1, "a"));
  BOOST_TEST(!watch.note_failure(1, "a"));
  BOOST_TEST(!watch.note_failure(2, "a"));
  BOOST_TEST(watch.note_failure(2, "b"));
  watch.note_read(2);
  BOOST_TEST(watch.note_failure(3, "b"));
  watch.forget_failure();
  BOOST_TEST(watch.note_failure(3, "b"));
}

BOOST_AUTO_TEST_SUITE_END()
