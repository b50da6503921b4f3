// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/quota/local.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "identities.hpp"
#include "ledger.hpp"
#include "petstore/limits/notice.hpp"
#include "record.hpp"
#include "support/eventually.hpp"
#include "support/temporary_directory.hpp"
#include "support/virtual_clock.hpp"

using namespace petstore;
using namespace petstore::quota;
using namespace std::chrono_literals;
using limits::decision;
using limits::tell;
using limits::verdict;
using ports::payer;
namespace asio = boost::asio;

namespace {

std::string content_of(std::filesystem::path const& environment) {
  return petstore::tests::read_file(environment / "data.mdb");
}

constexpr limits::instant noon = petstore::tests::virtual_clock::start;
constexpr limits::plan free_plan{limits::per_minute(60), limits::per_day(1'000)};
constexpr limits::plan anonymous{limits::per_minute(60)};

limits::instant later(std::chrono::nanoseconds time) {
  return petstore::tests::virtual_clock{}.later(time);
}

verdict wait_for(ports::eventual<verdict> operation) {
  // What is counted on this node is known at once. (Boost.Test cannot be asked on several threads.)
  if (!operation.is_ready()) throw std::logic_error("a charge that is waited for");
  return operation.take();
}

limits::address some_address(unsigned char n) {
  limits::address a;
  a.bytes[0] = 0x20;
  a.bytes[7] = n;
  return a;
}

/// As far as this process is concerned, while it lives.
class full_disk {
 public:
  explicit full_disk(std::uintmax_t file_size_max) {
    BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    auto full = before_;
    full.rlim_cur = file_size_max;
    std::signal(SIGXFSZ, SIG_IGN);
    BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &full) == 0);
  }
  ~full_disk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_DFL);
  }
  full_disk(full_disk const&) = delete;
  full_disk& operator=(full_disk const&) = delete;

 private:
  rlimit before_{};
};

struct local_directory {
  petstore::tests::temporary_directory temporary;
  std::filesystem::path directory = temporary.path() / "quota";
  std::mutex mutex;
  std::vector<std::string> reported;

  local_options options(limits::instant at = noon, std::chrono::milliseconds interval = 1h) {
    local_options o;
    o.directory = directory;
    o.write_interval = interval;
    o.clock = [at] { return at; };
    o.report = [this](std::string_view event, std::string_view) {
      std::lock_guard const lock(mutex);
      reported.emplace_back(event);
    };
    return o;
  }

  std::vector<std::string> events() {
    std::lock_guard const lock(mutex);
    return reported;
  }

  payer identity(local_quota& q, std::uint64_t number, limits::plan const& p = free_plan, std::uint64_t resets = 0) {
    payer who;
    who.kind = payer::kind::identity;
    who.account = &q.account_of(number, p, resets);
    who.plan = p;
    return who;
  }
  static payer address(unsigned char n, enum payer::kind kind = payer::kind::address) {
    payer who;
    who.kind = kind;
    who.address = some_address(n);
    who.plan = anonymous;
    return who;
  }
  static verdict charge(local_quota& q, payer const& who, int times, limits::instant at = noon) {
    verdict v;
    for (int i = 0; i < times; ++i) v = wait_for(q.charge(who, at));
    return v;
  }
  /// What a copy of the directory says an identity has used today. (The original is in use.) 0 when it was written to
  /// meanwhile: such a copy may have pages of two moments, and reading it leads anywhere.
  std::uint64_t written_use_of(std::uint64_t number) {
    petstore::tests::temporary_directory copy;
    petstore::tests::temporary_directory again;
    std::error_code error;
    std::filesystem::copy(directory, copy.path(), error);
    if (error) return 0;
    std::filesystem::copy(directory, again.path(), error);
    if (error || content_of(copy.path()) != content_of(again.path())) return 0;
    std::uint64_t used = 0;
    ledger l(copy.path());
    l.read_all([&](std::string_view key, std::string_view value) {
      if (key == record_key(number)) used = decode(value).value().account.long_used;
    });
    return used;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(quota_local, local_directory)

BOOST_AUTO_TEST_CASE(each_kind_of_payer_has_its_own_bucket) {
  auto q = open_local_quota(options());
  charge(*q, identity(*q, 1), 3);
  charge(*q, address(1), 2);
  charge(*q, address(1, payer::kind::keyless), 1);
  BOOST_TEST(tell(q->observe(identity(*q, 1), noon)).short_window.used == 3u);
  BOOST_TEST(tell(q->observe(identity(*q, 2), noon)).short_window.used == 0u);
  BOOST_TEST(tell(q->observe(address(1), noon)).short_window.used == 2u);
  BOOST_TEST(tell(q->observe(address(1, payer::kind::keyless), noon)).short_window.used == 1u);
}

BOOST_AUTO_TEST_CASE(refund_and_inquiry_reach_the_account) {
  auto q = open_local_quota(options());
  payer const who = identity(*q, 1);
  verdict const charged = charge(*q, who, 2);
  BOOST_TEST(tell(wait_for(q->refund(who, charged, noon))).short_window.used == 1u);
  BOOST_TEST(tell(wait_for(q->charge_inquiry(who, noon))).short_window.used == 1u);
  verdict const anonymous_charge = charge(*q, address(1), 2);
  BOOST_TEST(tell(wait_for(q->refund(address(1), anonymous_charge, noon))).short_window.used == 1u);
  BOOST_TEST(tell(wait_for(q->charge_inquiry(address(1), noon))).short_window.used == 2u);  // pays for its 401
}

#ifdef NDEBUG  // a debug build ends with an assertion
BOOST_AUTO_TEST_CASE(mistaken_refunds_give_nothing_back_and_are_counted) {
  auto q = open_local_quota(options());
  payer const who = identity(*q, 1);
  verdict const charged = charge(*q, who, 1);
  verdict const back = wait_for(q->refund(who, charged, noon));
  for (verdict const& mistake : {charged, back, verdict{}}) wait_for(q->refund(who, mistake, noon));
  wait_for(q->refund(address(1), charged, noon));
  BOOST_TEST(q->mistaken_refunds() == 4u);
  BOOST_TEST(tell(q->observe(who, noon)).short_window.used == 0u);
}
#endif

BOOST_AUTO_TEST_CASE(accounts_stay_at_their_address) {
  auto q = open_local_quota(options());
  limits::account* const first = &q->account_of(1, free_plan);
  for (std::uint64_t n = 2; n < 10'000; ++n) q->account_of(n, free_plan);
  BOOST_TEST(&q->account_of(1, {limits::per_minute(300), limits::per_day(10'000)}) == first);
}

BOOST_AUTO_TEST_CASE(close_keeps_everything_exactly) {
  {
    auto q = open_local_quota(options());
    charge(*q, identity(*q, 1), 17);
    charge(*q, identity(*q, 2), 61);
    charge(*q, address(1), 5);
    charge(*q, address(1, payer::kind::keyless), 6);
    q->impose_ban(3, noon.wall + 10min, noon);
    BOOST_TEST(q->close());
  }
  limits::instant const restarted{.boot = limits::boot_time{3s}, .wall = noon.wall + 20s};  // the machine too
  auto q = open_local_quota(options(restarted));
  auto const first = tell(q->observe(identity(*q, 1), restarted));
  BOOST_TEST(first.short_window.used == 17u);
  BOOST_TEST(first.long_window.used == 17u);
  BOOST_TEST(first.short_window.more_in_s == 40);
  auto const second = tell(charge(*q, identity(*q, 2), 1, restarted));
  BOOST_TEST((second.decision == decision::rate_limited));
  BOOST_TEST(second.retry_after_s == 40);
  BOOST_TEST(tell(q->observe(address(1), restarted)).short_window.used == 5u);
  BOOST_TEST(tell(q->observe(address(1, payer::kind::keyless), restarted)).short_window.used == 6u);
  auto const third = tell(charge(*q, identity(*q, 3), 1, restarted));
  BOOST_TEST((third.decision == decision::banned));
  BOOST_TEST(third.retry_after_s == 580);
}

BOOST_AUTO_TEST_CASE(a_restart_keeps_what_was_used_of_a_burst) {
  auto const burst = *limits::plan::of(limits::per_minute(60), {}, limits::refill::continuous, 600);
  payer caller = address(1);
  payer keyless = address(2, payer::kind::keyless);
  caller.plan = keyless.plan = burst;
  {
    auto q = open_local_quota(options());
    for (payer const& who : {caller, keyless, identity(*q, 1, burst)}) charge(*q, who, 600);
  }
  auto q = open_local_quota(options(later(5s)));
  for (payer const& who : {caller, keyless, identity(*q, 1, burst)})
    BOOST_TEST(tell(q->observe(who, later(5s))).short_window.used == 595u);
}

BOOST_AUTO_TEST_CASE(a_restart_keeps_what_an_address_has_used_of_a_day) {
  payer caller = address(1);
  caller.plan = {limits::per_minute(60), limits::per_day(50)};
  {
    auto q = open_local_quota(options(later(0s)));
    charge(*q, caller, 50);
    BOOST_TEST(charge(*q, caller, 1, later(61s)).refused());
    BOOST_TEST(q->close());
  }
  {
    auto q = open_local_quota(options(later(2min)));
    BOOST_TEST(q->close());
  }
  auto q = open_local_quota(options(later(3min)));
  BOOST_TEST(tell(q->observe(caller, later(3min))).long_window.remaining == 0u);
}

BOOST_AUTO_TEST_CASE(a_restart_keeps_what_was_used_of_windows_of_any_length) {
  limits::plan const of_an_hour{limits::per_second(30), limits::per_hour(40)};
  limits::plan const of_a_month{limits::per_hour(30), limits::per_month(40)};
  {
    auto q = open_local_quota(options());
    charge(*q, identity(*q, 1, of_an_hour), 17);
    charge(*q, identity(*q, 2, of_a_month), 17);
  }
  auto const restarted = later(20min);
  auto q = open_local_quota(options(restarted));
  auto const first = tell(q->observe(identity(*q, 1, of_an_hour), restarted));
  BOOST_TEST(first.short_window.used == 0u);
  BOOST_TEST(first.long_window.used == 17u);
  BOOST_TEST(first.long_window.more_in_s == 40 * 60);
  auto const second = tell(q->observe(identity(*q, 2, of_a_month), restarted));
  BOOST_TEST(second.short_window.used == 17u);
  BOOST_TEST(second.long_window.used == 17u);
  BOOST_TEST(second.long_window.reset_unix_s == 1'782'864'000);  // 2026-07-01
}

BOOST_AUTO_TEST_CASE(identities_nobody_asks_for_are_kept_all_the_same) {
  for (int restart = 0; restart < 3; ++restart) {
    auto q = open_local_quota(options());
    if (restart == 0) charge(*q, identity(*q, 1), 17);
    BOOST_TEST(q->close());
  }
  auto q = open_local_quota(options());
  BOOST_TEST(tell(q->observe(identity(*q, 1), noon)).long_window.used == 17u);
}

BOOST_AUTO_TEST_CASE(charges_after_close_work_and_are_not_kept) {
  auto q = open_local_quota(options());
  payer const who = identity(*q, 1);
  charge(*q, who, 2);
  BOOST_TEST(q->close());
  BOOST_TEST(tell(charge(*q, who, 1)).long_window.used == 3u);
  BOOST_TEST(q->close());
  auto again = open_local_quota(options());
  BOOST_TEST(tell(again->observe(identity(*again, 1), noon)).long_window.used == 2u);
}

BOOST_AUTO_TEST_CASE(without_a_directory_nothing_is_kept) {
  local_options o = options();
  o.directory.reset();
  auto q = open_local_quota(o);
  BOOST_TEST(tell(charge(*q, identity(*q, 1), 2)).long_window.used == 2u);
  BOOST_TEST(q->close());
  BOOST_TEST(!std::filesystem::exists(directory));
}

BOOST_AUTO_TEST_CASE(directory_in_use_is_refused) {
  auto q = open_local_quota(options());
  BOOST_CHECK_THROW((void)open_local_quota(options()), std::runtime_error);
  BOOST_TEST(q->close());
  (void)open_local_quota(options());
}

BOOST_AUTO_TEST_CASE(changes_are_written_while_running) {
  auto q = open_local_quota(options(noon, 1ms));
  payer const who = identity(*q, 1);
  for (std::uint64_t used = 1; used <= 3; ++used) {
    charge(*q, who, 1);
    BOOST_REQUIRE(tests::eventually([&] { return written_use_of(1) == used; }));
  }
}

/// kill -9: what was written stays, what was charged after it may be forgotten, nothing else.
BOOST_AUTO_TEST_CASE(crash_forgets_at_most_what_came_after_the_last_write) {
  int go_on[2];
  BOOST_REQUIRE(::pipe(go_on) == 0);
  pid_t const server = ::fork();
  BOOST_REQUIRE(server >= 0);
  if (server == 0) {
    auto q = open_local_quota(options(noon, 1ms));
    payer const who = identity(*q, 1);
    charge(*q, who, 10);
    char byte = 0;
    if (::read(go_on[0], &byte, 1) == 1) charge(*q, who, 5);
    ::raise(SIGKILL);
  }
  BOOST_REQUIRE(tests::eventually([&] { return written_use_of(1) == 10; }));
  BOOST_REQUIRE(::write(go_on[1], "x", 1) == 1);
  int status = 0;
  BOOST_REQUIRE(::waitpid(server, &status, 0) == server);
  BOOST_TEST(WIFSIGNALED(status));
  ::close(go_on[0]);
  ::close(go_on[1]);

  auto q = open_local_quota(options());
  auto const v = tell(q->observe(identity(*q, 1), noon));
  BOOST_TEST(v.long_window.used >= 10u);
  BOOST_TEST(v.long_window.used <= 15u);
  BOOST_TEST(v.short_window.used == v.long_window.used);
}

BOOST_AUTO_TEST_CASE(a_reset_gives_one_whole_quota_in_the_middle_of_a_period) {
  auto q = open_local_quota(options());
  auto const before = identity(*q, 1);
  auto const charged = charge(*q, before, 61);
  BOOST_TEST(charged.refused());
  auto const after = identity(*q, 1, free_plan, 1);
  BOOST_TEST((after.account != before.account));
  BOOST_TEST(charge(*q, after, 60).admitted());
  BOOST_TEST(charge(*q, after, 1).refused());
  // Whoever does not know of the reset yet gets no other one.
  BOOST_TEST((identity(*q, 1, free_plan, 0).account == after.account));
  BOOST_TEST((identity(*q, 1, free_plan, 1).account == after.account));
  BOOST_TEST(charge(*q, identity(*q, 1, free_plan, 2), 60).admitted());
}

BOOST_AUTO_TEST_CASE(a_refund_of_before_a_reset_gives_the_new_quota_nothing) {
  auto q = open_local_quota(options());
  auto const before = identity(*q, 1);
  auto const charged = charge(*q, before, 10);
  auto const after = identity(*q, 1, free_plan, 1);
  charge(*q, after, 5);
  wait_for(q->refund(before, charged, noon));
  BOOST_TEST(tell(q->observe(after, noon)).long_window.used == 5u);
}

BOOST_AUTO_TEST_CASE(a_reset_forgets_strikes_and_a_ban_for_them) {
  auto with_bans = options();
  with_bans.bans.strikes = 3;
  auto q = open_local_quota(std::move(with_bans));
  auto const before = identity(*q, 1);
  charge(*q, before, 61);
  charge(*q, before, 5, later(1s));
  BOOST_TEST((q->observe(before, later(1s)).decision == decision::banned));
  BOOST_TEST(charge(*q, identity(*q, 1, free_plan, 1), 1, later(1s)).admitted());
}

BOOST_AUTO_TEST_CASE(a_restart_brings_back_nothing_from_before_a_reset) {
  {
    auto q = open_local_quota(options());
    charge(*q, identity(*q, 1), 60);
    charge(*q, identity(*q, 2), 60);
    charge(*q, identity(*q, 3), 60);
    BOOST_TEST(q->close());
  }
  {
    auto q = open_local_quota(options());
    charge(*q, identity(*q, 1, free_plan, 1), 7);  // reset while no server ran
    charge(*q, identity(*q, 2), 1);
    charge(*q, identity(*q, 2, free_plan, 1), 9);  // reset while this one runs
    identity(*q, 3, free_plan, 1);                 // reset, and not used since
    BOOST_TEST(q->close());
  }
  auto const kept = read_kept_quotas(directory);
  BOOST_TEST(kept.at(1).account.long_used == 7u);
  BOOST_TEST(kept.at(1).resets == 1u);
  auto q = open_local_quota(options());
  BOOST_TEST(tell(q->observe(identity(*q, 1, free_plan, 1), noon)).long_window.used == 7u);
  BOOST_TEST(tell(q->observe(identity(*q, 2, free_plan, 1), noon)).long_window.used == 9u);
  BOOST_TEST(tell(q->observe(identity(*q, 3, free_plan, 1), noon)).long_window.used == 0u);
  // A ban that comes before anybody asks for the account does not forget what was used.
  BOOST_TEST(q->close());
  auto again = open_local_quota(options());
  again->lift_ban(1, noon.wall, noon);
  BOOST_TEST(tell(again->observe(identity(*again, 1, free_plan, 1), noon)).long_window.used == 7u);
}

BOOST_AUTO_TEST_CASE(resets_count_on_when_the_store_is_older_than_the_quotas) {
  {
    auto q = open_local_quota(options());
    charge(*q, identity(*q, 1, free_plan, 5), 60);
    BOOST_TEST(q->close());
  }
  auto q = open_local_quota(options());
  BOOST_TEST(tell(q->observe(identity(*q, 1, free_plan, 2), noon)).long_window.used == 60u);
  BOOST_TEST(tell(q->observe(identity(*q, 1, free_plan, 3), noon)).long_window.used == 0u);
}

BOOST_AUTO_TEST_CASE(damaged_record_is_reported_and_skipped) {
  {
    auto q = open_local_quota(options());
    charge(*q, identity(*q, 1), 5);
    charge(*q, identity(*q, 2), 6);
    BOOST_TEST(q->close());
    ledger l(directory);
    ledger::change const damage[] = {{record_key(1), "nonsense"}, {"what is this", "who knows"}};
    l.write(damage);
  }
  auto q = open_local_quota(options());
  BOOST_TEST(reported.size() == 2u);
  for (std::string const& event : reported) BOOST_TEST(event == "quota_record_skipped");
  BOOST_TEST(tell(q->observe(identity(*q, 1), noon)).long_window.used == 0u);
  BOOST_TEST(tell(q->observe(identity(*q, 2), noon)).long_window.used == 6u);
  reported.clear();
  BOOST_TEST(q->close());
  (void)open_local_quota(options());
  BOOST_TEST(reported.empty());  // said once
}

BOOST_AUTO_TEST_CASE(records_that_say_nothing_any_more_are_dropped) {
  {
    auto q = open_local_quota(options());
    charge(*q, identity(*q, 1), 5);
    charge(*q, address(1), 5);
    BOOST_TEST(q->close());
  }
  BOOST_TEST(open_local_quota(options(later(24h)))->close());
  BOOST_TEST(written_use_of(1) == 5u);  // a wall clock that is wrong by a day may be set right again
  BOOST_TEST(open_local_quota(options(later(96h)))->close());
  std::size_t count = 0;
  ledger l(directory);
  l.read_all([&](std::string_view, std::string_view) { ++count; });
  BOOST_TEST(count == 0u);
}

BOOST_AUTO_TEST_CASE(full_disk_keeps_no_server_from_starting) {
  {
    auto q = open_local_quota(options());
    charge(*q, identity(*q, 1), 5);
    BOOST_TEST(q->close());
  }
  {
    full_disk const full(std::filesystem::file_size(directory / "data.mdb"));
    auto q = open_local_quota(options(later(96h), 1ms));
    BOOST_REQUIRE(tests::eventually([&] { return !events().empty(); }));
    BOOST_TEST(events().front() == "quota_write_failed");
  }
  reported.clear();
  BOOST_TEST(open_local_quota(options(later(96h)))->close());
  BOOST_TEST(written_use_of(1) == 0u);
  BOOST_TEST(reported.empty());
}

namespace {

/// Records of a host, which fail while they are told to.
struct failing_records final : quota_records {
  struct state {
    std::atomic<bool> fail = false;
    std::atomic<int> attempts = 0;
    std::atomic<int> written = 0;
  };
  explicit failing_records(state& of) : now(of) {}

  void read_all(std::function<void(std::string_view, std::string_view)> const&) override {}
  void write(std::span<change const> changes) override {
    ++now.attempts;
    if (now.fail) throw 1;  // a host may throw anything
    now.written += static_cast<int>(changes.size());
  }

  state& now;
};

}  // namespace

/// The program goes on, and so does the thread that writes.
BOOST_AUTO_TEST_CASE(a_log_that_throws_when_it_is_told_of_a_failure_ends_nothing) {
  failing_records::state disk{.fail = true};
  std::atomic<int> told = 0;
  auto q = make_local_quota({.write_interval = 1ms,
                             .clock = [] { return noon; },
                             .report =
                                 [&](std::string_view, std::string_view) {
                                   ++told;
                                   throw std::runtime_error("the log is full");
                                 }},
                            std::make_unique<failing_records>(disk));
  charge(*q, identity(*q, 1), 5);
  BOOST_TEST(petstore::tests::eventually([&] { return disk.attempts >= 2; }));
  BOOST_TEST(told == 1);
  disk.fail = false;
  BOOST_TEST(petstore::tests::eventually([&] { return disk.written == 1; }));
  BOOST_TEST(petstore::tests::eventually([&] { return told == 2; }));
  charge(*q, identity(*q, 1), 1);
  disk.fail = true;
  q.reset();  // the destructor closes, and reports a loss
  BOOST_TEST(told >= 3);
}

BOOST_AUTO_TEST_CASE(a_clock_that_throws_delays_a_write) {
  failing_records::state disk;
  std::atomic<bool> fail = false;
  std::atomic<int> failed = 0;
  local_options o = options();
  o.directory = std::nullopt;
  o.write_interval = 1ms;
  o.clock = [&] {
    if (!fail) return noon;
    ++failed;
    throw std::runtime_error("the clock has stopped");
  };
  auto q = make_local_quota(std::move(o), std::make_unique<failing_records>(disk));
  auto const who = identity(*q, 1);
  fail = true;
  charge(*q, who, 5);
  BOOST_TEST(petstore::tests::eventually([&] { return failed >= 2; }));
  fail = false;
  BOOST_TEST(petstore::tests::eventually([&] { return disk.written >= 1; }));
  BOOST_TEST(q->close());
  BOOST_TEST((events() == std::vector<std::string>{"quota_write_failed", "quota_write_recovered"}));
}

/// A request may ask for its account while the writer looks at that very account.
BOOST_AUTO_TEST_CASE(a_visit_of_all_accounts_holds_no_lock) {
  ports::current_bans const bans{{}};
  identities all{bans, [] { return noon; }, identities::forgetting::by_visits, 1'000};
  for (std::uint64_t n = 0; n < 3'000; n += 2) (void)all.account_of(n, free_plan, 0);
  std::set<std::uint64_t> visited;
  all.for_each([&](identities::visited const& one) {
    std::uint64_t const identity = one.owner->identity;
    BOOST_TEST(&all.account_of(identity, free_plan, 0) == &one.owner->account);
    BOOST_TEST((one.plan == free_plan));
    BOOST_TEST(visited.insert(identity).second);
    BOOST_TEST(identity % 2 == 0u);
    return false;
  });
  BOOST_TEST(visited.size() == 1'500u);
}

BOOST_AUTO_TEST_CASE(options_out_of_range_make_no_directory) {
  BOOST_CHECK_THROW((void)open_local_quota(options(noon, 0ms)), std::invalid_argument);
  local_options wrong = options();
  wrong.bans.max = -1ms;
  BOOST_CHECK_THROW((void)open_local_quota(wrong), std::invalid_argument);
  BOOST_TEST(!std::filesystem::exists(directory));
}

BOOST_AUTO_TEST_CASE(last_write_that_fails_is_reported_as_a_loss) {
  auto q = open_local_quota(options());
  charge(*q, identity(*q, 1), 5);
  {
    full_disk const full(std::filesystem::file_size(directory / "data.mdb"));
    BOOST_TEST(!q->close());
  }
  BOOST_TEST(events() == (std::vector<std::string>{"quota_write_failed", "quota_lost"}),
             boost::test_tools::per_element());
  BOOST_TEST(!q->close());
}

BOOST_AUTO_TEST_CASE(bans_are_lifted_and_counted_per_payer) {
  local_options o = options();
  o.bans.strikes = 1;
  o.bans.grace = 0ms;
  auto q = open_local_quota(o);
  payer proxy = address(1);
  proxy.never_banned = true;
  BOOST_TEST((charge(*q, proxy, 100).decision == decision::rate_limited));
  BOOST_TEST((charge(*q, address(2), 100).decision == decision::banned));
  BOOST_TEST((charge(*q, identity(*q, 1), 100).decision == decision::banned));
  q->lift_ban(1, noon.wall, noon);
  BOOST_TEST((charge(*q, identity(*q, 1), 1).decision == decision::rate_limited));
}

BOOST_AUTO_TEST_CASE(other_rules_for_bans_hold_from_the_next_charge_on) {
  local_options o = options();
  o.bans.strikes = 0;
  o.bans.grace = 0ms;
  auto q = open_local_quota(o);
  BOOST_TEST((charge(*q, identity(*q, 1), 100).decision == decision::rate_limited));
  BOOST_TEST((charge(*q, address(1), 100).decision == decision::rate_limited));
  q->set_bans({.strikes = 1, .grace = 0ms});
  BOOST_TEST((charge(*q, identity(*q, 1), 2).decision == decision::banned));
  BOOST_TEST((charge(*q, address(1), 2).decision == decision::banned));
  q->set_bans({.strikes = 0});
  BOOST_TEST((charge(*q, identity(*q, 1), 1).decision == decision::banned));  // as it was announced
  BOOST_TEST((charge(*q, address(2), 100).decision == decision::rate_limited));
}

BOOST_AUTO_TEST_CASE(an_end_of_bans_given_before_a_ban_began_does_not_lift_it) {
  local_options o = options();
  o.bans.strikes = 1;
  o.bans.grace = 0ms;
  auto q = open_local_quota(o);
  BOOST_TEST((charge(*q, identity(*q, 1), 100).decision == decision::banned));
  q->lift_ban(1, noon.wall - 1min, noon);
  BOOST_TEST((charge(*q, identity(*q, 1), 1).decision == decision::banned));
}

/// A restart applies the operators' old decisions again. A long ban counts for the length of the next one for a day
/// only.
BOOST_AUTO_TEST_CASE(nor_when_that_ban_holds_for_longer_than_a_day) {
  local_options o = options();
  o.bans = {.strikes = 1, .grace = 0ms, .base = 48h, .max = 48h};
  auto q = open_local_quota(o);
  BOOST_TEST((charge(*q, identity(*q, 1), 100).decision == decision::banned));
  q->lift_ban(1, noon.wall - 1min, noon + 25h);
  BOOST_TEST((charge(*q, identity(*q, 1), 1, noon + 25h).decision == decision::banned));
  q->lift_ban(1, noon.wall + 1min, noon + 25h);
  BOOST_TEST((charge(*q, identity(*q, 1), 1, noon + 25h).decision == decision::admitted));
}

BOOST_AUTO_TEST_CASE(threads_charge_while_it_writes) {
  auto q = open_local_quota(options(noon, 1ms));
  constexpr limits::plan large{limits::per_minute(1'000'000), limits::per_day(1'000'000)};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        for (std::uint64_t i = 0; i < 2'000; ++i) {
          charge(*q, identity(*q, i % 50, large), 1);
          charge(*q, address(static_cast<unsigned char>(i)), 1);
        }
      });
  }
  BOOST_TEST(q->close());
  auto again = open_local_quota(options());
  for (std::uint64_t n = 0; n < 50; ++n)
    BOOST_TEST(tell(again->observe(identity(*again, n, large), noon)).long_window.used == 3u * 2'000u / 50u);
}

BOOST_AUTO_TEST_SUITE_END()
