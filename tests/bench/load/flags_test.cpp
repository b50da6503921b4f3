// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "flags.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <map>

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_flags)

namespace {

using namespace std::chrono_literals;

/// Files and variables of the test.
surroundings around(std::map<std::string, std::string> files = {}, std::map<std::string, std::string> variables = {}) {
  auto const find = [](auto const& in, std::string const& name) -> std::optional<std::string> {
    auto const at = in.find(name);
    return at == in.end() ? std::nullopt : std::optional(at->second);
  };
  surroundings s;
  s.read_file = [=](std::filesystem::path const& path, std::size_t) { return find(files, path.string()); };
  s.variable = [=](std::string const& name) { return find(variables, name); };
  return s;
}

run_flags plain() {
  run_flags f;
  f.targets = {"http://127.0.0.1:8080/v1/pets"};
  f.rate = "500";
  f.duration = "30s";
  return f;
}

intention meant(run_flags const& f, surroundings const& s = around()) {
  auto const outcome = understand(f, {}, s);
  for (auto const& m : outcome.mistakes) BOOST_TEST_MESSAGE(m);
  BOOST_TEST_REQUIRE(outcome.value.has_value());
  return *outcome.value;
}

/// All mistakes in one text.
std::string wrong(run_flags const& f, surroundings const& s = around()) {
  auto const outcome = understand(f, {}, s);
  BOOST_TEST(!outcome.value.has_value());
  std::string all;
  for (auto const& m : outcome.mistakes) all += m + "\n";
  return all;
}

bool has(std::string const& text, std::string_view part) {
  return text.find(part) != text.npos;
}

template <class Change>
run_flags plain_but(Change change) {
  auto f = plain();
  change(f);
  return f;
}

/// What reports show of a command that was read as these keys and fields.
std::string command_of(std::vector<std::string> const& arguments, std::vector<std::string> const& keys = {},
                       std::vector<std::string> const& headers = {}) {
  auto const f = plain_but([&](auto& g) { g.keys = keys, g.headers = headers; });
  return understand(f, arguments, around({}, {{"KEY", "secret"}})).value.value().plan.command;
}

BOOST_AUTO_TEST_CASE(a_plain_run_is_a_url_a_rate_and_a_duration) {
  auto const i = meant(plain());
  BOOST_TEST(i.plan.shape.to == 500);
  BOOST_TEST((i.plan.duration == 30s));
  BOOST_TEST(i.plan.connections == open_connections);
  BOOST_TEST(i.plan.threads == 1u);
  BOOST_TEST(i.plan.keep_alive);
  BOOST_TEST((i.plan.warm_up == 0s));
  BOOST_TEST(i.targets.at(0).path == "/v1/pets");
  BOOST_TEST(i.plan.played.operations.at(0).steps.at(0).method == "GET");
}

BOOST_AUTO_TEST_CASE(a_plain_run_is_called_by_its_method_and_path) {
  auto const i = meant(plain());
  BOOST_TEST(step_names(i.plan.played).at(0) == "GET /v1/pets");
  BOOST_TEST(i.targets.at(0).url() == i.targets.at(0).name() + "/v1/pets");
  BOOST_TEST(parse_target("https://a.example").value.value().url() == "https://a.example");
}

BOOST_AUTO_TEST_CASE(neither_rate_nor_time_may_be_without_bound) {
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.rate.clear(); })), "how fast"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.duration.clear(); })), "how long"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.rate = "max", f.duration.clear(); })), "how long"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.rate = "11000k"; })), "at most 1e+07"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.duration = "25h"; })), "at most 24h"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.requests = requests_max + 1; })), "--requests"));
  meant(plain_but([](auto& f) { f.requests = requests_max; }));
  meant(plain_but([](auto& f) { f.rate = "max", f.duration.clear(), f.requests = 1; }));
}

BOOST_AUTO_TEST_CASE(every_number_has_its_bounds) {
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.connections = 0; })), "--connections"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.connections = connections_max + 1; })), "--connections"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.threads = 0; })), "--threads"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.threads = threads_max + 1; })), "--threads"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.threads = 4, f.connections = 3; })), "a connection at least"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.waiting = waiting_max + 1; })), "--waiting"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.requests = 0; })), "--requests"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.errors = 0; })), "--max-errors"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.timeout = "0s"; })), "--timeout"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.find_capacity = "p99<5ms", f.rounds = 21; })), "--rounds"));
}

BOOST_AUTO_TEST_CASE(stages_say_how_fast_and_how_long) {
  auto const staged = [](auto change) {
    return plain_but([&](auto& f) {
      f.rate.clear(), f.duration.clear(), f.stages = "0..500 30s, 500 5m";
      change(f);
    });
  };
  auto const plan = meant(staged([](auto&) {})).plan;
  BOOST_TEST(plan.shape.stages.size() == 2u);
  BOOST_TEST((plan.duration == 330s));
  BOOST_TEST(has(wrong(staged([](auto& f) { f.rate = "5"; })), "leave out --rate"));
  BOOST_TEST(has(wrong(staged([](auto& f) { f.duration = "5s"; })), "the stages say how long"));
  BOOST_TEST(has(wrong(staged([](auto& f) { f.stages = "500 fast"; })), "--stages: stage 1: a duration is"));
  BOOST_TEST(has(wrong(staged([](auto& f) { f.find_capacity = "p99<5ms"; })), "stages are not used"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.rate = "10..500"; })), "--stages '10..500 30s'"));
}

BOOST_AUTO_TEST_CASE(all_mistakes_are_told_at_once) {
  auto const all = wrong(plain_but([](auto& f) { f.rate = "fast", f.duration = "long", f.targets = {"ftp://a"}; }));
  BOOST_TEST((has(all, "--rate") && has(all, "--duration") && has(all, "ftp://a")));
}

BOOST_AUTO_TEST_CASE(a_body_makes_it_a_post_and_may_come_from_a_file) {
  auto const i = meant(plain_but([](auto& f) { f.body = "@pet.json", f.headers = {"Content-Type: application/json"}; }),
                       around({{"pet.json", "{}"}}));
  BOOST_TEST(i.plan.played.operations.at(0).steps.at(0).method == "POST");
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.body = "@absent"; })), "absent cannot be read"));
}

BOOST_AUTO_TEST_CASE(a_field_cannot_break_out_of_its_line_nor_what_the_tool_writes_itself) {
  for (auto const* field : {"Accept", "Ac cept: a", ": a", "A: b\r\nC: d", "Host: a", "content-length: 5",
                            "Transfer-Encoding: chunked", "Connection: close"})
    BOOST_TEST(has(wrong(plain_but([&](auto& f) { f.headers = {field}; })), "--header"), field);
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.method = "GET / HTTP/1.1\r\n"; })), "--method"));
}

BOOST_AUTO_TEST_CASE(further_targets_need_not_repeat_the_path) {
  auto const i = meant(plain_but([](auto& f) { f.targets.push_back("http://127.0.0.2:8080"); }));
  BOOST_TEST(i.targets.at(1).path == "/v1/pets");
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.targets.clear(); })), "whom to load"));
}

BOOST_AUTO_TEST_CASE(the_live_page_has_an_address_and_a_port) {
  auto const page = [](std::string const& text) {
    return meant(plain_but([&](auto& f) { f.live_metrics = text; })).plan.live_page.value();
  };
  BOOST_TEST(page("9464").port() == 9464);
  BOOST_TEST(page("9464").address().is_loopback());
  BOOST_TEST(page("0.0.0.0:9464").address().is_unspecified());
  BOOST_TEST(page("[::1]:9464").address().is_v6());
  for (auto const* odd :
       {"localhost:9464", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:70000", "http://127.0.0.1:9464", "x"})
    BOOST_TEST(has(wrong(plain_but([&](auto& f) { f.live_metrics = odd; })), "--live-metrics: an address and a port"),
               odd);
}

BOOST_AUTO_TEST_CASE(one_report_at_most_goes_to_the_standard_output) {
  meant(plain_but([](auto& f) { f.json_file = "-"; }));
  meant(plain_but([](auto& f) { f.csv_file = "-", f.json_file = "a.json"; }));
  BOOST_TEST(
      has(wrong(plain_but([](auto& f) { f.html_file = f.json_file = "-"; })), "only one of --json, --html and --csv"));
  BOOST_TEST(
      has(wrong(plain_but([](auto& f) { f.csv_file = f.json_file = "-"; })), "only one of --json, --html and --csv"));
}

BOOST_AUTO_TEST_CASE(each_report_has_a_file_of_its_own) {
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.csv_file = f.json_file = "a"; })), "need different files"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.html_file = f.csv_file = "a"; })), "need different files"));
}

BOOST_AUTO_TEST_CASE(a_search_chooses_rates_itself) {
  run_flags f;
  f.targets = {"http://127.0.0.1"};
  f.find_capacity = "p99<5ms";
  auto i = meant(f);
  BOOST_TEST(i.find_capacity.value().text == "p99<5ms");
  BOOST_TEST((i.plan.duration > 0s && i.plan.warm_up > 0s));
  f.rate = "200..9000";
  f.rounds = 5;
  i = meant(f);
  BOOST_TEST((i.search.first == 200 && i.search.most == 9'000 && i.search.rounds == 5));
  f.rate = "max";
  BOOST_TEST(has(wrong(f), "chooses the rates itself"));
  BOOST_TEST(has(wrong(plain_but([](auto& g) { g.rounds = 2; })), "--rounds belongs to"));
}

BOOST_AUTO_TEST_CASE(an_objective_that_could_never_be_judged_is_told_before_the_run) {
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.fail_if = {"p99>"}; })), "--fail-if"));
  BOOST_TEST(has(wrong(plain_but([](auto& f) { f.fail_if = {"p99(adopt)>5ms"}; })), "adopt"));
}

BOOST_AUTO_TEST_CASE(a_scenario_brings_its_own_load_which_flags_beat) {
  constexpr auto text = R"(
[load]
rate = 100
duration = "5s"
connections = 7
[[operations]]
name = "list"
path = "/pets"
)";
  run_flags f;
  f.targets = {"http://127.0.0.1/v1/"};
  f.scenario_file = "two.toml";
  auto const files = around({{"two.toml", text}});
  auto i = meant(f, files);
  BOOST_TEST((i.plan.shape.to == 100 && i.plan.duration == 5s && i.plan.connections == 7));
  BOOST_TEST(i.targets.at(0).path == "/v1");
  f.rate = "max";
  f.duration = "1s";
  i = meant(f, files);
  BOOST_TEST((i.plan.shape.is_max && i.plan.duration == 1s));
  f.body = "x";
  f.targets = {"http://127.0.0.1/v1?a=b"};
  BOOST_TEST(has(wrong(f, files), "--body"));
  BOOST_TEST(has(wrong(f, files), "no query"));
}

BOOST_AUTO_TEST_CASE(a_mistake_in_a_scenario_is_told_with_its_place) {
  run_flags f;
  f.targets = {"http://127.0.0.1"};
  f.scenario_file = "bad.toml";
  BOOST_TEST(has(wrong(f, around({{"bad.toml", "manners = \n"}})), "bad.toml:1:"));
  BOOST_TEST(has(wrong(f), "bad.toml"));
}

BOOST_AUTO_TEST_CASE(keys_come_from_flags_the_environment_or_files_and_are_shown_nowhere) {
  auto const i = meant(plain_but([](auto& f) {
                         f.keys = {"secret-1", "env:KEY", "file:keys"};
                       }),
                       around({{"keys", "secret-3\nsecret-4\n"}}, {{"KEY", "secret-2"}}));
  BOOST_TEST(i.plan.played.keys.size() == 4u);
  BOOST_TEST(i.plan.played.keys.at(3).secret == "secret-4");
  BOOST_TEST(!has(wrong(plain_but([](auto& f) { f.keys = {"sec ret"}; })), "sec ret"));
  BOOST_TEST(!has(wrong(plain_but([](auto& f) { f.headers = {"Authorization secret"}; })), "secret"));
}

BOOST_AUTO_TEST_CASE(all_keys_together_have_a_limit) {
  std::string half;
  for (std::size_t i = 0; i < keys_max / 2; ++i) half += "k\n";
  auto const files = around({{"half", half}});
  auto const with = [](std::vector<std::string> const& keys) { return plain_but([&](auto& f) { f.keys = keys; }); };
  BOOST_TEST(meant(with({"file:half", "file:half"}), files).plan.played.keys.size() == keys_max);
  BOOST_TEST(has(wrong(with({"file:half", "file:half", "one"}), files), "more than 10000 keys"));
}

BOOST_AUTO_TEST_CASE(reports_tell_the_command_without_what_is_secret) {
  BOOST_TEST(command_of({"http://a/", "--key", "secret", "--rate", "5"}, {"secret"}) ==
             "petstore-load http://a/ --key … --rate 5");
  BOOST_TEST(command_of({"--key=secret", "--key", "env:KEY"}, {"secret", "env:KEY"}) ==
             "petstore-load --key=… --key env:KEY");
  using words = std::vector<std::string>;
  for (auto const& [arguments, field] : {std::pair(words{"-H", "X-Key: secret"}, "X-Key: secret"),
                                         std::pair(words{"--header", "Cookie: secret"}, "Cookie: secret"),
                                         std::pair(words{"--header=X-Key: secret"}, "X-Key: secret"),
                                         std::pair(words{"-HX-Key: secret"}, "X-Key: secret")})
    BOOST_TEST(!has(command_of(arguments, {}, {field}), "secret"), arguments.front());
  BOOST_TEST(command_of({"--fail-if", "p99>5ms"}) == "petstore-load --fail-if 'p99>5ms'");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
