// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/objective.hpp"

#include <boost/test/unit_test.hpp>

#include "figures/sample_run.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_objective)

namespace {

using namespace std::chrono_literals;

/// 100 answers of 1 ms to 100 ms, ten of them 404, one of them of "adopt"; one timeout of a second.
results hundred() {
  recorder r({{"get", "adopt"}, {}, sample_begin, 1s});
  for (int i = 1; i <= 100; ++i) {
    auto a = answer_of(sample_begin, 0s, std::chrono::milliseconds(i));
    if (i % 10 == 0) a.status = 404;
    if (i == 100) a.operation = 1;
    a.sent += 500us;
    r.record(a);
    r.record_lag(10us);
  }
  auto lost = answer_of(sample_begin, 0s, 1s);
  lost.status = 0;
  lost.error = error_kind::timeout;
  r.record(lost);
  recorder const* const all[] = {&r};
  return collect({}, {}, all, sample_begin + 2s);
}

bool holds(std::string_view text) {
  auto const asked = parse_objective(text);
  BOOST_TEST_REQUIRE(asked.value.has_value(), text << ": " << asked.mistake);
  auto const judged = judge(*asked.value, hundred());
  BOOST_TEST_REQUIRE(judged.holds.has_value(), text << ": " << judged.observed);
  return *judged.holds;
}

std::string mistake_in(std::string_view text) {
  auto const asked = parse_objective(text);
  BOOST_TEST(!asked.value, text << " was taken");
  return asked.mistake;
}

BOOST_AUTO_TEST_CASE(latencies_are_compared_from_when_requests_were_due_and_service_from_when_they_were_sent) {
  BOOST_TEST(holds("p50>50ms"));
  BOOST_TEST(!holds("p50>51.1ms"));
  BOOST_TEST(holds("service_p50<51ms"));
  BOOST_TEST(holds("min==1ms"));
  BOOST_TEST(holds("max >= 1s"));
  BOOST_TEST(holds("mean<100ms"));
  BOOST_TEST(holds("p99.9==1s"));
  BOOST_TEST(holds("p50>0"));
  BOOST_TEST(holds("lag_p99<=10us"));
}

BOOST_AUTO_TEST_CASE(one_operation_is_compared_by_its_name) {
  BOOST_TEST(holds("p50(adopt)==100ms"));
  BOOST_TEST(holds("p99( get )>99ms"));
  BOOST_TEST(holds("requests(adopt)=1"));
  BOOST_TEST(holds("rate(adopt)==0.5"));
}

BOOST_AUTO_TEST_CASE(counts_and_shares_are_compared) {
  BOOST_TEST(holds("requests==101"));
  BOOST_TEST(holds("rate==50"));
  BOOST_TEST(holds("errors>0"));
  BOOST_TEST(holds("errors(timeout)==1"));
  BOOST_TEST(holds("errors(malformed)==0"));
  BOOST_TEST(holds("errors>0.9%"));
  BOOST_TEST(holds("errors<1%"));
  BOOST_TEST(holds("status(404)==10"));
  BOOST_TEST(holds("status(4xx)==10%"));
  BOOST_TEST(holds("status(5xx)<=0"));
  BOOST_TEST(holds("status(200)!=0"));
}

BOOST_AUTO_TEST_CASE(findings_of_an_audit_are_compared_where_there_was_one) {
  auto const asked = *parse_objective("audit>1").value;
  BOOST_TEST(judge(asked, sample_run({.seconds = 1})).holds.value());
  auto const without = judge(asked, hundred());
  BOOST_TEST(!without.holds.has_value());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_judged_fails_a_run) {
  auto const condition = judged(*parse_objective("p99>5ms").value, results{});
  BOOST_TEST(condition.failed);
  BOOST_TEST(condition.observed == "p99: there is no such figure");
  BOOST_TEST(condition.text == "p99>5ms");
}

BOOST_AUTO_TEST_CASE(what_was_seen_is_told_in_words) {
  BOOST_TEST(judge(*parse_objective("p50 > 5ms").value, hundred()).observed == "p50 is 51.0 ms");
  BOOST_TEST(judge(*parse_objective("status(4xx)>1%").value, hundred()).observed == "status(4xx) is 10.0 %");
  BOOST_TEST(judge(*parse_objective("rate<1").value, hundred()).observed == "rate is 50.0/s");
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_with_their_place) {
  BOOST_TEST(mistake_in("").starts_with("column 1: what is compared is one of"));
  BOOST_TEST(mistake_in("rat<4").starts_with("column 1: what is compared is one of"));
  BOOST_TEST(mistake_in("p101>1ms").starts_with("column 1"));
  BOOST_TEST(mistake_in("p0>1ms").starts_with("column 1"));
  BOOST_TEST(mistake_in("p99>5").starts_with("column 5: a duration needs a unit"));
  BOOST_TEST(mistake_in("p99 5ms").starts_with("column 5: a comparison is one of"));
  BOOST_TEST(mistake_in("p99").starts_with("column 4: a comparison is missing"));
  BOOST_TEST(mistake_in("p99>").starts_with("column 5: what it is compared with is missing"));
  BOOST_TEST(mistake_in("p99(get>5ms") == "column 4: this parenthesis is never closed");
  BOOST_TEST(mistake_in("p99()>5ms") == "column 5: the name of an operation is missing");
  BOOST_TEST(mistake_in("errors(luck)>0").starts_with("column 8: a kind of error is one of resolve, "));
  BOOST_TEST(mistake_in("status>0").starts_with("column 7: which status is missing"));
  BOOST_TEST(mistake_in("status(20)>0").starts_with("column 8: a status is three digits"));
  BOOST_TEST(mistake_in("status(2xy)>0").starts_with("column 8: a status is three digits"));
  BOOST_TEST(mistake_in("audit(get)>0").starts_with("column 7: this figure is of the whole run"));
  BOOST_TEST(mistake_in("errors>many").starts_with("column 8: here a number is compared"));
  BOOST_TEST(mistake_in("errors>-1").starts_with("column 8"));
  BOOST_TEST(mistake_in("rate<5%").starts_with("column 6: here a number is compared"));
}

BOOST_AUTO_TEST_CASE(an_operation_that_is_not_there_is_told_before_the_run) {
  std::vector<std::string> const operations{"get", "adopt"};
  BOOST_TEST(misfit_of(*parse_objective("p99(adopt)>5ms").value, operations).empty());
  BOOST_TEST(misfit_of(*parse_objective("p99>5ms").value, operations).empty());
  BOOST_TEST(misfit_of(*parse_objective("p99(adobt)>5ms").value, operations) ==
             "'p99(adobt)>5ms': there is no operation 'adobt'; there are: get, adopt");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
