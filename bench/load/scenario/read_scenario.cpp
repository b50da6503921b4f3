// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/read_scenario.hpp"

#include <cstdlib>
#include <fstream>
#include <utility>

#include "scenario/file/read_keys.hpp"
#include "scenario/file/read_operations.hpp"
#include "scenario/file/table_reader.hpp"

namespace petstore::load {
namespace {

constexpr unsigned connections_max = 100'000;

parsed<manners> parse_manners(std::string_view text) {
  if (text == "ignore") return {manners::ignore, {}};
  if (text == "obey") return {manners::obey, {}};
  if (text == "pause") return {manners::pause, {}};
  return {{}, "manners are ignore, obey or pause; not '" + std::string(text) + "'"};
}

void read_shape(table_reader& load, load_settings& out) {
  load_shape shape;
  auto const arrivals = load.read("arrivals", parse_arrivals);
  if (arrivals) shape.arrivals = *arrivals;
  auto const rate = load.read("rate", [&](std::string_view text) { return parse_rate(text, shape); });
  auto stages = load.read("stages", parse_stages);
  if (rate && !rate->is_max && rate->from != rate->to)
    load.wrong().add(place_of(*load.find("rate")),
                     "a rate from one to another is a stage with its time, as `stages = \"10..500 30s\"`");
  for (auto const* const other : {"rate", "duration"})
    if (stages && load.find(other) != nullptr)
      load.wrong().add(place_of(*load.find(other)),
                       "`stages` say how fast and how long: leave out `" + std::string(other) + "`");
  if (rate) shape = *rate;
  if (stages) shape.stages = std::move(*stages);
  if (rate || stages || arrivals) out.shape = std::move(shape);
}

load_settings read_load(table_reader& file) {
  load_settings out;
  if (auto const* const table = file.table("load")) {
    table_reader load(*table, file.wrong());
    read_shape(load, out);
    out.duration = load.read("duration", parse_duration);
    out.warm_up = load.read("warm_up", parse_duration);
    out.timeout = load.read("timeout", parse_duration);
    if (auto const n = load.whole("connections", 1, connections_max)) out.connections = static_cast<unsigned>(*n);
    load.finish();
  }
  if (auto const* const table = file.table("stop")) {
    table_reader stop(*table, file.wrong());
    out.requests = stop.whole("requests", 1, UINT64_MAX >> 1);
    out.errors = stop.whole("errors", 1, UINT64_MAX >> 1);
    stop.finish();
  }
  return out;
}

backoff_rule read_backoff(table_reader& file) {
  backoff_rule rule;
  auto const* const table = file.table("backoff");
  if (table == nullptr) return rule;
  table_reader reader(*table, file.wrong());
  if (auto const base = reader.read("base", parse_duration)) rule.base = *base;
  if (auto const longest = reader.read("longest", parse_duration)) rule.longest = *longest;
  if (auto const tries = reader.whole("tries", 1, tries_max)) rule.tries = static_cast<unsigned>(*tries);
  if (rule.base > rule.longest) file.wrong().add(reader.place(), "`base` is at most `longest`");
  reader.finish();
  return rule;
}

audit_settings read_audit(table_reader& file) {
  audit_settings audit;
  auto const* const table = file.table("audit");
  if (table == nullptr) return audit;
  table_reader reader(*table, file.wrong());
  audit.wanted = reader.flag("on").value_or(true);
  audit.shared = reader.flag("shared").value_or(audit.shared);
  audit.exclusive = reader.flag("exclusive").value_or(audit.exclusive);
  reader.finish();
  return audit;
}

}  // namespace

read_scenario_outcome parse_scenario(std::string_view text, std::filesystem::path const& path,
                                     surroundings const& around) {
  mistake_list wrong(path.string(), text);
  scenario s;
  try {
    toml::table const table = toml::parse(text);
    table_reader file(table, wrong);
    auto const directory = path.parent_path();
    s.name = file.text("name").value_or(path.stem().string());
    if (auto const conduct = file.read("manners", parse_manners)) s.conduct = *conduct;
    if (auto const think = file.read("think", parse_think_time)) s.think = *think;
    s.backoff = read_backoff(file);
    s.load = read_load(file);
    s.audit = read_audit(file);
    auto const plans = read_plans(file);
    s.keys = read_keys(file, plans, directory, around);
    s.operations = read_operations(file, directory, around);
    file.finish();
  } catch (toml::parse_error const& e) {
    wrong.add({e.source().begin.line, e.source().begin.column}, "this is not TOML: " + std::string(e.description()));
  }
  if (!wrong.empty()) return {{}, wrong.sentences()};
  return {std::move(s), {}};
}

read_scenario_outcome read_scenario(std::filesystem::path const& path, surroundings const& around) {
  auto const text = around.read_file(path, scenario_file_bytes_max);
  if (!text) return {{}, {path.string() + " cannot be read, or is larger than 1 MiB"}};
  return parse_scenario(*text, path, around);
}

surroundings surroundings::real() {
  return {[](std::filesystem::path const& path, std::size_t bytes_max) -> std::optional<std::string> {
            std::error_code failed;
            if (std::filesystem::is_directory(path, failed)) return std::nullopt;
            std::ifstream in(path, std::ios::binary);
            if (!in) return std::nullopt;
            std::string contents(bytes_max + 1, '\0');
            in.read(contents.data(), static_cast<std::streamsize>(contents.size()));
            contents.resize(static_cast<std::size_t>(in.gcount()));
            if (in.bad() || contents.size() > bytes_max) return std::nullopt;
            return contents;
          },
          [](std::string const& name) -> std::optional<std::string> {
            auto const* const value = std::getenv(name.c_str());
            return value == nullptr ? std::nullopt : std::optional<std::string>(value);
          }};
}

}  // namespace petstore::load
