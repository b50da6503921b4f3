// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "flags.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "client/head_lines.hpp"

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;
using namespace std::chrono_literals;

// The defaults of each try of --find-capacity.
constexpr nanoseconds try_duration = 5s;
constexpr nanoseconds try_warm_up = 1s;
constexpr unsigned search_rounds_max = 20;
constexpr std::size_t body_file_bytes_max = 64 << 20;

/// `ADDRESS:PORT`, or a port of 127.0.0.1.
parsed<boost::asio::ip::tcp::endpoint> parse_listener(std::string_view text) {
  auto const url = text.find(':') == text.npos ? "127.0.0.1:" + std::string(text) : std::string(text);
  boost::system::error_code fault;
  auto const to = parse_target(url);
  auto const address = to.value ? boost::asio::ip::make_address(to.value->host, fault) : boost::asio::ip::address();
  if (!to.value || fault || url.find('/') != url.npos || url.ends_with(']'))
    return {{}, "an address and a port, as 127.0.0.1:9464, or a port alone; not '" + std::string(text) + "'"};
  return {{{address, to.value->port}}, {}};
}

class understanding {
 public:
  understanding(run_flags const& flags, surroundings const& around) : flags_(flags), around_(around) {}

  intention_outcome of(std::vector<std::string> const& arguments) {
    is_file_ = !flags_.scenario_file.empty();
    targets();
    keys();
    is_file_ ? scenario_file() : plain_run();
    how_fast();
    how_long();
    means();
    judgements();
    what_does_not_go_together();
    made_.plan.command = without_secrets(arguments);
    if (!mistakes_.empty()) return {{}, std::move(mistakes_)};
    return {std::move(made_), {}};
  }

 private:
  void mistake(std::string sentence) { mistakes_.push_back(std::move(sentence)); }

  /// The value, or a mistake that says which flag it is of.
  template <class T>
  std::optional<T> taken(parsed<T> read, std::string_view flag) {
    if (!read.value) mistake(std::string(flag) + ": " + read.mistake);
    return std::move(read.value);
  }

  void targets();
  void keys();
  void scenario_file();
  void plain_run();
  void how_fast();
  void how_long();
  void means();
  void judgements();
  void what_does_not_go_together();
  std::optional<std::string> body();
  std::vector<field_template> fields();
  std::string without_secrets(std::vector<std::string> const& arguments) const;

  run_flags const& flags_;
  surroundings const& around_;
  bool is_file_ = false;
  std::vector<api_key> keys_;
  load_settings file_;
  intention made_;
  std::vector<std::string> mistakes_;
};

void understanding::targets() {
  if (flags_.targets.empty()) mistake("say whom to load: a URL, as http://127.0.0.1:8080/v1/pets");
  for (auto const& url : flags_.targets) {
    auto t = taken(parse_target(url), "the target");
    if (!t) continue;
    if (is_file_ && t->path.find('?') != t->path.npos)
      mistake("the target of a scenario is what all its paths begin with, and has no query: " + url);
    // Further nodes need not repeat the path.
    if (!made_.targets.empty() && t->path == "/") t->path = made_.targets.front().path;
    made_.targets.push_back(std::move(*t));
  }
}

void understanding::keys() {
  for (auto const& text : flags_.keys) {
    auto some = taken(parse_keys(text, keys_.size() + 1, around_), "--key");
    if (some) std::move(some->begin(), some->end(), std::back_inserter(keys_));
  }
  if (keys_.size() > keys_max) mistake("--key: there are more than " + std::to_string(keys_max) + " keys");
}

void understanding::scenario_file() {
  for (auto const& [given, name] :
       {std::pair(!flags_.method.empty(), "--method"), std::pair(!flags_.body.empty(), "--body"),
        std::pair(!flags_.headers.empty(), "--header")})
    if (given) mistake(std::string(name) + " is for runs without a scenario, whose file says what is sent");
  auto read = read_scenario(flags_.scenario_file, around_);
  for (auto& m : read.mistakes) mistake(std::move(m));
  if (!read.value) return;
  file_ = read.value->load;
  if (!keys_.empty()) read.value->keys = std::move(keys_);
  made_.plan.played = std::move(*read.value);
  // The scenario's paths begin with a slash.
  for (auto& t : made_.targets)
    while (t.path.ends_with('/')) t.path.pop_back();
}

void understanding::plain_run() {
  auto body_text = body();
  auto method = flags_.method.empty() ? (flags_.body.empty() ? "GET" : "POST") : flags_.method;
  auto const is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (!std::all_of(method.begin(), method.end(), is_letter)) mistake("--method: a method is capital letters, as GET");
  if (method == "CONNECT") mistake("--method: CONNECT is for proxies");
  // The path of each target is the whole path; the first one is the name of the operation.
  auto const name = made_.targets.empty() ? method : method + " " + made_.targets.front().path;
  made_.plan.played =
      plain_scenario(std::move(method), "", fields(), std::move(body_text).value_or(""), std::move(keys_));
  auto& only = made_.plan.played.operations.front();
  only.name = only.steps.front().name = name;
}

std::optional<std::string> understanding::body() {
  if (!flags_.body.starts_with('@')) return flags_.body;
  auto contents = around_.read_file(flags_.body.substr(1), body_file_bytes_max);
  if (!contents) mistake("--body: " + flags_.body.substr(1) + " cannot be read, or is larger than 64 MiB");
  return contents;
}

std::vector<field_template> understanding::fields() {
  std::vector<field_template> all;
  for (auto const& text : flags_.headers) {
    auto const colon = text.find(':');
    auto const name = text.substr(0, colon);
    auto const value = colon == text.npos ? std::string_view() : trimmed(std::string_view(text).substr(colon + 1));
    auto const is_bad = [](unsigned char c) { return c < ' ' && c != '\t'; };
    if (colon == text.npos || !is_token(name) || std::any_of(value.begin(), value.end(), is_bad)) {
      // The value may be a secret.
      mistake("--header: a field is a name, a colon and a value on one line, as 'Accept: application/json'");
      continue;
    }
    if (is_name(name, "host") || is_name(name, "content-length") || is_name(name, "transfer-encoding") ||
        is_name(name, "connection")) {
      mistake("--header: " + name + " is written by the tool itself");
      continue;
    }
    all.push_back({name, text_template(std::string(value))});
  }
  return all;
}

void understanding::how_fast() {
  auto shape = file_.shape.value_or(load_shape{});
  if (!flags_.arrivals.empty())
    shape.arrivals = taken(parse_arrivals(flags_.arrivals), "--arrivals").value_or(shape.arrivals);
  bool const searches = !flags_.find_capacity.empty();
  if (!flags_.stages.empty()) {
    if (!flags_.rate.empty()) mistake("--stages has the rates: leave out --rate");
    shape.is_max = false;
    shape.stages = taken(parse_stages(flags_.stages), "--stages").value_or(std::vector<rate_stage>{});
  } else if (!flags_.rate.empty()) {
    shape = taken(parse_rate(flags_.rate, shape), "--rate").value_or(shape);
  } else if (!shape.is_max && shape.stages.empty() && shape.to == 0 && !searches) {
    mistake(
        "say how fast: --rate 500 for 500 requests a second, --stages '0..500 30s, 500 5m' for a rate that changes, or "
        "--rate max for as fast as the connections go");
  }
  bool const is_range = shape.stages.empty() && !shape.is_max && shape.from != shape.to;
  if (searches) {
    if (shape.is_max || !shape.stages.empty())
      mistake("--find-capacity chooses the rates itself: --rate 100..5000 says between which, and stages are not used");
    bool const has_bounds = !flags_.rate.empty();  // the rate in a scenario is what is played, and bounds no search
    if (has_bounds && shape.to > 0) made_.search.most = shape.to;
    if (has_bounds && shape.from > 0 && shape.from < shape.to) made_.search.first = shape.from;
    made_.search.first = std::min(made_.search.first, made_.search.most);
  } else if (is_range) {
    mistake("--rate: from one rate to another is a stage, which has a time: --stages '" + flags_.rate + " 30s'");
  }
  made_.plan.shape = shape;
}

void understanding::how_long() {
  auto& plan = made_.plan;
  bool const searches = !flags_.find_capacity.empty();
  plan.duration = file_.duration;
  if (!flags_.duration.empty()) plan.duration = taken(parse_duration(flags_.duration), "--duration");
  if (!plan.shape.stages.empty()) {
    if (!flags_.duration.empty()) mistake("--duration: the stages say how long");
    plan.duration = length_of(plan.shape.stages);
  }
  plan.requests = flags_.requests ? flags_.requests : file_.requests;
  plan.errors = flags_.errors ? flags_.errors : file_.errors;
  if (plan.requests && (*plan.requests == 0 || *plan.requests > requests_max))
    mistake("--requests: 1 to " + std::to_string(requests_max));
  if (plan.errors && *plan.errors == 0) mistake("--max-errors: at least 1");

  if (!plan.duration && searches && flags_.duration.empty()) plan.duration = try_duration;
  if (!plan.duration && !plan.requests && flags_.duration.empty() && flags_.stages.empty())
    mistake("say how long: --duration 30s, or --requests 10000");
  if (searches && plan.requests) mistake("--find-capacity: each of its tries has a --duration and no --requests");

  plan.warm_up = file_.warm_up.value_or(searches ? try_warm_up : 0ns);
  if (flags_.warm_up == "0") {
    plan.warm_up = {};
  } else if (!flags_.warm_up.empty()) {
    plan.warm_up = taken(parse_duration(flags_.warm_up), "--warm-up").value_or(0ns);
  }
}

void understanding::means() {
  auto& plan = made_.plan;
  plan.threads = flags_.threads.value_or(1);
  if (plan.threads < 1 || plan.threads > threads_max) mistake("--threads: 1 to " + std::to_string(threads_max));
  plan.connections = plan.shape.is_max ? closed_connections : open_connections;
  if (file_.connections) plan.connections = *file_.connections;
  if (flags_.connections) plan.connections = *flags_.connections;
  if (plan.connections < 1 || plan.connections > connections_max) {
    mistake("--connections: 1 to " + std::to_string(connections_max));
  } else if (plan.connections < plan.threads) {
    mistake("--threads: a thread needs a connection at least, and there are " + std::to_string(plan.connections));
  }
  plan.waiting = flags_.waiting.value_or(plan.waiting);
  if (plan.waiting > waiting_max) mistake("--waiting: at most " + std::to_string(waiting_max));
  plan.timeout = file_.timeout.value_or(plan.timeout);
  if (!flags_.timeout.empty()) plan.timeout = taken(parse_duration(flags_.timeout), "--timeout").value_or(plan.timeout);
  plan.keep_alive = !flags_.no_keep_alive;
  if (!flags_.live_metrics.empty()) plan.live_page = taken(parse_listener(flags_.live_metrics), "--live-metrics");
  plan.tls = flags_.tls;
  plan.seed = flags_.seed.value_or(plan.seed);
  if (flags_.audit) plan.played.audit.wanted = true;
  if (made_.targets.size() > 1) plan.played.audit.shared = true;  // several nodes share one quota
}

void understanding::judgements() {
  auto const operations = step_names(made_.plan.played);
  auto const objective_of = [&](std::string_view text, std::string_view flag) {
    auto o = taken(parse_objective(text), flag);
    if (!o) return o;
    if (auto const misfit = misfit_of(*o, operations); !misfit.empty() && mistakes_.empty())
      mistake(std::string(flag) + ": " + misfit);
    return o;
  };
  for (auto const& text : flags_.fail_if)
    if (auto o = objective_of(text, "--fail-if")) made_.fail_if.push_back(std::move(*o));
  if (!flags_.find_capacity.empty()) made_.find_capacity = objective_of(flags_.find_capacity, "--find-capacity");
  made_.search.rounds = flags_.rounds.value_or(made_.search.rounds);
  if (made_.search.rounds < 1 || made_.search.rounds > search_rounds_max)
    mistake("--rounds: 1 to " + std::to_string(search_rounds_max));
}

void understanding::what_does_not_go_together() {
  if (flags_.rounds && flags_.find_capacity.empty()) mistake("--rounds belongs to --find-capacity");
  if (flags_.tls.insecure && !flags_.tls.ca_file.empty()) mistake("--insecure believes anybody, whatever --ca says");
  std::array const reports{flags_.json_file, flags_.html_file, flags_.csv_file};
  if (std::ranges::count(reports, standard_output) > 1)
    mistake("only one of --json, --html and --csv may have the standard output (-)");
  for (auto const* one = reports.begin(); one != reports.end(); ++one)
    if (!one->empty() && *one != standard_output && std::find(one + 1, reports.end(), *one) != reports.end())
      mistake("--json, --html and --csv need different files, and have " + *one);
  if (!flags_.find_capacity.empty() && !flags_.csv_file.empty())
    mistake("--csv has the intervals of one run, and --find-capacity makes many");
  if (!flags_.find_capacity.empty() && !flags_.fail_if.empty())
    mistake("--fail-if judges one run, and --find-capacity makes many");
}

/// Replaces a value of an option by what reports show of it: after `--key`, `--key=`, `-H`, and whatever else it may be
/// the end of.
void hide(std::string& argument, std::string_view value, std::string_view shown) {
  if (!value.empty() && argument.ends_with(value))
    argument.replace(argument.size() - value.size(), value.size(), shown);
}

/// Hides what was read as a key or a field, wherever it stands.
std::string understanding::without_secrets(std::vector<std::string> const& arguments) const {
  std::string text = "petstore-load";
  for (auto argument : arguments) {
    for (auto const& key : flags_.keys)
      if (!key.starts_with("env:") && !key.starts_with("file:")) hide(argument, key, "…");
    // Authorization, cookies, and other proofs of identity are hidden.
    for (auto const& field : flags_.headers) hide(argument, field, field.substr(0, field.find(':')) + ": …");
    bool const is_plain = argument.find_first_of(" '\"$<>&|;*?()") == argument.npos && !argument.empty();
    text.append(" ").append(is_plain ? argument : "'" + argument + "'");
  }
  return text;
}

}  // namespace

intention_outcome understand(run_flags const& flags, std::vector<std::string> const& arguments,
                             surroundings const& around) {
  return understanding(flags, around).of(arguments);
}

}  // namespace petstore::load
