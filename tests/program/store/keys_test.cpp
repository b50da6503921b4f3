// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/keys.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <ios>
#include <sstream>
#include <string_view>

#include "config/settings.hpp"
#include "outcome.hpp"
#include "petstore/ports/forwarding_store.hpp"
#include "petstore/storage/memory.hpp"
#include "store/await.hpp"
#include "store/store_keys.hpp"

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;

namespace {

struct keys_fixture {
  std::unique_ptr<ports::store> store = storage::make_memory_store(environment::staging);
  store_keys service{*store, standard_plans()};
  caller who{"alice", unix_ms(std::chrono::sys_days(std::chrono::year{2026} / 6 / 1))};
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  streams s{in, out, err};

  /// What the command printed since the last time.
  std::string printed() { return std::exchange(out, std::ostringstream()).str(); }
  std::string told() { return std::exchange(err, std::ostringstream()).str(); }

  std::string create(create_options options = {{"free", {}, {}}, "", key_scope::write, {}}) {
    create_key_command(service, options, who, "http://shop.example/v1", false, s);
    return printed();
  }
  boost::json::object show(std::uint64_t number) {
    show_key_command(service, number, who.now, true, s);
    return boost::json::parse(printed()).as_object();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(keys, keys_fixture)

BOOST_AUTO_TEST_CASE(create_prints_the_key_alone_and_its_id_aside) {
  auto key = create();
  BOOST_TEST(told() == "k1\n");
  BOOST_REQUIRE(key.ends_with('\n'));
  key.pop_back();
  BOOST_TEST(is_well_formed_api_key(key, environment::staging));
}

BOOST_AUTO_TEST_CASE(create_as_json_prints_both) {
  create_key_command(service, {{"pro", {}, {}}, "shop", key_scope::write, {}}, who, "http://shop.example/v1", true, s);
  auto const object = boost::json::parse(printed()).as_object();
  BOOST_TEST(object.at("id").as_string() == "k1");
  BOOST_TEST(is_well_formed_api_key(object.at("key").as_string(), environment::staging));
  BOOST_TEST(told().empty());
}

BOOST_AUTO_TEST_CASE(no_key_is_made_whose_text_nobody_would_see) {
  out.setstate(std::ios::badbit);  // as when standard output is closed
  BOOST_CHECK_THROW(create(), command_error);
  out.clear();
  create();
  out.setstate(std::ios::badbit);
  BOOST_CHECK_THROW(rotate_key_command(service, 1, 1h, who, false, s), command_error);
  BOOST_TEST(service.list(who.now).size() == 1u);
  BOOST_TEST(!service.list(who.now).front().key.expires_at);
}

BOOST_AUTO_TEST_CASE(a_key_that_is_made_and_cannot_be_printed_is_told) {
  for (bool const json : {false, true}) {
    std::ofstream full("/dev/full");
    auto const is_told = [json](command_error const& e) {
      auto const id = json ? "k2" : "k1";
      return std::string_view(e.what()).starts_with(id) &&
             std::string_view(e.what()).find("revoke") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(
        create_key_command(service, {{"free", {}, {}}, "", key_scope::write, {}}, who, "", json, {in, full, err}),
        command_error, is_told);
  }
}

BOOST_AUTO_TEST_CASE(a_key_that_is_made_for_a_pipe_without_a_reader_is_told) {
  int ends[2];
  BOOST_REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  std::ofstream pipe("/proc/self/fd/" + std::to_string(ends[1]));
  for (int const end : ends) ::close(end);
  auto const is_told = [](command_error const& e) { return std::string_view(e.what()).starts_with("k1 is made"); };
  BOOST_CHECK_EXCEPTION(
      create_key_command(service, {{"free", {}, {}}, "", key_scope::write, {}}, who, "", false, {in, pipe, err}),
      command_error, is_told);
}

BOOST_AUTO_TEST_CASE(the_store_never_gives_a_key_back) {
  auto key = create();
  key.pop_back();
  list_keys_command(service, who.now, false, s);
  list_keys_command(service, who.now, true, s);
  show_key_command(service, 1, who.now, false, s);
  audit_command(service, false, s);
  auto const all = printed();
  BOOST_TEST(all.find(key.substr(8, 40)) == std::string::npos);
  BOOST_TEST(all.find(key.substr(key.size() - 4)) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_create_was_told_is_what_show_tells) {
  create({{"business", 7, 70}, "The shop", key_scope::read, 24h});
  auto const k = show(1);
  BOOST_TEST(k.at("id").as_string() == "k1");
  BOOST_TEST(k.at("identity").as_string() == "k1");
  BOOST_TEST(k.at("name").as_string() == "The shop");
  BOOST_TEST(k.at("plan").as_string() == "business");
  BOOST_TEST(k.at("per_minute").as_int64() == 7);
  BOOST_TEST(k.at("per_day").as_int64() == 70);
  BOOST_TEST(k.at("scope").as_string() == "read");
  BOOST_TEST(k.at("prefix").as_string() == "ps_test_");
  BOOST_TEST(k.at("state").as_string() == "active");
  BOOST_TEST(k.at("created_at").as_string() == "2026-06-01T00:00:00.000Z");
  BOOST_TEST(k.at("expires_at").as_string() == "2026-06-02T00:00:00.000Z");
}

BOOST_AUTO_TEST_CASE(an_unknown_plan_is_wrong_usage) {
  BOOST_CHECK_EXCEPTION(create({{"gold", {}, {}}, "", key_scope::write, {}}), usage_error, [](usage_error const& e) {
    return std::string_view(e.what()) == "--plan: `gold` is none of enterprise, business, free, pro";
  });
}

BOOST_AUTO_TEST_CASE(enterprise_needs_both_numbers) {
  BOOST_CHECK_THROW(create({{"enterprise", {}, {}}, "", key_scope::write, {}}), usage_error);
  BOOST_CHECK_THROW(create({{"enterprise", 5, {}}, "", key_scope::write, {}}), usage_error);
  BOOST_CHECK_THROW(create({{"enterprise", {}, 5}, "", key_scope::write, {}}), usage_error);
  create({{"enterprise", 5, 50}, "", key_scope::write, {}});
  BOOST_TEST(show(1).at("plan").as_string() == "enterprise");
}

BOOST_AUTO_TEST_CASE(a_name_that_would_garble_a_terminal_is_refused) {
  BOOST_CHECK_THROW(create({{"free", {}, {}}, "a\x1b[2Jb", key_scope::write, {}}), usage_error);
  BOOST_CHECK_THROW(create({{"free", {}, {}}, "ps_live_abc", key_scope::write, {}}), usage_error);
}

BOOST_AUTO_TEST_CASE(rotate_makes_a_second_key_of_the_same_identity) {
  auto const first = create();
  told();
  rotate_key_command(service, 1, 1h, who, false, s);
  BOOST_TEST(told() == "k2\n");
  BOOST_TEST(printed() != first);
  BOOST_TEST(show(2).at("identity").as_string() == "k1");
  BOOST_TEST(show(1).at("replaced_by").as_string() == "k2");
  BOOST_TEST(show(1).at("state").as_string() == "active");
  BOOST_TEST(show(1).at("expires_at").as_string() == "2026-06-01T01:00:00.000Z");
  who.now += 1h;
  BOOST_TEST(show(1).at("state").as_string() == "expired");
  BOOST_TEST(show(2).at("state").as_string() == "active");
}

BOOST_AUTO_TEST_CASE(revoke_ends_a_key) {
  create();
  revoke_key_command(service, 1, who, s);
  BOOST_TEST(printed() == "k1 is revoked\n");
  BOOST_TEST(show(1).at("state").as_string() == "revoked");
}

BOOST_AUTO_TEST_CASE(ban_and_unban_concern_the_identity) {
  create();
  rotate_key_command(service, 1, 1h, who, false, s);
  ban_command(service, 2, 30min, who, s);
  printed();
  BOOST_TEST(show(1).at("state").as_string() == "banned");
  BOOST_TEST(show(1).at("banned_until").as_string() == "2026-06-01T00:30:00.000Z");
  unban_command(service, 1, who, s);
  printed();
  BOOST_TEST(show(2).at("state").as_string() == "active");
}

BOOST_AUTO_TEST_CASE(set_plan_replaces_plan_and_numbers) {
  create({{"free", 7, 70}, "", key_scope::write, {}});
  set_plan_command(service, 1, {"pro", {}, {}}, who, s);
  printed();
  auto const k = show(1);
  BOOST_TEST(k.at("plan").as_string() == "pro");
  BOOST_TEST(k.at("per_minute").is_null());
  BOOST_TEST(k.at("per_day").is_null());
  BOOST_CHECK_THROW(set_plan_command(service, 1, {"gold", {}, {}}, who, s), usage_error);
}

BOOST_AUTO_TEST_CASE(each_line_of_the_list_begins_with_an_id) {
  for (int i = 0; i < 11; ++i) create();
  list_keys_command(service, who.now, false, s);
  std::istringstream lines(printed());
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    BOOST_TEST(line.starts_with("k" + std::to_string(++number) + "\t-\tfree\twrite\tps_test_"), line);
  }
  BOOST_TEST(number == 11);
}

BOOST_AUTO_TEST_CASE(a_person_gets_a_table_as_wide_as_the_terminal_with_whole_names) {
  create({{"free", {}, {}}, "A customer with a name that is longer than all others", key_scope::write, {}});
  create({{"enterprise", 16'000'000, 900'000'000}, std::string(100, '~'), key_scope::write, 24h});
  streams const terminal{in, out, err, false, 80};
  auto const expect_to_fit = [](std::string const& table) {
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      auto const columns = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
      BOOST_TEST(columns <= 80, line);
    }
  };
  auto const plans = standard_plans();
  key_usage const used{kept_usage{{}, who.now}, plans};
  list_keys_command(service, who.now, false, terminal, &used);
  auto const with_usage = printed();
  expect_to_fit(with_usage);
  BOOST_TEST(with_usage.find("0/16000000   0/900000000\n") != with_usage.npos, with_usage);
  list_keys_command(service, who.now, false, terminal);
  auto const table = printed();
  BOOST_TEST(table.starts_with("ID  NAME"), table);
  BOOST_TEST(table.find("\nk1  A customer") != table.npos, table);
  for (auto const* word : {"customer", "with", "longer", "than", "others"}) BOOST_TEST(table.find(word) != table.npos);
  BOOST_TEST(std::ranges::count(table, '~') == 100);
  expect_to_fit(table);
}

/// Identity 1 has a minute and a day, 2 a second and an hour, 3 an hour and a month, 4 a minute alone.
struct keys_of_four_plans : keys_fixture {
  plan_table plans = standard_plans();
  key_usage used{};

  keys_of_four_plans() {
    plans.insert_or_assign("quick", limits::plan{limits::per_second(50), limits::per_hour(9'000)});
    plans.insert_or_assign("bulk", limits::plan{limits::per_hour(500), limits::per_month(5'000)});
    plans.insert_or_assign("short", limits::plan{limits::per_minute(5)});
    store_keys all{*store, plans};
    for (auto const* plan : {"free", "quick", "bulk", "short"})
      create_key_command(all, {{plan, {}, {}}, "", key_scope::write, {}}, who, "", false, s);
    printed();
    used = {kept_usage{{}, who.now}, plans};
    for (std::uint64_t identity = 1; identity <= 4; ++identity) {
      auto& account = used.kept.accounts[identity];
      account.short_end_unix_ms = account.long_end_unix_ms = who.now.time_since_epoch().count() + 1;
      account.short_used = 3;
      account.long_used = 40;
    }
  }
};

BOOST_FIXTURE_TEST_CASE(usage_names_the_windows_of_each_plan, keys_of_four_plans) {
  list_keys_command(service, who.now, true, s, &used);
  auto const keys = boost::json::parse(printed()).as_array();
  auto const number = [&](std::size_t i, char const* member) { return keys.at(i).at(member).as_int64(); };
  BOOST_TEST(number(0, "minute_used") == 3);
  BOOST_TEST(number(0, "minute_quota") == 60);
  BOOST_TEST(number(0, "day_used") == 40);
  BOOST_TEST(number(0, "day_quota") == 1'000);
  BOOST_TEST(number(1, "second_quota") == 50);
  BOOST_TEST(number(1, "hour_used") == 40);
  BOOST_TEST(!keys.at(1).as_object().contains("minute_used"));
  BOOST_TEST(!keys.at(1).as_object().contains("day_used"));
  BOOST_TEST(number(2, "hour_used") == 3);
  BOOST_TEST(number(2, "month_quota") == 5'000);
  BOOST_TEST(number(3, "minute_quota") == 5);
  BOOST_TEST(number(3, "day_quota") == 0);
}

BOOST_FIXTURE_TEST_CASE(a_program_gets_two_cells_of_usage_and_the_period_of_an_unusual_window, keys_of_four_plans) {
  list_keys_command(service, who.now, false, s, &used);
  std::istringstream lines(printed());
  for (auto const* end : {"\t3/60\t40/1000", "\t3/50 this second\t40/9000 this hour",
                          "\t3/500 this hour\t40/5000 this month", "\t3/5\t40"}) {
    std::string line;
    std::getline(lines, line);
    BOOST_TEST(line.ends_with(end), line);
  }
}

BOOST_FIXTURE_TEST_CASE(a_headline_names_the_period_only_if_all_keys_have_it, keys_of_four_plans) {
  streams const terminal{in, out, err, false, 200};
  list_keys_command(service, who.now, false, terminal, &used);
  auto const mixed = printed();
  BOOST_TEST(mixed.find("SHORT WINDOW") != mixed.npos, mixed);
  BOOST_TEST(mixed.find("LONG WINDOW") != mixed.npos, mixed);
  BOOST_TEST(mixed.find("3/60 this minute") != mixed.npos, mixed);
  BOOST_TEST(mixed.find("40/1000 today\n") != mixed.npos, mixed);
  BOOST_TEST(mixed.find("40/5000 this month\n") != mixed.npos, mixed);
  key_usage const usual{used.kept, standard_plans()};  // the other plans are those of free then
  list_keys_command(service, who.now, false, terminal, &usual);
  auto const same = printed();
  BOOST_TEST(same.find("THIS MINUTE  TODAY\n") != same.npos, same);
  BOOST_TEST(same.find("3/60         40/1000\n") != same.npos, same);
}

BOOST_FIXTURE_TEST_CASE(show_names_the_windows_of_the_plan, keys_of_four_plans) {
  show_key_command(service, 3, who.now, false, s, &used);
  auto const shown = printed();
  BOOST_TEST(shown.find("used this hour") != shown.npos, shown);
  BOOST_TEST(shown.find("used this month") != shown.npos, shown);
  show_key_command(service, 1, who.now, false, s, &used);
  auto const usual = printed();
  BOOST_TEST(usual.find("used this minute  3/60\n") != usual.npos, usual);
  BOOST_TEST(usual.find("used today        40/1000\n") != usual.npos, usual);
}

BOOST_FIXTURE_TEST_CASE(numbers_of_a_key_replace_the_windows_of_its_plan, keys_of_four_plans) {
  store_keys all{*store, plans};
  set_plan_command(all, 3, {"bulk", 7, {}}, who, s);
  printed();
  show_key_command(service, 3, who.now, true, s, &used);
  auto const shown = boost::json::parse(printed()).as_object();
  BOOST_TEST(shown.at("minute_quota").as_int64() == 7);
  BOOST_TEST(shown.at("month_quota").as_int64() == 5'000);
}

BOOST_AUTO_TEST_CASE(a_person_who_made_a_key_is_told_what_to_do_with_it_and_a_program_is_not) {
  create_key_command(service, {{"free", {}, {}}, "", key_scope::write, {}}, who, "http://shop.example/v1", false, s);
  BOOST_TEST(told() == "k1\n");
  streams const terminal{in, out, err, true};
  create_key_command(service, {{"free", {}, {}}, "", key_scope::write, {}}, who, "http://shop.example/v1", false,
                     terminal);
  auto const said = told();
  BOOST_TEST(said.starts_with("k2\nThe key may read and change whatever is in the store; with --scope read it may only "
                              "read.\n"),
             said);
  BOOST_TEST(said.ends_with("  curl -H \"Authorization: Bearer $KEY\" http://shop.example/v1/pets\n"), said);
  create_key_command(service, {{"free", {}, {}}, "", key_scope::read, {}}, who, "http://shop.example/v1", false,
                     terminal);
  BOOST_TEST(told().starts_with("k3\nThe key may read whatever is in the store.\n"));
}

BOOST_AUTO_TEST_CASE(an_empty_list_is_empty) {
  list_keys_command(service, who.now, false, s);
  BOOST_TEST(printed().empty());
  list_keys_command(service, who.now, true, s);
  BOOST_TEST(printed() == "[]\n");
  audit_command(service, true, s);
  BOOST_TEST(printed() == "[]\n");
}

BOOST_AUTO_TEST_CASE(a_key_that_is_not_there_is_named) {
  auto const names_it = [](command_error const& e) {
    return std::string_view(e.what()).find("k9") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(show_key_command(service, 9, who.now, false, s), command_error, names_it);
  BOOST_CHECK_EXCEPTION(revoke_key_command(service, 9, who, s), command_error, names_it);
  BOOST_CHECK_EXCEPTION(rotate_key_command(service, 9, 1h, who, false, s), command_error, names_it);
}

BOOST_AUTO_TEST_CASE(entry_of_the_audit_log_that_cannot_be_read_hides_no_other) {
  for (int i = 1; i <= 4; ++i) create();
  struct damaged_store : ports::forwarding_store {
    using forwarding_store::forwarding_store;
    boost::asio::awaitable<result<std::vector<audit_entry>>> read_audit_log(std::uint64_t after,
                                                                            std::uint32_t) override {
      auto reading = forwarding_store::read_audit_log(after, 3);
      auto page = co_await std::move(reading);
      if (page) std::erase_if(*page, [](audit_entry const& e) { return e.sequence == 2; });
      co_return page;
    }
  };
  damaged_store damaged(std::move(store));
  std::vector<std::uint64_t> seen;
  store_keys(damaged, standard_plans()).visit_audit_log([&](audit_entry const& e) { seen.push_back(e.sequence); });
  BOOST_TEST(seen == (std::vector<std::uint64_t>{1, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_change_is_in_the_audit_log) {
  create();
  rotate_key_command(service, 1, 1h, who, false, s);
  ban_command(service, 2, 1h, who, s);
  unban_command(service, 2, who, s);
  set_plan_command(service, 2, {"pro", {}, {}}, who, s);
  revoke_key_command(service, 1, who, s);
  printed();

  audit_command(service, true, s);
  std::vector<std::string> actions;
  auto const log = boost::json::parse(printed());
  for (auto const& line : log.as_array()) {
    auto const& entry = line.as_object();
    BOOST_TEST(entry.at("actor").as_string() == "alice");
    BOOST_TEST(entry.at("at").as_string() == "2026-06-01T00:00:00.000Z");
    actions.emplace_back(entry.at("action").as_string());
  }
  std::vector<std::string> const expected{"create", "rotate", "ban", "unban", "set-plan", "revoke"};
  BOOST_TEST(actions == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(usage_has_a_line_for_each_day) {
  create();
  BOOST_TEST(show(1).at("last_used_at").is_null());
  auto const last = std::chrono::floor<std::chrono::days>(who.now);
  usage_period const two_days{last - std::chrono::days{1}, last};
  ports::usage_of_key const used{.key = 1, .day = last, .admitted = 12, .refused = 3, .last_used = who.now};
  BOOST_REQUIRE(await(store->add_usage({.token = {}, .rows = {used}})).has_value());
  BOOST_TEST(show(1).at("last_used_at").as_string() == "2026-06-01T00:00:00.000Z");
  usage_command(service, 1, two_days, usage_form::cells, s);
  BOOST_TEST(printed() == "2026-05-31\t0\t0\n2026-06-01\t12\t3\n");
  usage_command(service, 1, two_days, usage_form::csv, s);
  BOOST_TEST(printed() == "date,admitted,refused\r\n2026-05-31,0,0\r\n2026-06-01,12,3\r\n");
  usage_command(service, 1, {last, last}, usage_form::json, s);
  BOOST_TEST(printed() == R"([{"date":"2026-06-01","admitted":12,"refused":3}])"
                          "\n");
  BOOST_CHECK_THROW(usage_command(service, 9, two_days, usage_form::cells, s), command_error);
}

BOOST_AUTO_TEST_CASE(an_id_is_k_and_a_number) {
  BOOST_TEST(parse_key_id("k17") == 17u);
  BOOST_CHECK_THROW(parse_key_id("17"), usage_error);
}

BOOST_AUTO_TEST_SUITE_END()
