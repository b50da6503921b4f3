// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "command_line.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "bench/load/answering_server.hpp"
#include "bench/load/figures/sample_run.hpp"
#include "report/json.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_command_line)

namespace {

using reply = answering_server::reply;

struct outcome {
  exit_code code;
  std::string out;
  std::string err;
};

outcome run_with(std::vector<std::string> const& arguments, std::string const& typed = {}) {
  std::istringstream in(typed);
  std::ostringstream out;
  std::ostringstream err;
  streams io{in, out, err};
  io.in_is_terminal = io.err_is_terminal = !typed.empty();
  auto const code = run_command_line(arguments, io);
  return {code, out.str(), err.str()};
}

/// A few requests, to this server.
std::vector<std::string> few(answering_server const& server, std::vector<std::string> more = {}) {
  std::vector<std::string> all{server.url("/v1/pets"), "--rate", "max", "--requests", "40", "--connections", "2"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

bool has(std::string const& text, std::string_view part) {
  return text.find(part) != text.npos;
}

struct directory : tests::temporary_directory {
  std::string file(std::string const& name) const { return (*this / name).string(); }
};

BOOST_AUTO_TEST_CASE(the_version_and_the_flags_are_told) {
  auto const version = run_with({"--version"});
  BOOST_TEST((version.code == exit_code::ok));
  BOOST_TEST(version.out.starts_with("petstore-load "));
}

BOOST_AUTO_TEST_CASE(the_help_has_groups_defaults_and_examples) {
  auto const help = run_with({"--help"});
  BOOST_TEST((help.code == exit_code::ok));
  for (auto const* part : {"What is sent:", "How fast, and how long:", "Connections:", "Conditions and reports:",
                           "--find-capacity", "default: 10s", "Examples:", "compare before.json after.json", "130"})
    BOOST_TEST(has(help.out, part), part);
}

BOOST_AUTO_TEST_CASE(a_mistyped_option_gets_a_suggestion_also_where_another_is_missing) {
  auto const mistyped = run_with({"http://127.0.0.1:1/", "--ratee", "5", "--duration", "1s"});
  BOOST_TEST((mistyped.code == exit_code::wrong_usage));
  BOOST_TEST(has(mistyped.err, "--ratee is not known; did you mean --rate?"), mistyped.err);
  BOOST_TEST(has(run_with({"http://127.0.0.1:1/", "--dureation=1s"}).err, "did you mean --duration?"));
  BOOST_TEST(has(run_with({"compare", "--fail-f", "p99 worse"}).err, "--fail-f is not known; did you mean --fail-if?"));
  auto const nothing_like_it = run_with({"http://127.0.0.1:1/", "--colour", "red"}).err;
  BOOST_TEST(has(nothing_like_it, "--colour is not known\n"), nothing_like_it);
  BOOST_TEST(has(run_with({"comapre", "a.json"}).err, "did you mean `petstore-load compare`?"));
}

BOOST_AUTO_TEST_CASE(wrong_usage_exits_2_and_says_what_would_be_right) {
  auto const unknown = run_with({"--no-such-flag"});
  BOOST_TEST((unknown.code == exit_code::wrong_usage));
  BOOST_TEST(has(unknown.err, "--no-such-flag"));
  auto const unbounded = run_with({"http://127.0.0.1:1/", "--rate", "5"});
  BOOST_TEST((unbounded.code == exit_code::wrong_usage));
  BOOST_TEST(has(unbounded.err, "how long"));
}

BOOST_AUTO_TEST_CASE(a_run_ends_with_its_figures_and_exits_0) {
  answering_server server(ok_to_all);
  auto const ran = run_with(few(server));
  BOOST_TEST((ran.code == exit_code::ok));
  BOOST_TEST(has(ran.out, "40"));
  BOOST_TEST(has(ran.out, "200"));
  BOOST_TEST(server.requests() == 40u);
}

BOOST_AUTO_TEST_CASE(a_condition_that_is_met_exits_1) {
  answering_server server([](auto, unsigned nth) -> reply {
    return {answer_with("", nth == 20 ? "500 Internal Server Error" : "200 OK")};
  });
  BOOST_TEST((run_with(few(server, {"--fail-if", "errors>0"})).code == exit_code::objective_failed));
  BOOST_TEST((run_with(few(server, {"--fail-if", "errors>0"})).code == exit_code::ok));
  BOOST_TEST((run_with(few(server, {"--fail-if", "p50<1h"})).code == exit_code::objective_failed));
}

BOOST_AUTO_TEST_CASE(a_target_where_nobody_is_exits_3_and_is_named) {
  auto const url = answering_server(ok_to_all).url();
  auto const nobody = run_with({url, "--rate", "5", "--requests", "5"});
  BOOST_TEST((nobody.code == exit_code::could_not_measure));
  BOOST_TEST(has(nobody.err, "Connection refused"), nobody.err);
  auto const unknown = run_with({"http://nobody.invalid", "--rate", "5", "--requests", "5"});
  BOOST_TEST((unknown.code == exit_code::could_not_measure));
  BOOST_TEST(has(unknown.err, "nobody.invalid"), unknown.err);
}

BOOST_AUTO_TEST_CASE(a_target_that_never_answers_exits_3_and_says_why) {
  answering_server rude([](auto, unsigned) -> reply { return {"what?\r\n"}; });
  auto const ran = run_with(few(rude));
  BOOST_TEST((ran.code == exit_code::could_not_measure));
  BOOST_TEST(has(ran.err, "malformed"), ran.err);
}

BOOST_AUTO_TEST_CASE(of_two_targets_one_may_be_down) {
  answering_server server(ok_to_all);
  auto const down = answering_server(ok_to_all).url("");
  auto const ran = run_with(few(server, {"--target", down}));
  BOOST_TEST((ran.code == exit_code::ok));
  BOOST_TEST(has(ran.err, down), ran.err);
}

BOOST_AUTO_TEST_CASE(of_the_addresses_of_a_host_those_are_used_at_which_it_is) {
  answering_server server(ok_to_all);  // at 127.0.0.1 only, while localhost may also be ::1
  auto const url = "http://localhost:" + std::to_string(server.port());
  auto const ran = run_with({url, "--rate", "max", "--requests", "40", "--connections", "4", "--fail-if", "errors>0"});
  BOOST_TEST((ran.code == exit_code::ok), ran.out + ran.err);
}

BOOST_AUTO_TEST_CASE(another_machine_is_refused_and_nothing_is_sent) {
  // Nobody has this address: RFC 5737.
  auto const refused = run_with({"http://192.0.2.1/", "--rate", "5", "--requests", "1"});
  BOOST_TEST((refused.code == exit_code::wrong_usage));
  BOOST_TEST(has(refused.err, "--yes-i-may-load 192.0.2.1"), refused.err);
  auto const typed = run_with({"http://192.0.2.1/", "--rate", "5", "--requests", "1"}, "yes\n");
  BOOST_TEST((typed.code == exit_code::wrong_usage));
}

BOOST_AUTO_TEST_CASE(reports_are_written_and_two_runs_compared) {
  answering_server server(ok_to_all);
  directory const d;
  for (auto const* name : {"a.json", "b.json"})
    BOOST_TEST((run_with(few(server, {"--json", d.file(name), "--html", d.file("a.html")})).code == exit_code::ok));
  BOOST_TEST(has(tests::read_file(d.file("a.html")), "<html"));
  auto const compared = run_with({"compare", d.file("a.json"), d.file("b.json")});
  BOOST_TEST((compared.code == exit_code::ok));
  BOOST_TEST(has(compared.out, "p99"), compared.out);
  BOOST_TEST((run_with({"compare", d.file("a.json"), d.file("absent")}).code == exit_code::wrong_usage));
  BOOST_TEST((run_with({"compare", d.file("a.json"), d.file("a.html")}).code == exit_code::wrong_usage));
}

BOOST_AUTO_TEST_CASE(a_comparison_fails_if_a_figure_is_worse_and_says_why) {
  directory const d;
  std::ofstream(d.file("a.json")) << to_json(sample_run({.seed = 1, .stalls = false}));
  std::ofstream(d.file("b.json")) << to_json(sample_run({.slower = 1.5, .seed = 2, .stalls = false}));
  auto const compare = [&](std::string const& before, std::string const& after, std::string const& condition) {
    return run_with({"compare", d.file(before), d.file(after), "--fail-if", condition});
  };
  auto const worse = compare("a.json", "b.json", "p50 worse");
  BOOST_TEST((worse.code == exit_code::objective_failed));
  BOOST_TEST(has(worse.out, "FAILED  p50 worse"), worse.out);
  auto const better = compare("b.json", "a.json", "p50 worse");
  BOOST_TEST((better.code == exit_code::ok));
  BOOST_TEST(has(better.out, "passed  p50 worse"), better.out);
  auto const wrong = compare("a.json", "b.json", "p50>5ms");
  BOOST_TEST((wrong.code == exit_code::wrong_usage));
  BOOST_TEST(has(wrong.err, "--fail-if: a condition is a figure and the word worse"), wrong.err);
}

BOOST_AUTO_TEST_CASE(runs_are_merged_into_one_that_has_reports) {
  directory const d;
  std::ofstream(d.file("a.json")) << to_json(sample_run({.seed = 1}));
  std::ofstream(d.file("b.json")) << to_json(sample_run({.seed = 2}));
  auto const merged = run_with({"merge", d.file("a.json"), d.file("b.json"), "--json", d.file("c.json")});
  BOOST_TEST((merged.code == exit_code::ok), merged.err);
  BOOST_TEST(has(merged.out, "8,000 due"), merged.out);
  BOOST_TEST(from_json(tests::read_file(d.file("c.json"))).value.value().due == 8'000u);
  auto const alone = run_with({"merge", d.file("a.json")});
  BOOST_TEST((alone.code == exit_code::wrong_usage));
  BOOST_TEST(has(alone.err, "two runs at least"), alone.err);
  BOOST_TEST((run_with({"merge", d.file("a.json"), d.file("absent")}).code == exit_code::wrong_usage));
}

BOOST_AUTO_TEST_CASE(a_report_of_a_file_that_cannot_be_written_exits_3) {
  directory const d;
  std::ofstream(d.file("a.json")) << to_json(sample_run({}));
  auto const absent = d.file("absent/x");
  for (auto const& arguments :
       std::vector<std::vector<std::string>>{{"merge", d.file("a.json"), d.file("a.json"), "--json", absent},
                                             {"report", d.file("a.json"), "--html", absent}})
    BOOST_TEST((run_with(arguments).code == exit_code::could_not_measure), arguments.front());
}

BOOST_AUTO_TEST_CASE(a_directory_is_no_file_of_a_run) {
  directory const d;
  for (std::string const command : {"report", "compare", "merge"}) {
    std::vector<std::string> arguments{command, d.file("")};
    if (command != "report") arguments.push_back(d.file(""));
    auto const ran = run_with(arguments);
    BOOST_TEST((ran.code == exit_code::wrong_usage), command);
    BOOST_TEST(has(ran.err, "cannot be read"), ran.err);
  }
}

BOOST_AUTO_TEST_CASE(a_merged_report_on_the_standard_output_is_alone_there) {
  directory const d;
  std::ofstream(d.file("a.json")) << to_json(sample_run({}));
  std::vector<std::string> const merge{"merge", d.file("a.json"), d.file("a.json"), "--html", "-"};
  auto const page = run_with(merge);
  BOOST_TEST(page.out.starts_with("<!"), page.out.substr(0, 80));
  BOOST_TEST(has(page.err, "8,000 due"), page.err);
  auto both = merge;
  both.insert(both.end(), {"--json", "-"});
  BOOST_TEST((run_with(both).code == exit_code::wrong_usage));
}

BOOST_AUTO_TEST_CASE(a_report_on_the_standard_output_is_alone_there) {
  answering_server server(ok_to_all);
  auto const json = run_with(few(server, {"--json", "-"}));
  BOOST_TEST((json.code == exit_code::ok));
  BOOST_TEST(from_json(json.out).value.has_value());
  BOOST_TEST(has(json.err, "40 answered"), json.err);
  auto const csv = run_with(few(server, {"--csv", "-", "--quiet"}));
  BOOST_TEST(csv.out.starts_with("begin_ns,"));
  directory const d;
  std::ofstream(d.file("a.json")) << json.out;
  auto const again = run_with({"report", d.file("a.json"), "--csv", "-"});
  BOOST_TEST(again.out.starts_with("begin_ns,"));
  BOOST_TEST(!std::filesystem::exists(d.file("a.html")));
}

BOOST_AUTO_TEST_CASE(the_report_is_made_again_from_the_file_of_a_run) {
  answering_server server(ok_to_all);
  directory const d;
  auto const ran = run_with(few(server, {"--json", d.file("a.json"), "--html", d.file("first.html")}));
  auto const reported = run_with({"report", d.file("a.json")});
  BOOST_TEST((reported.code == exit_code::ok), reported.err);
  BOOST_TEST(reported.out == ran.out);
  BOOST_TEST(tests::read_file(d.file("a.html")) == tests::read_file(d.file("first.html")));
  BOOST_TEST((run_with({"report", d.file("a.json"), "--html", d.file("b.html")}).code == exit_code::ok));
  BOOST_TEST(tests::read_file(d.file("b.html")) == tests::read_file(d.file("first.html")));
}

BOOST_AUTO_TEST_CASE(a_report_of_what_is_no_run_or_over_the_run_itself_is_refused) {
  directory const d;
  std::ofstream(d.file("run.html")) << "{}";
  BOOST_TEST((run_with({"report", d.file("absent.json")}).code == exit_code::wrong_usage));
  auto const no_run = run_with({"report", d.file("run.html"), "--html", d.file("other.html")});
  BOOST_TEST((no_run.code == exit_code::wrong_usage));
  BOOST_TEST(has(no_run.err, "is not a file of petstore-load"), no_run.err);
  answering_server server(ok_to_all);
  run_with(few(server, {"--json", d.file("run.html")}));
  auto const over = run_with({"report", d.file("run.html")});
  BOOST_TEST((over.code == exit_code::wrong_usage));
  BOOST_TEST(has(over.err, "--html"), over.err);
  BOOST_TEST(tests::read_file(d.file("run.html")).starts_with("{"));
}

BOOST_AUTO_TEST_CASE(a_report_that_cannot_be_written_is_told_before_anything_is_sent) {
  answering_server server(ok_to_all);
  auto const ran = run_with(few(server, {"--json", "/no/such/directory/a.json"}));
  BOOST_TEST((ran.code == exit_code::wrong_usage));
  BOOST_TEST(server.requests() == 0u);
}

BOOST_AUTO_TEST_CASE(a_key_is_in_no_report) {
  answering_server server(ok_to_all);
  directory const d;
  auto const ran = run_with(few(server, {"--key", "s3cret", "--json", d.file("a.json"), "--html", d.file("a.html")}));
  for (auto const& text : {ran.out, ran.err, tests::read_file(d.file("a.json")), tests::read_file(d.file("a.html"))})
    BOOST_TEST(!has(text, "s3cret"));
}

BOOST_AUTO_TEST_CASE(an_option_takes_one_value_each_time_and_no_further_one_is_in_a_report) {
  answering_server server(ok_to_all);
  std::vector<std::string> const rest{"--rate", "max", "--requests", "2", "--connections", "1", "--json", "-"};
  auto const run_after = [&](std::vector<std::string> first) {
    first.insert(first.end(), rest.begin(), rest.end());
    return run_with(first);
  };
  auto const ran = run_after({"--key", "s3cret", server.url(), "--key", "s4cret", "-H", "X-Key: s5cret"});
  BOOST_TEST((ran.code == exit_code::ok), ran.err);
  for (auto const* secret : {"s3cret", "s4cret", "s5cret"}) BOOST_TEST(!has(ran.out + ran.err, secret), secret);
  // A second value is taken for a target, which is none.
  for (auto const* option : {"--key", "--yes-i-may-load"})
    BOOST_TEST((run_after({server.url(), option, "one", "no target"}).code == exit_code::wrong_usage), option);
  BOOST_TEST((run_after({server.url(), server.url("/other")}).code == exit_code::ok));
  BOOST_TEST(server.requests() == 4u);
}

BOOST_AUTO_TEST_CASE(a_search_tells_the_rate_that_holds) {
  // More than fifty a second are answered with 500: a knee that does not depend on the machine.
  answering_server server(
      [began = std::chrono::steady_clock::time_point{}, in_second = 0](auto, unsigned) mutable -> reply {
        auto const now = std::chrono::steady_clock::now();
        if (now - began >= std::chrono::milliseconds(200)) began = now, in_second = 0;
        return {answer_with("", ++in_second > 10 ? "500 Internal Server Error" : "200 OK")};
      });
  directory const d;
  auto const ran =
      run_with({server.url(), "--find-capacity", "errors==0", "--rate", "5..400", "--rounds", "1", "--duration",
                "400ms", "--warm-up", "0", "--json", d.file("a.json"), "--html", d.file("first.html")});
  BOOST_TEST((ran.code == exit_code::ok), ran.out + ran.err);
  BOOST_TEST(has(ran.out, "errors==0"), ran.out);
  BOOST_TEST(has(tests::read_file(d.file("a.json")), "\"objective\":\"errors==0\""));
  BOOST_TEST(has(tests::read_file(d.file("first.html")), "Capacity"));
  auto const reported = run_with({"report", d.file("a.json")});
  BOOST_TEST(reported.out == ran.out);
  BOOST_TEST(tests::read_file(d.file("a.html")) == tests::read_file(d.file("first.html")));
}

/// A search of one round between few rates.
outcome search_with(answering_server const& server, std::string const& objective, std::vector<std::string> more = {}) {
  std::vector<std::string> all{server.url(), "--find-capacity", objective, "--rate",    "2..4", "--rounds",
                               "1",          "--duration",      "500ms",   "--warm-up", "0"};
  all.insert(all.end(), more.begin(), more.end());
  return run_with(all);
}

BOOST_AUTO_TEST_CASE(a_rate_at_which_everything_is_refused_is_not_held) {
  answering_server server([](auto, unsigned) -> reply { return {answer_with("", "429 Too Many Requests")}; });
  auto const ran = search_with(server, "p99<1h");
  BOOST_TEST((ran.code == exit_code::objective_failed), ran.out + ran.err);
  BOOST_TEST(has(ran.out, "does not hold at any rate"), ran.out);
  // Unless the objective itself says how many may be refused.
  BOOST_TEST((search_with(server, "status(429)<=100%").code == exit_code::ok));
}

BOOST_AUTO_TEST_CASE(a_try_without_an_answer_is_not_held_and_ends_no_search) {
  // The first request is answered, and no other.
  answering_server server([](auto, unsigned nth) -> reply { return {nth == 1 ? answer_with("") : "what?\r\n"}; });
  auto const ran = search_with(server, "p99<1h");
  BOOST_TEST((ran.code == exit_code::ok), ran.out + ran.err);
  // On a busy machine the tool may be late besides.
  BOOST_TEST((has(ran.out, "broken") || has(ran.out, "the tool was the limit")), ran.out);
  answering_server rude([](auto, unsigned) -> reply { return {"what?\r\n"}; });
  BOOST_TEST((search_with(rude, "p99<1h").code == exit_code::could_not_measure));
}

BOOST_AUTO_TEST_CASE(a_search_in_which_quotas_were_not_kept_fails) {
  answering_server server([](auto, unsigned) -> reply {
    return {answer_with("", "200 OK", "RateLimit: \"minute\";r=5;t=30\r\nRateLimit-Policy: \"minute\";q=10;w=60\r\n")};
  });
  auto const ran = search_with(server, "p99<1h", {"--key", "k", "--audit"});
  BOOST_TEST((ran.code == exit_code::objective_failed), ran.out + ran.err);
  BOOST_TEST(has(ran.out, "The audit found that quotas were not kept in 1 of the tries"), ran.out);
}

BOOST_AUTO_TEST_CASE(a_try_that_errors_ended_is_not_held) {
  answering_server server([](auto, unsigned) -> reply { return {answer_with("", "500 Internal Server Error")}; });
  auto const ran = search_with(server, "errors<100", {"--max-errors", "1"});
  BOOST_TEST((ran.code == exit_code::objective_failed), ran.out + ran.err);
  BOOST_TEST(has(ran.out, "ended by the stop condition errors >= 1"), ran.out);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
