// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "answers.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <stdexcept>

namespace petstore::storage::lmdb {
namespace {

namespace asio = boost::asio;

/// A write whose caller notes in which order it was answered.
struct noted_write final : pending_write {
  noted_write(asio::io_context& c, std::vector<int>& a, int n)
      : pending_write(batching::shared), context(c), answered(a), number(n) {}
  bool run(write_transaction&) override { return true; }
  void fail(error const&) override {}
  asio::any_io_executor executor() const override { return context.get_executor(); }
  void answer() override {
    answered.push_back(number);
    if (throws) throw std::runtime_error("the caller's");
  }

  asio::io_context& context;
  std::vector<int>& answered;
  int const number;
  bool throws = false;
};

struct callers {
  noted_write& add(asio::io_context& context, std::vector<int>& answered, int number) {
    auto w = std::make_unique<noted_write>(context, answered, number);
    auto& added = *w;
    batch.push_back(std::move(w));
    return added;
  }

  asio::io_context one;
  asio::io_context other;
  std::vector<int> answered_on_one;
  std::vector<int> answered_on_other;
  write_batch batch;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lmdb_answers, callers)

BOOST_AUTO_TEST_CASE(each_write_is_answered_on_its_own_executor_in_order) {
  add(one, answered_on_one, 1);
  add(other, answered_on_other, 2);
  add(one, answered_on_one, 3);
  add(other, answered_on_other, 4);
  answer(std::move(batch));
  BOOST_TEST(answered_on_one.empty());
  one.run();
  other.run();
  BOOST_TEST(answered_on_one == (std::vector{1, 3}), boost::test_tools::per_element());
  BOOST_TEST(answered_on_other == (std::vector{2, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(writes_of_one_executor_share_a_handler) {
  for (int i = 0; i < 64; ++i) add(one, answered_on_one, i);
  answer(std::move(batch));
  BOOST_TEST(one.run() == 1u);
  BOOST_TEST(answered_on_one.size() == 64u);
}

BOOST_AUTO_TEST_CASE(caller_that_throws_leaves_no_other_unanswered) {
  add(one, answered_on_one, 1);
  add(one, answered_on_one, 2).throws = true;
  add(one, answered_on_one, 3);
  answer(std::move(batch));
  BOOST_CHECK_THROW(one.run(), std::runtime_error);
  one.run();
  BOOST_TEST(answered_on_one == (std::vector{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::storage::lmdb
