// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/names/lookup.hpp"

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "support/eventually.hpp"

using namespace petstore::names;
using namespace std::chrono_literals;

namespace {

using clock_type = std::chrono::steady_clock;
auto const never = clock_type::now() + 24h;

/// Answers for `quick` at once, for `unknown` that there is none, and for others when it is allowed to. Lives for as
/// long as a thread that asks it, which may be longer than the case.
struct name_server {
  std::promise<void> allowing;
  std::shared_future<void> const allowed = allowing.get_future();
  bool is_allowed = false;
  std::atomic<int> asked{0};
  std::atomic<int> ended{0};

  void allow() {
    if (!std::exchange(is_allowed, true)) allowing.set_value();
  }
  static source make_source(std::shared_ptr<name_server> self) {
    return [self](std::string const& host) -> found {
      ++self->asked;
      if (host == "unknown") return {asio::error::host_not_found, {}};
      if (host != "quick") self->allowed.wait();
      ++self->ended;
      return {{}, {asio::ip::make_address("192.0.2.1")}};
    };
  }
};

struct world {
  std::shared_ptr<name_server> const server = std::make_shared<name_server>();
  std::optional<asio::io_context> context{std::in_place, 1};
  std::optional<lookup> names{std::in_place, context->get_executor(), name_server::make_source(server)};

  ~world() {
    names.reset();
    context.reset();
    server->allow();
  }

  /// What comes of it goes to `out`, once the context has run so far.
  void look_for(std::string host, clock_type::time_point deadline, std::optional<found>& out) {
    auto finding = names->find(std::move(host), deadline);
    auto const take = [&out](std::exception_ptr thrown, found told) {
      BOOST_TEST(!thrown);
      out = std::move(told);
    };
    asio::co_spawn(*context, std::move(finding), take);
  }
  found find(std::string host, clock_type::time_point deadline = never) {
    std::optional<found> out;
    look_for(std::move(host), deadline, out);
    context->restart();
    while (!out) context->run_one();
    return *out;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(names_lookup, world)

BOOST_AUTO_TEST_CASE(the_system_knows_this_machine) {
  auto const told = ask_system("localhost");
  BOOST_TEST(!told.failure);
  BOOST_TEST_REQUIRE(!told.addresses.empty());
  for (auto const& a : told.addresses) BOOST_TEST(a.is_loopback());
}

BOOST_AUTO_TEST_CASE(an_answer_and_its_absence_are_told) {
  auto const quick = find("quick");
  BOOST_TEST(!quick.failure);
  BOOST_TEST(quick.addresses.size() == 1u);
  BOOST_TEST(find("unknown").failure == asio::error::host_not_found);
  BOOST_TEST(find("unknown").failure == asio::error::host_not_found);
  BOOST_TEST(server->asked == 3);  // anew each time
}

BOOST_AUTO_TEST_CASE(nobody_waits_beyond_the_deadline_and_the_answer_is_for_who_asks_next) {
  BOOST_TEST(find("slow", clock_type::now() + 20ms).failure == asio::error::timed_out);
  BOOST_TEST(find("slow", clock_type::now() + 20ms).failure == asio::error::timed_out);
  server->allow();
  BOOST_TEST(find("slow").addresses.size() == 1u);
  BOOST_TEST(server->asked == 1);
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_too_old_is_for_nobody) {
  names.emplace(context->get_executor(), name_server::make_source(server), 0s);
  auto const idle = server.use_count();
  BOOST_TEST(find("slow", clock_type::now() + 20ms).failure == asio::error::timed_out);
  server->allow();
  // Nobody waits for the answer. The thread that asks has a copy of the source until the answer is there.
  BOOST_TEST_REQUIRE(petstore::tests::eventually([&] { return server.use_count() == idle; }));
  BOOST_TEST(!find("slow").failure);
  BOOST_TEST(server->asked == 2);
}

BOOST_AUTO_TEST_CASE(a_name_that_takes_long_holds_up_no_other) {
  std::optional<found> slow;
  look_for("slow", never, slow);
  BOOST_TEST(!find("quick").failure);
  BOOST_TEST(!slow.has_value());
}

BOOST_AUTO_TEST_CASE(who_waits_is_let_go_at_the_end) {
  std::optional<found> slow;
  look_for("slow", never, slow);
  while (server->asked == 0) context->run_one();
  names->close();
  context->run();
  BOOST_TEST_REQUIRE(slow.has_value());
  BOOST_TEST(slow->failure == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_context_waits_for_no_name_server) {
  std::optional<found> slow;
  look_for("slow", never, slow);
  while (server->asked == 0) context->run_one();
  context.reset();
  names.reset();
  BOOST_TEST(server->ended == 0);
}

BOOST_AUTO_TEST_SUITE_END()
