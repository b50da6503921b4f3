// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/flow.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

#include "support/allocation_count.hpp"

BOOST_AUTO_TEST_SUITE(flow_test)

namespace {

using namespace petstore::load;
using namespace std::chrono_literals;

constexpr instant start = instant{} + 1h;

text_template text(std::string_view t, std::vector<std::string> const& names = {}) {
  return std::get<text_template>(parse_template(t, names));
}

answer_view answer(unsigned status, std::string_view retry_after = {}) {
  answer_view a;
  a.status = status;
  a.noted.retry_after = retry_after;
  return a;
}

std::vector<api_key> keys(std::size_t count) {
  std::vector<api_key> made;
  for (std::size_t i = 1; i <= count; ++i) made.push_back({"k" + std::to_string(i), "secret" + std::to_string(i), {}});
  return made;
}

scenario plain(manners conduct = manners::ignore, std::size_t key_count = 1) {
  auto s = plain_scenario("GET", "/pets", {}, "", keys(key_count));
  s.conduct = conduct;
  s.backoff = {100ms, 10s, 3};
  return s;
}

/// One worker with one client.
struct solo {
  explicit solo(scenario s) : played(std::move(s), {{"shop:80", "/v1"}, {"shop:81", ""}}, true) {}

  action begin(instant when = start, std::uint16_t target = 0) {
    client.begin(when, target);
    return client.next(when);
  }

  script played;
  stage scene{played, 1, 0, 1, 0ns};
  flow client{scene};
};

scenario adoption() {
  step create;
  create.name = "adopt/create";
  create.method = "POST";
  create.path = text("/pets");
  create.body = text(R"({"name":"x"})");
  create.captures = {{capture::origin::body, "/pet/id", 0}, {capture::origin::header, "ETag", 1}};
  create.think = {think_time::kind::fixed, 2s};
  step adopt;
  adopt.name = "adopt/adopt";
  adopt.method = "PATCH";
  adopt.path = text("/pets/{{id}}", {"id", "tag"});
  adopt.fields.push_back({"If-Match", text("{{tag}}", {"id", "tag"})});
  adopt.body = text("{}");
  scenario s;
  s.operations.push_back({"adopt", 1, {create, adopt}, 2});
  return s;
}

answer_view created(std::string_view body) {
  answer_view a;
  a.status = 201;
  a.head = "HTTP/1.1 201 Created\r\nETag: \"v1\"\r\n\r\n";
  a.body = body;
  return a;
}

BOOST_AUTO_TEST_CASE(request_is_complete) {
  solo one(plain());
  auto const a = one.begin();
  BOOST_TEST((a.what == action::kind::send));
  BOOST_TEST(a.request ==
             "GET /v1/pets HTTP/1.1\r\nHost: shop:80\r\nUser-Agent: petstore-load\r\nAccept: */*\r\n"
             "Authorization: Bearer secret1\r\n\r\n");
  BOOST_TEST((a.when == start));
  BOOST_TEST(a.key == 0U);
  BOOST_TEST(!a.is_head);
  BOOST_TEST(!a.keeps_body);
}

BOOST_AUTO_TEST_CASE(request_with_a_body_says_how_long_it_is) {
  solo one(plain_scenario("POST", "/pets", {{"X-Test", text("1")}}, R"({"a":1})", {}));
  BOOST_TEST(one.begin().request ==
             "POST /v1/pets HTTP/1.1\r\nHost: shop:80\r\nUser-Agent: petstore-load\r\nAccept: */*\r\n"
             "Content-Type: application/json\r\nX-Test: 1\r\nContent-Length: 7\r\n\r\n{\"a\":1}");
  solo empty(plain_scenario("POST", "/pets", {}, "", {}));
  BOOST_TEST(empty.begin().request.ends_with("Content-Length: 0\r\n\r\n"));
}

BOOST_AUTO_TEST_CASE(own_fields_replace_those_of_the_tool) {
  solo one(plain_scenario("HEAD", "/", {{"host", text("other")}, {"authorization", text("Basic x")}}, "", keys(1)));
  auto const a = one.begin();
  BOOST_TEST(a.request ==
             "HEAD /v1/ HTTP/1.1\r\nUser-Agent: petstore-load\r\nAccept: */*\r\nhost: other\r\nauthorization: Basic "
             "x\r\n\r\n");
  BOOST_TEST(a.key == no_key);  // whoever it is, it is not the key
  BOOST_TEST(a.is_head);
}

BOOST_AUTO_TEST_CASE(each_target_has_its_host_and_its_base_path) {
  solo one(plain());
  one.begin();
  one.client.answered(answer(200), start);
  BOOST_TEST(one.begin(start, 1).request.starts_with("GET /pets HTTP/1.1\r\nHost: shop:81\r\n"));
}

BOOST_AUTO_TEST_CASE(keys_are_used_in_turn) {
  solo one(plain(manners::ignore, 3));
  std::vector<unsigned> used;
  for (int i = 0; i < 6; ++i) {
    used.push_back(one.begin().key);
    one.client.answered(answer(200), start);
  }
  BOOST_TEST((used == std::vector<unsigned>{0, 1, 2, 0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(operations_are_chosen_by_weight) {
  auto s = plain();
  s.operations.push_back(s.operations.front());
  s.operations[0].weight = 3;
  solo one(std::move(s));
  std::array<int, 2> counts{};
  for (int i = 0; i < 4'000; ++i) {
    ++counts[one.begin().operation];
    one.client.answered(answer(200), start);
  }
  BOOST_TEST((counts[0] > 2'850 && counts[0] < 3'150), counts[0]);  // five standard deviations
}

BOOST_AUTO_TEST_CASE(later_step_uses_what_an_earlier_one_captured_after_the_think_time) {
  solo one(adoption());
  auto a = one.begin();
  BOOST_TEST(a.keeps_body);
  BOOST_TEST((one.client.answered(created(R"({"pet":{"id":17}})"), start + 1s).error == error_kind::none));
  a = one.client.next(start + 1s);
  BOOST_TEST((a.what == action::kind::send));
  BOOST_TEST((a.when == start + 3s));
  BOOST_TEST(a.operation == 1U);
  BOOST_TEST(a.request.starts_with("PATCH /v1/pets/17 HTTP/1.1\r\n"));
  BOOST_TEST(a.request.find("If-Match: \"v1\"\r\n") != a.request.npos);
  one.client.answered(answer(200), start + 3s);
  BOOST_TEST((one.client.next(start + 3s).what == action::kind::over));
}

BOOST_AUTO_TEST_CASE(answer_without_the_value_ends_the_operation) {
  for (auto const* body : {"", "{}", "no json", R"({"pet":{"id":null}})", R"({"pet":{"id":"a\r\nb"}})"}) {
    solo one(adoption());
    one.begin();
    auto const o = one.client.answered(created(body), start);
    BOOST_TEST((o.error == error_kind::missing_value), body);
    BOOST_TEST(o.what.find("/pet/id") != o.what.npos);
    BOOST_TEST((one.client.next(start).what == action::kind::over));
  }
}

BOOST_AUTO_TEST_CASE(unexpected_status_ends_the_operation) {
  solo one(adoption());
  one.begin();
  auto const o = one.client.answered(answer(404), start);
  BOOST_TEST((o.error == error_kind::unexpected_status));
  BOOST_TEST(o.what == "adopt/create was answered with 404");
  BOOST_TEST((one.client.next(start).what == action::kind::over));
}

BOOST_AUTO_TEST_CASE(obedient_client_waits_as_it_is_told_and_sends_the_same_again) {
  solo one(plain(manners::obey, 2));
  std::string const first(one.begin().request);
  auto const o = one.client.answered(answer(429, "7"), start + 1s);
  BOOST_TEST((o.error == error_kind::none));
  BOOST_TEST(o.tried_again);
  auto const a = one.client.next(start + 1s);
  BOOST_TEST((a.what == action::kind::send));
  BOOST_TEST(a.is_retry);
  BOOST_TEST(a.request == first);
  BOOST_TEST((a.when >= start + 8s && a.when <= start + 8s + 100ms));
}

BOOST_AUTO_TEST_CASE(request_that_is_tried_again_stays_due_when_it_first_was) {
  solo one(plain(manners::obey));
  BOOST_TEST((one.begin().due == start));
  one.client.answered(answer(429, "7"), start + 1s);
  BOOST_TEST((one.client.next(start + 1s).due == start));
  BOOST_TEST(one.client.failed(start + 9s));
  BOOST_TEST((one.client.next(start + 9s).due == start));
  BOOST_TEST(!one.client.failed(start + 10s));  // the third of three tries
}

BOOST_AUTO_TEST_CASE(later_step_is_due_after_the_time_to_think) {
  solo one(adoption());
  one.begin();
  auto created = answer(201);
  created.body = R"({"pet":{"id":17}})";
  created.head = "HTTP/1.1 201 Created\r\nETag: x\r\n\r\n";
  BOOST_TEST(!one.client.answered(created, start + 1s).tried_again);
  BOOST_TEST((one.client.next(start + 1s).due == start + 3s));
}

BOOST_AUTO_TEST_CASE(obedient_client_waits_until_a_date_by_the_clock_of_the_service) {
  solo one(plain(manners::obey));
  one.begin();
  auto refused = answer(503, "Sun, 22 Nov 2026 12:00:09 GMT");
  refused.noted.date = "Sun, 22 Nov 2026 12:00:02 GMT";
  one.client.answered(refused, start);
  auto const a = one.client.next(start);
  BOOST_TEST((a.when >= start + 7s && a.when <= start + 7s + 100ms));
}

BOOST_AUTO_TEST_CASE(obedient_client_backs_off_when_nobody_says_how_long) {
  solo one(plain(manners::obey));
  one.begin();
  one.client.answered(answer(503), start);
  auto a = one.client.next(start);
  BOOST_TEST((a.when <= start + 100ms));
  one.client.failed(start + 1s);
  a = one.client.next(start + 1s);
  BOOST_TEST((a.when >= start + 1s && a.when <= start + 1s + 200ms));
}

BOOST_AUTO_TEST_CASE(obedient_client_gives_up_after_its_tries_and_says_so) {
  solo one(plain(manners::obey));
  one.begin();
  for (int i = 0; i < 2; ++i) {
    one.client.answered(answer(429, "1"), start);
    BOOST_TEST((one.client.next(start).what == action::kind::send));
  }
  auto const last = one.client.answered(answer(429, "1"), start);
  BOOST_TEST((last.error == error_kind::unexpected_status));
  BOOST_TEST(!last.tried_again);
  BOOST_TEST((one.client.next(start).what == action::kind::over));
}

BOOST_AUTO_TEST_CASE(what_may_have_been_carried_out_is_repeated_only_where_that_does_no_harm) {
  auto const is_repeated = [](std::string method, std::vector<field_template> fields) {
    auto s = plain_scenario(std::move(method), "/pets", std::move(fields), "", {});
    s.conduct = manners::obey;
    solo one(std::move(s));
    one.begin();
    one.client.failed(start);
    return one.client.next(start).what == action::kind::send;
  };
  BOOST_TEST(is_repeated("GET", {}));
  BOOST_TEST(is_repeated("DELETE", {}));
  BOOST_TEST(!is_repeated("POST", {}));
  BOOST_TEST(is_repeated("POST", {{"Idempotency-Key", text("{{uuid}}")}}));
}

BOOST_AUTO_TEST_CASE(client_that_ignores_goes_on_at_once) {
  solo one(plain());
  one.begin();
  BOOST_TEST((one.client.answered(answer(429, "7"), start).error == error_kind::unexpected_status));
  BOOST_TEST((one.client.next(start).what == action::kind::over));
  BOOST_TEST((one.begin().what == action::kind::send));
}

/// An adoption whose first step may be refused, by clients that then let their key pause.
scenario pausing_adoption(std::size_t number_of_keys) {
  auto s = adoption();
  s.keys = keys(number_of_keys);
  s.conduct = manners::pause;
  auto& first = s.operations.front().steps.front();
  first.captures.clear();
  first.expects.add_class(4);
  return s;
}

BOOST_AUTO_TEST_CASE(later_step_is_not_sent_while_its_key_pauses) {
  solo one(pausing_adoption(2));
  BOOST_TEST(one.begin().begins);
  BOOST_TEST(!one.client.withdraws(start));
  one.client.answered(answer(429, "5"), start);
  auto const a = one.client.next(start);
  BOOST_TEST((a.what == action::kind::send && !a.begins && a.when == start + 2s));
  BOOST_TEST(one.client.withdraws(start + 2s));
  BOOST_TEST(one.client.is_idle());
  BOOST_TEST(one.begin(start + 3s).key == 1);  // the other key goes on
}

BOOST_AUTO_TEST_CASE(later_step_is_sent_when_the_pause_of_its_key_is_over) {
  solo one(pausing_adoption(1));
  one.begin();
  one.client.answered(answer(429, "2"), start);
  BOOST_TEST(!one.client.withdraws(one.client.next(start).when));
}

BOOST_AUTO_TEST_CASE(refused_key_pauses_for_every_client_of_the_worker) {
  solo one(plain(manners::pause, 2));
  flow other(one.scene);
  one.begin();  // key 0
  one.client.answered(answer(429, "7"), start);
  for (int i = 0; i < 3; ++i) {
    other.begin(start + 1s);
    BOOST_TEST(other.next(start + 1s).key == 1U);
    other.answered(answer(200), start + 1s);
  }
  other.begin(start + 1s);
  BOOST_TEST(other.next(start + 1s).key == 1U);
  other.answered(answer(429, "9"), start + 1s);
  other.begin(start + 2s);
  auto const a = other.next(start + 2s);
  BOOST_TEST((a.what == action::kind::withheld));
  BOOST_TEST((a.when == start + 7s));  // the first key that is free again
  BOOST_TEST(other.is_idle());
  other.begin(a.when);
  BOOST_TEST(other.next(a.when).key == 0U);
}

BOOST_AUTO_TEST_CASE(expected_refusal_is_no_error) {
  auto s = plain();
  s.operations[0].steps[0].expects.add(429);
  solo one(std::move(s));
  one.begin();
  BOOST_TEST((one.client.answered(answer(429), start).error == error_kind::none));
}

BOOST_AUTO_TEST_CASE(closed_loop_thinks_between_two_operations) {
  auto s = plain();
  s.think = {think_time::kind::fixed, 3s};
  solo one(std::move(s));
  one.begin();
  one.client.answered(answer(200), start + 1s);
  BOOST_TEST((one.client.next(start + 1s).when == start + 4s));
}

BOOST_AUTO_TEST_CASE(bodies_are_the_lines_of_a_file_one_after_the_other) {
  auto s = plain_scenario("POST", "/", {}, "", {});
  s.operations[0].steps[0].lines = {"{1}", "{2}", "{3}"};
  solo one(std::move(s));
  std::string seen;
  for (int i = 0; i < 4; ++i) {
    auto const a = one.begin();
    seen += a.request.substr(a.request.find('{'));
    one.client.answered(answer(201), start);
  }
  BOOST_TEST(seen == "{1}{2}{3}{1}");
}

BOOST_AUTO_TEST_CASE(same_seed_makes_the_same_requests) {
  auto const requests = [](std::uint64_t seed) {
    auto s = plain_scenario("GET", "", {}, "", {});
    s.operations[0].steps[0].path = text("/{{uuid}}");
    script const played(std::move(s), {{"shop", ""}}, true);
    stage scene(played, seed, 0, 1, 0ns);
    flow client(scene);
    client.begin(start);
    return std::string(client.next(start).request);
  };
  BOOST_TEST(requests(1) == requests(1));
  BOOST_TEST(requests(1) != requests(2));
}

BOOST_AUTO_TEST_CASE(steady_state_allocates_nothing) {
  auto s = plain(manners::ignore, 2);
  s.operations[0].steps[0].path = text("/pets/{{integer 1 1000}}?{{counter}}");
  solo one(std::move(s));
  auto const round = [&] {
    one.begin();
    one.client.answered(answer(200), start);
    one.client.next(start);
  };
  for (int i = 0; i < 100; ++i) round();
  if (!petstore::tests::allocations_are_counted()) {
    BOOST_TEST_MESSAGE("SKIPPED: a sanitizer has its own allocator");
    return;
  }
  auto const before = petstore::tests::allocation_count();
  for (int i = 0; i < 10'000; ++i) round();
  BOOST_TEST(petstore::tests::allocation_count() == before);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
