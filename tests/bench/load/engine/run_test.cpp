// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "engine/run.hpp"

#include <signal.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <limits>
#include <memory>
#include <semaphore>
#include <set>
#include <thread>

#include "bench/load/answering_server.hpp"
#include "bench/load/engine/played.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_run)

namespace {

using namespace std::chrono_literals;
using reply = answering_server::reply;

/// A port at which nobody listens, because it has just been free.
std::string url_of_nobody() {
  return answering_server(ok_to_all).url();
}

BOOST_AUTO_TEST_CASE(every_request_that_is_due_is_sent_answered_and_counted) {
  answering_server server(ok_to_all);
  auto const found = played(plan_of(server.url(), "2000", 200));
  BOOST_TEST(found.due == 200u);
  BOOST_TEST(answers_of(found) == 200u);
  BOOST_TEST(server.requests() == 200u);
  BOOST_TEST(found.errors.empty());
  BOOST_TEST(found.operations.at(0).by_status.at(200) == 200u);
  BOOST_TEST(found.lag.count() == 200u);
  BOOST_TEST(found.run.ended_by == "its number of requests");
}

BOOST_AUTO_TEST_CASE(a_request_is_what_the_flags_say) {
  std::string heard;
  answering_server server([&](std::string_view request, unsigned) -> reply {
    heard = request;
    return {answer_with("")};
  });
  auto plan = plan_of(server.url("/v1/pets?limit=1"), "max", 1);
  plan.connections = 1;
  plan.played =
      plain_scenario("POST", "", {{"Content-Type", text_template("text/plain")}}, "hello", {{"key-1", "secret", {}}});
  played(plan);
  BOOST_TEST(
      heard.starts_with("POST /v1/pets?limit=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n"),
      heard);
  BOOST_TEST(heard.find("\r\nAuthorization: Bearer secret\r\n") != heard.npos, heard);
  BOOST_TEST(heard.find("\r\nContent-Length: 5\r\n") != heard.npos, heard);
  BOOST_TEST(heard.ends_with("\r\n\r\nhello"), heard);
}

BOOST_AUTO_TEST_CASE(a_closed_loop_uses_exactly_its_connections) {
  answering_server server(ok_to_all);
  auto plan = plan_of(server.url(), "max", 300);
  plan.connections = 3;
  auto const found = played(plan);
  BOOST_TEST(answers_of(found) == 300u);
  BOOST_TEST(server.connections() == 3u);
  BOOST_TEST(found.connect.count() == 3u);
}

BOOST_AUTO_TEST_CASE(threads_share_requests_and_connections) {
  answering_server server(ok_to_all);
  for (auto const rate : {"max", "3000"}) {
    auto plan = plan_of(server.url(), rate, 301);
    plan.threads = 3;
    plan.connections = 4;
    auto const found = played(plan);
    BOOST_TEST(answers_of(found) == 301u);
    BOOST_TEST(found.tool.threads.size() == 3u);
  }
}

BOOST_AUTO_TEST_CASE(without_keep_alive_each_request_has_a_connection) {
  answering_server server(ok_to_all);
  auto plan = plan_of(server.url(), "max", 20);
  plan.keep_alive = false;
  BOOST_TEST(answers_of(played(plan)) == 20u);
  BOOST_TEST(server.connections() == 20u);
}

BOOST_AUTO_TEST_CASE(a_server_that_says_close_is_believed) {
  answering_server server([](auto, unsigned) -> reply { return {answer_with("", "200 OK", "Connection: close\r\n")}; });
  auto const found = played(plan_of(server.url(), "max", 20));
  BOOST_TEST(answers_of(found) == 20u);
  BOOST_TEST(server.connections() == 20u);
}

BOOST_AUTO_TEST_CASE(targets_and_their_addresses_take_turns) {
  // Each server answers its first request only when the other one has a request, too.
  std::counting_semaphore<2> first_is_asked{0}, second_is_asked{0};
  auto const wait_for_the_other = [](auto& mine, auto& other) {
    return [&](std::string_view request, unsigned n) {
      if (n == 1) {
        mine.release();
        (void)other.try_acquire_for(tests::time_limit);
      }
      return ok_to_all(request, n);
    };
  };
  answering_server first(wait_for_the_other(first_is_asked, second_is_asked));
  answering_server second(wait_for_the_other(second_is_asked, first_is_asked));
  auto plan = plan_of(first.url(), "max", 100);
  plan.destinations.push_back(plan_of(second.url(), "max", 1).destinations.front());
  BOOST_TEST(answers_of(played(plan)) == 100u);
  BOOST_TEST(first.requests() > 0u);
  BOOST_TEST(second.requests() > 0u);
}

BOOST_AUTO_TEST_CASE(ipv6_is_spoken) {
  answering_server server(ok_to_all, {.greeting = "", .address = boost::asio::ip::address_v6::loopback()});
  BOOST_TEST(answers_of(played(plan_of(server.url(), "max", 5))) == 5u);
}

BOOST_AUTO_TEST_CASE(head_has_no_body_and_another_request_follows) {
  answering_server server([](auto, unsigned) -> reply { return {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"}; });
  auto plan = plan_of(server.url(), "max", 10);
  plan.played = plain_scenario("HEAD", "", {}, "", {});
  BOOST_TEST(answers_of(played(plan)) == 10u);
}

BOOST_AUTO_TEST_CASE(large_bodies_both_ways_arrive) {
  std::string const body(3 << 20, 'x');
  answering_server server([&](std::string_view request, unsigned) -> reply {
    return {answer_with(request.ends_with(std::string_view(body).substr(0, 1'000)) ? body : "short")};
  });
  auto plan = plan_of(server.url(), "max", 4);
  plan.played = plain_scenario("POST", "", {}, body, {});
  auto const found = played(plan);
  BOOST_TEST(answers_of(found) == 4u);
  BOOST_TEST(totals_of(found).bytes_in > 4 * body.size());
  BOOST_TEST(totals_of(found).bytes_out > 4 * body.size());
}

BOOST_AUTO_TEST_CASE(an_answer_that_ends_with_its_connection_has_waited_until_that_end) {
  std::atomic<instant> asked{};
  auto server = std::make_unique<answering_server>([&](auto, unsigned) -> reply {
    asked = std::chrono::steady_clock::now();
    return {"HTTP/1.1 200 OK\r\n\r\nthe end of the connection is that of the answer"};
  });
  auto const plan = plan_of(server->url(), "max", 1);
  instant ended{};
  auto const found = run(plan).play([&](live_status const&) {
    if (!server || asked.load() == instant{}) return;
    ended = std::chrono::steady_clock::now();
    server.reset();
  });
  BOOST_TEST(answers_of(found) == 1u);
  BOOST_TEST((latency_of(found).max() >= ended - asked.load()));
}

// What goes wrong is counted by kind, with an example, and the run goes on.

BOOST_AUTO_TEST_CASE(a_port_where_nobody_listens_is_refused) {
  auto const url = url_of_nobody();
  for (auto const rate : {"max", "100"}) {
    auto const found = played(plan_of(url, rate, 4));
    BOOST_TEST(errors_of(found, error_kind::refused) == 4u);
    BOOST_TEST(found.errors.at(error_kind::refused).example.find("Connection refused") != std::string::npos);
    BOOST_TEST(answers_of(found) == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_closed_loop_without_a_duration_ends_when_nobody_is_there_any_more) {
  auto plan = plan_of(url_of_nobody(), "max", 1'000'000'000);
  plan.timeout = 200ms;
  auto const found = played(plan);
  BOOST_TEST(errors_of(found, error_kind::refused) > 0u);
  BOOST_TEST(found.run.ended_by == "nobody being there for 200ms");
}

BOOST_AUTO_TEST_CASE(garbage_is_malformed_also_when_it_comes_unasked) {
  answering_server rude([](auto, unsigned) -> reply { return {"what?\r\n\r\n"}; });
  auto const found = played(plan_of(rude.url(), "max", 6));
  BOOST_TEST(errors_of(found, error_kind::malformed) == 6u);
  BOOST_TEST(found.errors.at(error_kind::malformed).example == "no status line of HTTP/1.1");

  answering_server banner(ok_to_all, {.greeting = "SSH-2.0-x\r\n"});
  BOOST_TEST(errors_of(played(plan_of(banner.url(), "max", 6)), error_kind::malformed) == 6u);
}

BOOST_AUTO_TEST_CASE(a_connection_that_ends_instead_of_an_answer_is_closed) {
  answering_server at_once([](auto, unsigned) -> reply { return {"", true}; });
  BOOST_TEST(errors_of(played(plan_of(at_once.url(), "max", 6)), error_kind::closed) == 6u);
  answering_server within([](auto, unsigned) -> reply {
    return {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", true};
  });
  auto const found = played(plan_of(within.url(), "max", 6));
  BOOST_TEST(errors_of(found, error_kind::closed) == 6u);
  BOOST_TEST(found.errors.at(error_kind::closed).example == "closed within an answer");
  BOOST_TEST(answers_of(found) == 0u);
}

BOOST_AUTO_TEST_CASE(a_connection_that_was_closed_while_nobody_waited_is_opened_again) {
  // The first answer of each connection does not say that it is the last.
  answering_server server([](auto, unsigned) -> reply { return {answer_with("hello"), true}; });
  auto plan = plan_of(server.url(), "50", 10);
  auto const found = played(plan);
  // Whether the end is seen before the next request is sent is up to the kernel; nothing is lost without being told.
  BOOST_TEST(answers_of(found) + errors_of(found, error_kind::closed) == 10u);
  BOOST_TEST(answers_of(found) >= 1u);
}

BOOST_AUTO_TEST_CASE(an_answer_that_does_not_come_is_given_up) {
  answering_server silent([](auto, unsigned) -> reply { return {}; });
  auto plan = plan_of(silent.url(), "max", 4);
  plan.timeout = 50ms;
  auto const found = played(plan);
  BOOST_TEST(errors_of(found, error_kind::timeout) == 4u);
  BOOST_TEST(silent.connections() == 4u);  // each on a connection that owes nothing
}

BOOST_AUTO_TEST_CASE(an_answer_that_comes_drop_by_drop_is_given_up_too) {
  answering_server slow([](auto, unsigned) -> reply { return {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1"}; });
  auto plan = plan_of(slow.url(), "max", 2);
  plan.timeout = 50ms;
  BOOST_TEST(errors_of(played(plan), error_kind::timeout) == 2u);
}

BOOST_AUTO_TEST_CASE(so_many_errors_end_a_run) {
  answering_server server([](auto, unsigned) -> reply { return {answer_with("", "500 Internal Server Error")}; });
  auto plan = plan_of(server.url(), "max", 1'000'000);
  plan.errors = 10;
  auto const found = played(plan);
  BOOST_TEST(totals_of(found).errors >= 10u);
  BOOST_TEST(totals_of(found).errors < 1'000u);
  BOOST_TEST(found.run.ended_by == "the stop condition errors >= 10");
}

BOOST_AUTO_TEST_CASE(what_is_never_sent_counts_for_the_errors_that_end_a_run) {
  answering_server silent([](auto, unsigned) -> reply { return {}; });
  auto plan = plan_of(silent.url(), "1000", 1'000'000);
  plan.waiting = 0;
  plan.errors = 10;
  auto const found = played(plan);
  BOOST_TEST(errors_of(found, error_kind::unsent) >= 10u);
  BOOST_TEST(found.run.ended_by == "the stop condition errors >= 10");
}

BOOST_AUTO_TEST_CASE(more_errors_than_can_be_counted_end_no_run) {
  answering_server server(ok_to_all);
  auto plan = plan_of(server.url(), "max", 10);
  plan.errors = std::numeric_limits<std::uint64_t>::max();
  BOOST_TEST(answers_of(played(plan)) == 10u);
}

// An open loop.

BOOST_AUTO_TEST_CASE(what_is_due_while_all_connections_are_busy_waits_and_then_is_unsent) {
  answering_server silent([](auto, unsigned) -> reply { return {}; });
  auto plan = plan_of(silent.url(), "1000", 100);
  plan.waiting = 10;
  plan.timeout = 300ms;
  plan.duration = 200ms;
  auto const found = played(plan);
  BOOST_TEST(found.due == 100u);
  BOOST_TEST(errors_of(found, error_kind::timeout) == 2u);  // one for each connection
  BOOST_TEST(errors_of(found, error_kind::unsent) == 98u);  // ten of them waited until the end
  BOOST_TEST(found.tool.waiting_most == 10u);
}

BOOST_AUTO_TEST_CASE(nothing_waits_where_nothing_may_wait) {
  answering_server silent([](auto, unsigned) -> reply { return {}; });
  auto plan = plan_of(silent.url(), "1000", 50);
  plan.waiting = 0;
  plan.timeout = 300ms;
  auto const found = played(plan);
  BOOST_TEST(errors_of(found, error_kind::unsent) >= 40u);
  BOOST_TEST(found.tool.waiting_most == 0u);
}

BOOST_AUTO_TEST_CASE(an_open_loop_shows_a_freeze_that_a_closed_loop_hides) {
  constexpr auto frozen = 1s;
  auto const freezing_once = [&](unsigned at) {
    return [=, has_frozen = false](std::string_view, unsigned nth) mutable -> reply {
      // The freeze itself: nobody is answered meanwhile.
      if (nth >= at && !std::exchange(has_frozen, true)) std::this_thread::sleep_for(frozen);
      return {answer_with("hello")};
    };
  };
  // Six hundred requests in three seconds, of which a third are due while the server is frozen.
  answering_server for_open(freezing_once(200));
  auto plan = plan_of(for_open.url(), "200", 600);
  plan.connections = 50;
  auto const open = played(plan);
  auto const latency = latency_of(open);
  BOOST_TEST(answers_of(open) == 600u);
  BOOST_TEST((latency.max() >= 950ms));
  BOOST_TEST((latency.quantile(0.99) >= 700ms));
  BOOST_TEST((latency.quantile(0.80) >= 100ms));

  // As many connections as would be busy, and as many requests or more: only those under way notice.
  answering_server for_closed(freezing_once(1'000));
  plan = plan_of(for_closed.url(), "max", 6'000);
  plan.connections = 4;
  auto const closed = played(plan);
  BOOST_TEST((latency_of(closed).max() >= 950ms));
  BOOST_TEST((latency_of(closed).quantile(0.99) < 700ms));
}

BOOST_AUTO_TEST_CASE(a_warm_up_is_played_and_not_counted) {
  answering_server server(ok_to_all);
  auto plan = plan_of(server.url(), "500", 50);
  plan.warm_up = 100ms;
  auto const found = played(plan);
  BOOST_TEST(answers_of(found) == 50u);
  BOOST_TEST(found.warm_up_requests == 50u);
  BOOST_TEST(server.requests() == 100u);
}

// How a run ends.

BOOST_AUTO_TEST_CASE(a_duration_ends_a_run_when_what_is_under_way_is_answered) {
  answering_server server(ok_to_all);
  auto plan = plan_of(server.url(), "max", 1);
  plan.requests = std::nullopt;
  plan.duration = 200ms;
  auto const found = played(plan);
  BOOST_TEST(answers_of(found) == server.requests());
  BOOST_TEST(found.errors.empty());
  BOOST_TEST((found.duration == 200ms));
  BOOST_TEST(found.run.ended_by == "its duration");
}

BOOST_AUTO_TEST_CASE(ctrl_c_ends_a_run_that_would_take_an_hour_and_keeps_its_figures) {
  answering_server server(ok_to_all);
  for (auto const rate : {"max", "500"}) {
    auto plan = plan_of(server.url(), rate, 1);
    plan.requests = std::nullopt;
    plan.duration = 1h;
    run r(plan);
    auto const before = server.requests();
    auto const found = r.play([&](live_status const&) {
      if (server.requests() > before + 50 && !r.was_interrupted()) ::raise(SIGINT);
    });
    BOOST_TEST(r.was_interrupted());
    BOOST_TEST(answers_of(found) > 50u);
    BOOST_TEST(found.run.ended_by == "Ctrl-C");
    BOOST_TEST((found.duration < 1h));
    // While reports are written, a second one ends the process.
    struct sigaction next {};
    ::sigaction(SIGINT, nullptr, &next);
    BOOST_TEST((next.sa_handler == SIG_DFL));
  }
}

BOOST_AUTO_TEST_CASE(what_was_due_before_a_run_was_stopped_is_counted_although_it_never_began) {
  // More than any machine begins, so that some of it is late whenever the run is stopped.
  constexpr double rate = 2e6;
  answering_server silent([](auto, unsigned) -> reply { return {}; });
  auto plan = plan_of(silent.url(), "2000000", 1'000'000'000);
  plan.waiting = 0;
  run r(plan);
  auto const found = r.play([&](live_status const&) { r.stop("the test"); });
  BOOST_TEST(static_cast<double>(found.due) >= std::chrono::duration<double>(found.duration).count() * rate * 0.999);
  BOOST_TEST(errors_of(found, error_kind::unsent) + errors_of(found, error_kind::unfinished) == found.due);
}

BOOST_AUTO_TEST_CASE(what_is_due_while_every_key_pauses_is_counted_as_withheld_and_is_no_error) {
  answering_server server(
      [](auto, unsigned) -> reply { return {answer_with("", "429 Too Many Requests", "Retry-After: 3600\r\n")}; });
  auto plan = plan_of(server.url(), "1000", 300);
  plan.played.keys = {{"key-1", "one", {}}, {"key-2", "two", {}}};
  plan.played.conduct = manners::pause;
  plan.played.operations.front().steps.front().expects.add_class(4);
  std::uint64_t shown = 0;
  auto const found = run(plan).play([&](live_status const& now) { shown = std::max(shown, now.withheld); });
  BOOST_TEST(found.withheld > 0u);
  BOOST_TEST(found.due == 300u);
  BOOST_TEST(answers_of(found) + found.withheld == 300u);
  BOOST_TEST(found.errors.empty());
  BOOST_TEST(shown <= found.withheld);
  BOOST_TEST(found.untold_refusals == 0u);
}

BOOST_AUTO_TEST_CASE(a_step_whose_key_pauses_since_the_step_before_is_withheld) {
  answering_server server(
      [](auto, unsigned) -> reply { return {answer_with("", "429 Too Many Requests", "Retry-After: 3600\r\n")}; });
  auto plan = plan_of(server.url(), "1000", 5);
  plan.connections = 1;
  plan.played.keys = {{"key-1", "one", {}}};
  plan.played.conduct = manners::pause;
  auto& steps = plan.played.operations.front().steps;
  steps.front().expects.add_class(4);
  steps.push_back(steps.front());
  auto const found = played(plan);
  BOOST_TEST(server.requests() == 1u);
  BOOST_TEST(found.withheld == 5u);  // the second step, and four operations
  BOOST_TEST(found.due == 6u);
  BOOST_TEST(found.errors.empty());
}

/// A run of clients that wait and try again as they are told.
run_plan obedient_plan_of(std::string const& url, std::string_view rate, std::uint64_t requests) {
  auto plan = plan_of(url, rate, requests);
  plan.played.conduct = manners::obey;
  plan.played.backoff = {1ms, 1ms, 5};
  plan.connections = 1'000;
  return plan;
}

std::string refusal(std::string_view retry_after) {
  return answer_with("", "503 Service Unavailable", "Retry-After: " + std::string(retry_after) + "\r\n");
}

BOOST_AUTO_TEST_CASE(what_is_tried_again_is_due_once_and_no_error_when_it_is_answered_at_last) {
  // Of one client, so that each request is refused once and answered at its second try.
  answering_server server([](auto, unsigned nth) -> reply { return {nth % 2 == 1 ? refusal("0") : answer_with("")}; });
  auto plan = obedient_plan_of(server.url(), "1000", 20);
  plan.connections = 1;
  auto const found = played(plan);
  BOOST_TEST(found.due == 20u);
  BOOST_TEST(answers_of(found) == 20u);
  BOOST_TEST(totals_of(found).retried == 20u);
  BOOST_TEST(statuses_of(found).at(503) == 20u);
  BOOST_TEST(latency_of(found).count() == 20u);
  BOOST_TEST(found.errors.empty());
}

BOOST_AUTO_TEST_CASE(who_still_waits_to_try_again_when_the_run_is_stopped_is_unfinished) {
  answering_server server([](auto, unsigned) -> reply { return {refusal("3600")}; });
  auto const plan = obedient_plan_of(server.url(), "1000", 3);
  run r(plan);
  auto const found = r.play([&](live_status const&) {
    if (server.requests() == 3) r.stop("the test");
  });
  BOOST_TEST(found.due == 3u);
  BOOST_TEST(errors_of(found, error_kind::unfinished) == 3u);
  BOOST_TEST(latency_of(found).count() == 3u);
  BOOST_TEST(answers_of(found) == 0u);
}

BOOST_AUTO_TEST_CASE(who_is_refused_near_the_end_may_still_try_again) {
  answering_server server([](auto, unsigned nth) -> reply { return {nth == 1 ? refusal("0") : answer_with("")}; });
  auto plan = obedient_plan_of(server.url(), "1000", 1);
  plan.duration = 1ns;  // the run is over before the first answer
  auto const found = played(plan);
  BOOST_TEST(answers_of(found) == 1u);
  BOOST_TEST(totals_of(found).retried == 1u);
  BOOST_TEST(found.errors.empty());
}

BOOST_AUTO_TEST_CASE(who_waits_longer_than_the_patience_at_the_end_is_unfinished_and_missing_from_nothing) {
  answering_server server([](auto, unsigned) -> reply { return {refusal("3600")}; });
  auto plan = obedient_plan_of(server.url(), "1000", 20);
  plan.duration = 20ms;
  plan.timeout = 300ms;
  auto const found = played(plan);
  BOOST_TEST(found.due == 20u);
  BOOST_TEST(totals_of(found).errors == 20u);
}

BOOST_AUTO_TEST_CASE(who_is_stopped_does_not_wait_for_an_answer_that_does_not_come) {
  answering_server silent([](auto, unsigned) -> reply { return {}; });
  auto plan = plan_of(silent.url(), "max", 2);
  plan.timeout = 1h;
  run r(plan);
  auto const found = r.play([&](live_status const&) {
    if (silent.requests() == 2) r.stop("the test");
  });
  BOOST_TEST(errors_of(found, error_kind::unfinished) == 2u);
  BOOST_TEST(found.run.ended_by == "the test");
}

BOOST_AUTO_TEST_CASE(who_was_out_of_time_before_the_end_is_no_less_so_when_only_the_end_notices) {
  answering_server silent([](auto, unsigned) -> reply { return {}; });
  auto plan = plan_of(silent.url(), "1000", 1);
  plan.timeout = 0s;    // the request is out of time when it begins,
  plan.duration = 1ns;  // and the run is over before anybody looks again
  auto const found = played(plan);
  // Whether it was connected by then is the kernel's affair.
  BOOST_TEST(errors_of(found, error_kind::connect_timeout) + errors_of(found, error_kind::timeout) == 1u);
  BOOST_TEST(errors_of(found, error_kind::unfinished) == 0u);
}

BOOST_AUTO_TEST_CASE(somebody_who_looks_on_sees_errors_and_the_time_that_is_left) {
  answering_server server([](auto, unsigned) -> reply { return {answer_with("", "500 Internal Server Error")}; });
  auto plan = plan_of(server.url(), "max", 1);
  plan.requests = std::nullopt;
  plan.duration = 1h;
  run r(plan);
  std::uint64_t errors = 0;
  r.play([&](live_status const& now) {
    errors = now.errors;
    BOOST_TEST((now.left.has_value() && *now.left <= 1h));
    if (now.last.counted.answers > 0) r.stop("enough");
  });
  BOOST_TEST(errors > 0u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
