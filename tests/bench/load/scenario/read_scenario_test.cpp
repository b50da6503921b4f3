// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/read_scenario.hpp"

#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

#include "scenario/flow.hpp"

BOOST_AUTO_TEST_SUITE(read_scenario_test)

namespace {

using namespace petstore::load;
using namespace std::chrono_literals;

/// Files and variables of a test.
struct made_up {
  std::map<std::string, std::string> files{};
  std::map<std::string, std::string> variables{};

  surroundings around() const {
    return {[this](std::filesystem::path const& path, std::size_t bytes_max) -> std::optional<std::string> {
              auto const found = files.find(path.string());
              if (found == files.end() || found->second.size() > bytes_max) return std::nullopt;
              return found->second;
            },
            [this](std::string const& name) -> std::optional<std::string> {
              auto const found = variables.find(name);
              return found == variables.end() ? std::nullopt : std::optional(found->second);
            }};
  }
};

constexpr std::string_view one_operation = "[[operations]]\nname = \"list\"\npath = \"/pets\"\n";

scenario read(std::string const& text, made_up const& world = {}) {
  auto outcome = parse_scenario(text, "dir/s.toml", world.around());
  for (auto const& m : outcome.mistakes) BOOST_ERROR(m);
  BOOST_REQUIRE(outcome.value.has_value());
  return *std::move(outcome.value);
}

/// The mistakes, one a line, without the name of the file.
std::string mistakes(std::string const& text, made_up const& world = {}) {
  auto const outcome = parse_scenario(text, "dir/s.toml", world.around());
  BOOST_TEST(outcome.value.has_value() == outcome.mistakes.empty());
  std::string all;
  for (auto const& m : outcome.mistakes) {
    BOOST_TEST((m.starts_with("dir/s.toml:") || m.starts_with("dir/")), m);
    all += (all.empty() ? "" : "\n") + (m.starts_with("dir/s.toml:") ? m.substr(11) : m);
  }
  return all;
}

bool has(std::string const& text, std::string_view part) {
  bool const found = text.find(part) != std::string::npos;
  if (!found) BOOST_TEST_MESSAGE("no \"" << part << "\" in: " << text);
  return found;
}

BOOST_AUTO_TEST_CASE(smallest_scenario_has_one_operation) {
  auto const s = read(std::string(one_operation));
  BOOST_TEST(s.name == "s");
  BOOST_TEST(s.operations.size() == 1U);
  BOOST_TEST(s.operations[0].steps[0].method == "GET");
  BOOST_TEST(s.operations[0].steps[0].expects.has(200));
  BOOST_TEST(s.operations[0].steps[0].expects.has(304));
  BOOST_TEST(!s.operations[0].steps[0].expects.has(404));
  BOOST_TEST((s.conduct == manners::ignore));
  BOOST_TEST(!s.audit.wanted);
}

BOOST_AUTO_TEST_CASE(everything_a_file_can_say_is_read) {
  made_up const world{{{"dir/keys.txt", "# two\nfirst\n\nsecond\r\n"}, {"dir/pets.jsonl", "{\"a\":1}\n\n{\"a\":2}\n"}},
                      {{"SHOP_KEY", "from-outside"}}};
  auto const s = read(R"(
name = "everything"
manners = "obey"
think = "exponential 200ms"
[load]
stages = "10..2.5k 60s, 2.5k 30s"
arrivals = "poisson"
warm_up = 5
timeout = "2s"
connections = 64
[stop]
requests = 1000
errors = 10
[backoff]
base = "50ms"
longest = "5s"
tries = 9
[audit]
shared = true
exclusive = false
[headers]
Accept = "application/json"
X-Run = "{{counter}}"
[plans.trial]
minute = 5
quarter = { limit = 100, window = "15m", refill = "continuous" }
[[keys]]
key = "env:SHOP_KEY"
name = "shop"
plan = "trial"
[[keys]]
key = "file:keys.txt"
plan = "free"
[[operations]]
name = "fill"
weight = 2.5
method = "POST"
path = "/pets"
body_lines = "pets.jsonl"
expect = [201, "4xx"]
charged = false
think = "1s"
headers = { accept = "text/html" }
)",
                      world);
  BOOST_TEST(s.name == "everything");
  BOOST_TEST((s.conduct == manners::obey));
  BOOST_TEST((s.think == think_time{think_time::kind::exponential, 200ms}));
  BOOST_TEST((s.load.shape == load_shape{false, arrival_kind::poisson, 0, 0, {{10, 2'500, 60s}, {2'500, 2'500, 30s}}}));
  BOOST_TEST((!s.load.duration && s.load.warm_up == 5s && s.load.timeout == 2s));
  BOOST_TEST(s.load.connections.value() == 64U);
  BOOST_TEST(s.load.requests.value() == 1'000U);
  BOOST_TEST(s.load.errors.value() == 10U);
  BOOST_TEST((s.backoff == backoff_rule{50ms, 5s, 9}));
  BOOST_TEST((s.audit.wanted && s.audit.shared && !s.audit.exclusive));

  BOOST_REQUIRE(s.keys.size() == 3U);
  BOOST_TEST(s.keys[0].name == "shop");
  BOOST_TEST(s.keys[0].secret == "from-outside");
  BOOST_REQUIRE(s.keys[0].promises.size() == 2U);
  BOOST_TEST(s.keys[0].promises[1].resource == "quarter");
  BOOST_TEST((s.keys[0].promises[1].window == 900s && s.keys[0].promises[1].continuous));
  BOOST_TEST(s.keys[1].name == "key-2-1");
  BOOST_TEST(s.keys[2].secret == "second");
  BOOST_TEST(s.keys[2].promises[0].limit == 60);

  auto const& fill = s.operations.at(0);
  BOOST_TEST(fill.weight == 2.5);
  BOOST_TEST((fill.steps[0].lines == std::vector<std::string>{"{\"a\":1}", "{\"a\":2}"}));
  BOOST_TEST((fill.steps[0].expects.has(201) && fill.steps[0].expects.has(404) && !fill.steps[0].expects.has(200)));
  BOOST_TEST(!fill.steps[0].charged);
  BOOST_TEST((fill.steps[0].think.mean == 1s));
  BOOST_REQUIRE(fill.steps[0].fields.size() == 2U);  // the operation's own Accept replaces that of all
  BOOST_TEST(fill.steps[0].fields[0].name == "accept");
  BOOST_TEST(fill.steps[0].fields[1].name == "X-Run");
}

BOOST_AUTO_TEST_CASE(steps_use_what_earlier_ones_capture) {
  auto const s = read(R"(
[[operations]]
name = "adopt"
[[operations.steps]]
name = "create"
path = "/pets"
capture = { pet = "/id", tag = "header ETag" }
[[operations.steps]]
path = "/pets/{{pet}}"
headers = { If-Match = "{{tag}}" }
)");
  BOOST_TEST(s.operations[0].slots == 2U);
  BOOST_TEST((step_names(s) == std::vector<std::string>{"adopt/create", "adopt/2"}));
  BOOST_TEST(s.operations[0].steps[0].captures.size() == 2U);
}

BOOST_AUTO_TEST_CASE(unknown_name_is_told_with_its_place_and_the_nearest_one) {
  BOOST_TEST(mistakes("[[operations]]\nname = \"list\"\n  wieght = 3\npath = \"/pets\"\n") ==
             "3:3: `wieght` is not known here; did you mean `weight`?");
  BOOST_TEST(has(mistakes("[laod]\nrate = 5\n" + std::string(one_operation)), "did you mean `load`?"));
  BOOST_TEST(
      has(mistakes("zebra = 5\n" + std::string(one_operation)), "1:1: `zebra` is not known here; known are name"));
}

BOOST_AUTO_TEST_CASE(every_mistake_is_told_in_the_order_of_the_file) {
  auto const told = mistakes(
      "manners = \"rude\"\nthink = \"long\"\n[load]\nrate = \"fast\"\nduration = \"soon\"\n[[operations]]\nname = "
      "\"a\"\npath = \"pets\"\nweight = -1\n");
  std::size_t last = 0;
  for (auto const* part :
       {"1:11: manners are ignore, obey or pause", "2:9: a think time is", "4:8: a rate is", "5:12: a duration is",
        "8:8: `path` begins with /", "9:10: `weight` is a number of more than 0"}) {
    auto const at = told.find(part);
    BOOST_TEST((at != told.npos && at >= last), part);
    last = at;
  }
}

BOOST_AUTO_TEST_CASE(mistake_in_a_template_is_told_at_its_braces) {
  BOOST_TEST(has(mistakes("[[operations]]\nname = \"a\"\npath = \"/pets/{{integer 1 9}}/{{intger 1 5}}\"\n"),
                 "3:31: `intger` is not known here; did you mean `integer`?"));
  BOOST_TEST(has(mistakes("[[operations]]\nname = \"a\"\npath = \"/\"\nbody = '''\n{\n  \"é\": {{pet}}}'''\n"),
                 "6:8: `pet` is not known here"));
}

BOOST_AUTO_TEST_CASE(later_capture_is_not_known_to_an_earlier_step) {
  BOOST_TEST(has(mistakes(R"([[operations]]
name = "a"
[[operations.steps]]
path = "/{{pet}}"
capture = { pet = "/id" }
)"),
                 "4:10: `pet` is not known here"));
}

BOOST_AUTO_TEST_CASE(text_that_is_not_toml_is_told_with_its_place) {
  BOOST_TEST(mistakes("name = \"x\"\nmanners = obey\n").starts_with("2:"));
  BOOST_TEST(has(mistakes("[[operations]]\nname = \"a\"\nname = \"b\"\n"), "3:"));
}

BOOST_AUTO_TEST_CASE(types_and_ranges_are_checked) {
  auto const in_operation = [](std::string const& line) {
    return mistakes("[[operations]]\nname = \"a\"\npath = \"/\"\n" + line + "\n");
  };
  BOOST_TEST(has(in_operation("weight = \"much\""), "4:10: `weight` is a number"));
  BOOST_TEST(has(in_operation("method = \"get\""), "a method is GET"));
  BOOST_TEST(has(in_operation("expect = [200, \"ok\"]"), "4:16: a status is"));
  BOOST_TEST(has(in_operation("expect = 99"), "a status is"));
  BOOST_TEST(has(in_operation("charged = 1"), "`charged` is true or false"));
  BOOST_TEST(has(in_operation("headers = \"x\""), "`headers` is a table"));
  BOOST_TEST(has(in_operation("headers = { Content-Length = \"5\" }"), "writes `Content-Length` itself"));
  BOOST_TEST(has(in_operation("headers = { \"a b\" = \"5\" }"), "a field's name"));
  BOOST_TEST(has(in_operation("headers = { a = \"x\\r\\ny\" }"), "no line ends"));
  BOOST_TEST(has(in_operation("headers = { a = 5 }"), "is a string"));
  BOOST_TEST(has(in_operation("capture = { uuid = \"/id\" }"), "4:13: what is captured has a name"));
  BOOST_TEST(has(in_operation("capture = { pet = \"id\" }"), "4:19: a value is captured by a JSON pointer"));
  BOOST_TEST(has(in_operation("body = \"x\"\nbody_file = \"y\""), "not from several"));
  BOOST_TEST(has(in_operation("body_file = \"none.json\""), "dir/none.json cannot be read"));
  BOOST_TEST(has(in_operation("body_lines = \"none.jsonl\""), "dir/none.jsonl cannot be read"));
  BOOST_TEST(has(in_operation("steps = 3"), "written as [[steps]]"));
  BOOST_TEST(has(mistakes("[[operations]]\nname = \"a\"\npath = \"/a b\"\n"), "neither spaces"));
  BOOST_TEST(has(mistakes("[[operations]]\nname = \"a\"\n"), "1:1: `path` begins with /"));
  BOOST_TEST(has(mistakes("[[operations]]\npath = \"/\"\n"), "an operation has a `name`"));
  BOOST_TEST(
      has(mistakes(std::string(one_operation) + std::string(one_operation)), "there is another operation `list`"));
  BOOST_TEST(has(mistakes(""), "at least one [[operations]]"));
  BOOST_TEST(has(mistakes("operations = 5\n"), "written as [[operations]]"));
}

BOOST_AUTO_TEST_CASE(load_is_checked) {
  auto const with = [](std::string const& lines) { return mistakes(lines + "\n" + std::string(one_operation)); };
  BOOST_TEST(has(with("[load]\nrate = \"10..500\""), "2:8: a rate from one to another is a stage"));
  BOOST_TEST(has(with("[load]\nrate = 500\nstages = \"500 5s\""), "2:8: `stages` say how fast and how long"));
  BOOST_TEST(has(with("[load]\nduration = \"5s\"\nstages = \"500 5s\""), "leave out `duration`"));
  BOOST_TEST(has(with("[load]\nstages = \"500\""), "2:10: stage 1: a stage is a rate and its time"));
  BOOST_TEST(has(with("[load]\nstaegs = \"500 5s\""), "did you mean `stages`?"));
  BOOST_TEST(has(with("[load]\nconnections = 0"), "from 1 to 100000"));
  BOOST_TEST(has(with("[stop]\nrequests = 0"), "`requests` is a whole number"));
  BOOST_TEST(has(with("[backoff]\ntries = 101"), "from 1 to 100"));
  BOOST_TEST(has(with("[backoff]\nbase = \"10s\"\nlongest = \"1s\""), "`base` is at most `longest`"));
  BOOST_TEST(has(with("[audit]\nshard = true"), "did you mean `shared`?"));
}

BOOST_AUTO_TEST_CASE(keys_and_plans_are_checked_and_no_key_is_ever_told) {
  made_up const world{{{"dir/empty.txt", "\n# none\n"}, {"dir/odd.txt", "secret with spaces\n"}},
                      {{"ODD", "secret\twith a tab"}}};
  auto const with = [&](std::string const& lines) {
    auto const told = mistakes(lines + "\n" + std::string(one_operation), world);
    BOOST_TEST(told.find("secret") == told.npos, told);
    return told;
  };
  BOOST_TEST(has(with("[[keys]]\nkey = \"env:NONE\""), "2:7: the environment variable NONE is not set"));
  BOOST_TEST(has(with("[[keys]]\nkey = \"env:ODD\""), "ODD has something that is no key"));
  BOOST_TEST(has(with("[[keys]]\nkey = \"file:none.txt\""), "none.txt cannot be read"));
  BOOST_TEST(has(with("[[keys]]\nkey = \"file:empty.txt\""), "empty.txt has no key"));
  BOOST_TEST(has(with("[[keys]]\nkey = \"file:odd.txt\""), "odd.txt has something that is no key"));
  BOOST_TEST(has(with("[[keys]]\nkey = \"secret and more\""), "the key has something that is no key"));
  BOOST_TEST(has(with("[[keys]]\nname = \"x\""), "a key says where it comes from"));
  BOOST_TEST(
      has(with("[[keys]]\nkey = \"x\"\nplan = \"fre\""), "3:8: plan `fre` is not known here; did you mean `free`?"));
  BOOST_TEST(has(with("[plans.x]\nfortnight = 5"), "is a table"));
  BOOST_TEST(has(with("[plans.x]\nminute = 0"), "a quota is a whole number"));
  BOOST_TEST(has(with("[plans.x]\nminute = { window = \"1m\" }"), "a quota has a `limit`"));
  BOOST_TEST(
      has(with("[plans.x]\nminute = { limit = 5, refill = \"drip\" }"), "2:32: `refill` is periodic or continuous"));
  BOOST_TEST(has(with("plans.x = 5"), "a plan is a table"));
}

BOOST_AUTO_TEST_CASE(limits_of_a_scenario_hold) {
  std::string many;
  for (std::size_t i = 0; i <= operations_max; ++i)
    many += "[[operations]]\nname = \"o" + std::to_string(i) + "\"\npath = \"/\"\n";
  BOOST_TEST(has(mistakes(many), "at most 256 steps"));

  std::string captures = "[[operations]]\nname = \"a\"\npath = \"/\"\n[operations.capture]\n";
  for (std::size_t i = 0; i <= captures_max; ++i) captures += "v" + std::to_string(i) + " = \"/x\"\n";
  BOOST_TEST(has(mistakes(captures), "captures at most 32 values"));

  made_up world;
  for (std::size_t i = 0; i <= keys_max; ++i) world.files["dir/keys.txt"] += "k\n";
  BOOST_TEST(
      has(mistakes("[[keys]]\nkey = \"file:keys.txt\"\n" + std::string(one_operation), world), "more than 10000 keys"));

  world.files["dir/s.toml"] = std::string(scenario_file_bytes_max + 1, '#');
  auto const outcome = read_scenario("dir/s.toml", world.around());
  BOOST_TEST(has(outcome.mistakes.at(0), "larger than 1 MiB"));
}

BOOST_AUTO_TEST_CASE(body_files_are_templates_and_told_by_their_own_place) {
  made_up world{{{"dir/pet.json", "{\n  \"n\": {{intger 1 2}}\n}\n"}}, {}};
  std::string const text = "[[operations]]\nname = \"a\"\nmethod = \"POST\"\npath = \"/\"\nbody_file = \"pet.json\"\n";
  BOOST_TEST(has(mistakes(text, world), "dir/pet.json:2:8: `intger`"));
  world.files["dir/pet.json"] = "{\"n\": 1}\n";
  script const played(read(text, world), {{"h", ""}}, true);
  stage scene(played, 1, 0, 1, 0ns);
  flow client(scene);
  client.begin(instant{});
  BOOST_TEST(client.next(instant{}).request.ends_with("Content-Length: 8\r\n\r\n{\"n\": 1}"));
}

BOOST_AUTO_TEST_CASE(lines_that_are_not_json_are_told_by_their_number) {
  made_up const world{{{"dir/pets.jsonl", "{}\n{\"a\":}\n"}}, {}};
  BOOST_TEST(has(mistakes(std::string(one_operation) + "body_lines = \"pets.jsonl\"\n", world),
                 "dir/pets.jsonl:2 is not JSON"));
}

BOOST_AUTO_TEST_CASE(keys_of_flags_are_read) {
  made_up const world{{{"keys.txt", "a\nb\n"}}, {{"K", "c"}}};
  auto const several = parse_keys("file:keys.txt,plan=pro", 3, world.around());
  BOOST_REQUIRE(several.value.has_value());
  BOOST_TEST(several.value->at(1).name == "key-4");
  BOOST_TEST(several.value->at(1).secret == "b");
  BOOST_TEST(several.value->at(1).promises.at(0).limit == 300);
  BOOST_TEST(parse_keys("env:K", 1, world.around()).value->at(0).secret == "c");
  BOOST_TEST(parse_keys("plain", 1, world.around()).value->at(0).promises.empty());
  BOOST_TEST(has(parse_keys("plain,plan=por", 1, world.around()).mistake, "did you mean `pro`?"));
  BOOST_TEST(!has(parse_keys("sec ret", 1, world.around()).mistake, "sec ret"));
}

BOOST_AUTO_TEST_CASE(scenarios_that_ship_are_sound) {
  for (auto const* name : {"browse", "adopt", "abuse"}) {
    auto const outcome =
        read_scenario(std::filesystem::path(PETSTORE_SCENARIOS) / (std::string(name) + ".toml"), surroundings::real());
    for (auto const& m : outcome.mistakes) BOOST_ERROR(m);
    BOOST_REQUIRE(outcome.value.has_value());
    BOOST_TEST(outcome.value->name == name);
    BOOST_TEST(outcome.value->load.duration.has_value());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
