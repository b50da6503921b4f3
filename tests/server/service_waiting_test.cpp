// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "failing_store.hpp"
#include "petstore/server/service.hpp"
#include "server/forwarding_quotas.hpp"
#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(waiting)

namespace {

/// Quotas that are counted elsewhere: every charge is a while on its way, and may fail on it.
class far_quotas final : public tests::forwarding_quotas {
 public:
  using forwarding_quotas::forwarding_quotas;

  bool is_gone = false;
  std::function<void()> on_the_way = [] {};

  ports::eventual<limits::verdict> charge(ports::payer const& who, limits::cost tokens, limits::instant now) override {
    return travel(inner_.charge(who, tokens, now).take());
  }
  ports::eventual<limits::verdict> refund(ports::payer const& who, limits::verdict const& charged,
                                          limits::instant now) override {
    return travel(inner_.refund(who, charged, now).take());
  }
  ports::eventual<limits::verdict> charge_inquiry(ports::payer const& who, limits::instant now) override {
    return travel(inner_.charge_inquiry(who, now).take());
  }

 private:
  asio::awaitable<limits::verdict> travel(limits::verdict verdict) {
    co_await asio::post(asio::use_awaitable);
    on_the_way();
    if (is_gone) throw std::runtime_error("no answer from afar");
    co_return verdict;
  }
};

/// A service that has to wait for its quotas and for its store.
struct far_fixture : service_fixture {
  explicit far_fixture(service_options o = {}) : service_fixture{std::move(o)} {
    shop->waits = true;
    auto over_far_quotas = parts();
    over_far_quotas.quotas = far;
    over_far_quotas.log = [this](severity, std::string_view event, std::string_view detail, log_origin const&) {
      log.push_back(std::string{event}.append(": ").append(detail));
    };
    tested = std::make_unique<service>(options, std::move(over_far_quotas));
  }

  far_quotas far{*quotas};
};

/// A shopper's way through everything that can be asked and refused.
std::vector<answer> walk(service_fixture& s) {
  auto const key = s.make_key();
  auto const reader = s.make_key("free", key_scope::read);
  auto const spent = s.make_key("free", key_scope::write, {}, 1);
  std::vector<answer> seen;
  auto const ask = [&](question q) { seen.push_back(s.ask(std::move(q))); };
  for (int i = 0; i < 3; ++i) ask({.method = method::post, .key = key, .body = rosa});
  ask({.method = method::post, .key = key, .body = "{}"});
  ask({.method = method::post, .key = reader, .body = rosa});
  ask({.target = "/v1/pets/1", .key = key});
  ask({.target = "/v1/pets/1", .key = key, .fields = {{"If-None-Match", seen.back().field("ETag")}}});
  ask({.target = "/v1/pets?limit=2&status=available", .key = key});
  ask({.target = "/v1/pets?limit=0", .key = key});
  ask({.target = "/v1/pets/9", .key = key});
  ask({.target = "/v1/pets/1", .key = "nobody"});
  ask({.target = "/v1/cats", .key = key});
  ask({.method = method::put, .key = key});
  ask({.method = method::options, .key = key});
  ask({.target = "/v1/quota", .key = key});
  ask({.target = "/v1/openapi.json"});
  for (int i = 0; i < 2; ++i) ask({.key = spent});
  ask({.method = method::delete_, .target = "/v1/pets/1", .key = key, .fields = {{"If-Match", "*"}}});
  return seen;
}

BOOST_AUTO_TEST_CASE(an_answer_that_was_waited_for_is_the_same) {
  service_fixture near;
  far_fixture far;
  auto const expected = walk(near);
  auto const seen = walk(far);
  BOOST_REQUIRE(seen.size() == expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    BOOST_TEST(seen[i].status == expected[i].status, "answer " << i);
    BOOST_TEST((seen[i].fields == expected[i].fields), "fields of answer " << i);
    BOOST_TEST(seen[i].body == expected[i].body, "answer " << i);
    BOOST_TEST(seen[i].operation == expected[i].operation, "answer " << i);
  }
  BOOST_TEST(far.log.empty());
}

service_options with_one_in_flight() {
  service_options options;
  options.requests_in_flight_per_key = 1;
  return options;
}

BOOST_AUTO_TEST_CASE(a_request_beyond_those_in_flight_is_refused_and_costs_nothing) {
  far_fixture s{with_one_in_flight()};
  auto const key = s.make_key("free");
  std::optional<answer> beyond, inquiry;
  s.far.on_the_way = [&] {
    if (beyond) return;
    beyond = s.get("/v1/pets", key);
    inquiry = s.get("/v1/quota", key);
  };
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
  BOOST_REQUIRE(beyond);
  check_error(*beyond, errc::too_many_in_flight);
  BOOST_TEST(beyond->field("Retry-After") == "1");
  BOOST_TEST(beyond->field("X-RateLimit-Remaining") == "59");
  BOOST_TEST(beyond->field("RateLimit") == "\"minute\";r=59;t=60, \"day\";r=999;t=43200");
  BOOST_TEST(beyond->field("RateLimit-Policy") ==
             "\"minute\";q=60;w=60, \"day\";q=1000;w=86400, \"in-flight\";q=1;qu=\"concurrent-requests\"");
  check_error(*inquiry, errc::too_many_in_flight);
  auto const next = s.get("/v1/pets", key);
  BOOST_TEST(next.status == 200u);
  BOOST_TEST(next.field("X-RateLimit-Remaining") == "58");
  auto const plans = s.counters.collect().plans;
  auto const free = std::ranges::find(plans, "free", &metrics_reading::plan::name);
  BOOST_REQUIRE(free != plans.end());
  BOOST_TEST(free->outcomes[static_cast<std::size_t>(limit_outcome::in_flight_refused)] == 2u);
}

BOOST_AUTO_TEST_CASE(a_reset_of_the_quotas_leaves_the_requests_in_flight_counted) {
  far_fixture s{with_one_in_flight()};
  auto const key = s.make_key("free");
  auto directory = s.run(s.store().read_keys()).value();
  directory.identities.at(0).quota_resets = 1;
  auto const account_of = [&](auto identity, auto const& plan, auto resets) -> limits::account& {
    return s.quotas->account_of(identity, plan, resets);
  };
  plan_table const plans{{"free", {limits::per_minute(60), limits::per_day(1'000)}}};
  std::optional<answer> beyond;
  s.far.on_the_way = [&] {
    if (beyond) return;
    s.keys.publish(std::make_shared<key_snapshot const>(directory, plans, account_of));
    beyond = s.get("/v1/pets", key);
  };
  s.get("/v1/pets", key);
  BOOST_REQUIRE(beyond);
  check_error(*beyond, errc::too_many_in_flight);
}

BOOST_AUTO_TEST_CASE(a_banned_caller_is_told_of_the_ban_and_not_of_its_requests_in_flight) {
  far_fixture s{with_one_in_flight()};
  auto const key = s.make_key("free");
  std::optional<answer> beyond;
  s.far.on_the_way = [&] {
    if (beyond) return;
    s.quotas->impose_ban(1, s.now.wall + std::chrono::minutes{1}, s.now);
    beyond = s.get("/v1/pets", key);
  };
  s.get("/v1/pets", key);
  BOOST_REQUIRE(beyond);
  check_error(*beyond, errc::banned);
  BOOST_TEST(beyond->field("Retry-After") == "60");
}

BOOST_AUTO_TEST_CASE(a_request_that_fails_is_no_longer_in_flight) {
  far_fixture s{with_one_in_flight()};
  auto const key = s.make_key("free");
  s.throw_from_store(true);
  check_error(s.get("/v1/pets/1", key), errc::internal);
  s.throw_from_store(false);
  s.far.is_gone = true;
  check_error(s.get("/v1/pets", key), errc::unavailable);
  s.far.is_gone = false;
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
}

BOOST_AUTO_TEST_CASE(another_limit_on_requests_in_flight_applies_from_the_next_request_on) {
  far_fixture s;
  auto const key = s.make_key("free");
  std::optional<answer> beyond;
  s.far.on_the_way = [&] {
    if (!beyond) beyond = s.get("/v1/pets", key);
  };
  s.tested->reconfigure(with_one_in_flight());
  BOOST_TEST(s.get("/v1/pets", key).status == 200u);
  BOOST_REQUIRE(beyond);
  check_error(*beyond, errc::too_many_in_flight);
  s.tested->reconfigure({});
  BOOST_TEST(s.get("/v1/pets", key).field("RateLimit-Policy") == "\"minute\";q=60;w=60, \"day\";q=1000;w=86400");
}

BOOST_AUTO_TEST_CASE(callers_without_a_key_have_no_limit_on_requests_in_flight) {
  service_fixture s{with_one_in_flight()};
  BOOST_TEST(s.get("/v1/pets", "").field("RateLimit-Policy") == "\"minute\";q=60;w=60");
}

BOOST_AUTO_TEST_CASE(a_store_that_fails_while_it_is_waited_for_costs_no_token) {
  far_fixture s;
  auto const key = s.make_key("free");
  s.throw_from_store(true);
  for (int i = 0; i < 3; ++i) {
    auto const a = s.get("/v1/pets/1", key);
    check_error(a, errc::internal);
    BOOST_TEST(a.field("X-RateLimit-Remaining") == "60");
  }
}

BOOST_AUTO_TEST_CASE(the_wait_for_the_quotas_is_told_apart_from_the_rest) {
  far_fixture s;
  auto const key = s.make_key();
  s.far.on_the_way = [&s] { s.pass(std::chrono::milliseconds{20}); };
  auto const a = s.get("/v1/pets", key);
  BOOST_CHECK(a.quota_wait == std::chrono::milliseconds{20});
  BOOST_CHECK(a.handling == std::chrono::milliseconds{20});
  auto const sum = s.counters.collect();
  BOOST_TEST(sum.store_reads.buckets[0] == 1u);  // the store took nothing of it
  BOOST_TEST(sum.operations.front().latency[0] == 0u);
}

BOOST_AUTO_TEST_CASE(quotas_that_fail_while_they_are_waited_for_refuse) {
  far_fixture s;
  auto const key = s.make_key("free");
  s.far.is_gone = true;
  auto const a = s.get("/v1/pets", key);
  check_error(a, errc::unavailable);
  BOOST_TEST(a.cause == "the quotas cannot be charged: no answer from afar");
  BOOST_TEST(a.field("X-RateLimit-Limit") == "60");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
