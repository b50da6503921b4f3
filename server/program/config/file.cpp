// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "config/plan_windows.hpp"
#include "config/settings.hpp"
#include "config/suggestion.hpp"
#include "config/values.hpp"

namespace petstore::program {
namespace {

/// Reads the tables of one file.
class file_reader {
 public:
  file_reader(std::string name, config_file& out) : name_(std::move(name)), out_(out) {}

  void read_table(toml::table const& table, std::string const& prefix) {
    for (auto const& [key, node] : table) {
      auto const path = prefix + std::string(key.str());
      if (path == "plans" || path == "costs") {
        auto const* const own = node.as_table();
        if (own == nullptr)
          fault(node, path + ": must be a table");
        else
          path == "plans" ? read_plans(*own) : read_costs(*own);
      } else if (auto const* const row = find_setting_by_file_key(path)) {
        read_setting(*row, node);
      } else if (auto const* const inner = node.as_table(); inner && names_a_table(path)) {
        read_table(*inner, path + ".");
      } else {
        fault(node, fmt::format("unknown key `{}`{}", path, suggestion_for(path, known_keys())));
      }
    }
  }

 private:
  static std::vector<std::string> known_keys() {
    std::vector<std::string> keys{"plans", "costs"};
    for (auto const& row : all_settings()) keys.emplace_back(row.file_key);
    return keys;
  }

  static bool names_a_table(std::string const& path) {
    for (auto const& row : all_settings())
      if (row.file_key.starts_with(path + ".")) return true;
    return false;
  }

  void read_setting(setting const& row, toml::node const& node) {
    auto text = row.is_list && node.is_array() ? joined(*node.as_array()) : scalar(node);
    if (!text) {
      fault(node,
            fmt::format("{}: must be {}", row.file_key,
                        row.is_list ? "a string or an array of strings" : "a string, a whole number or a boolean"));
      return;
    }
    out_.entries[std::string(row.name)] = {std::move(*text), location(node)};
  }

  void read_costs(toml::table const& costs) {
    auto const operations = server::charged_operation_names();
    for (auto const& [key, node] : costs) {
      std::string const name(key.str());
      if (std::ranges::find(operations, name) == operations.end()) {
        fault(node, fmt::format("costs: `{}` is no operation that takes tokens{}", name,
                                suggestion_for(name, {operations.begin(), operations.end()})));
      } else if (auto text = node.is_integer() ? scalar(node) : std::nullopt) {
        out_.costs[name] = {std::move(*text), location(node)};
      } else {
        fault(node, fmt::format("costs.{}: must be a whole number of tokens, 1 to {}", name, cost_max));
      }
    }
  }

  void read_plans(toml::table const& plans) {
    for (auto const& [key, node] : plans) {
      std::string const name(key.str());
      if (!is_plan_name(name)) {
        fault(node,
              fmt::format("plans: `{}` is not a name of a plan: a-z first, then a-z, 0-9, - or _, 32 at most", name));
      } else if (auto const* const table = node.as_table()) {
        read_plan(name, *table);
      } else {
        fault(node, fmt::format("plans.{}: must be a table with per_minute or another window", name));
      }
    }
  }

  void read_plan(std::string const& name, toml::table const& table) {
    std::map<std::string, written_value> members;
    for (auto const& [key, node] : table) members[std::string(key.str())] = {scalar(node).value_or(""), location(node)};
    auto const standard = out_.plans.find(name);
    auto const plan = program::read_plan(name, members, location(table),
                                         standard == out_.plans.end() ? nullptr : &standard->second, out_.faults);
    if (!plan) return;
    out_.plans.insert_or_assign(name, *plan);
    out_.plan_sources[name] = location(table);
  }

  static bool is_plan_name(std::string_view name) {
    auto const letter = [](char c) { return c >= 'a' && c <= 'z'; };
    if (name.empty() || name.size() > 32 || !letter(name[0]) || name == "anonymous") return false;
    for (char const c : name)
      if (!letter(c) && !(c >= '0' && c <= '9') && c != '-' && c != '_') return false;
    return true;
  }

  /// Returns the value as a flag would have it; nullopt for tables, arrays, fractions and dates.
  static std::optional<std::string> scalar(toml::node const& node) {
    if (auto const* const text = node.as_string()) return text->get();
    if (auto const* const number = node.as_integer()) return std::to_string(number->get());
    if (auto const* const truth = node.as_boolean()) return truth->get() ? "true" : "false";
    return std::nullopt;
  }

  static std::optional<std::string> joined(toml::array const& array) {
    std::string out;
    for (auto const& element : array) {
      auto const* const text = element.as_string();
      if (text == nullptr) return std::nullopt;
      out += (out.empty() ? "" : ",") + text->get();
    }
    return out;
  }

  std::string location(toml::node const& node) const { return fmt::format("{}:{}", name_, node.source().begin.line); }
  void fault(toml::node const& node, std::string const& what) {
    out_.faults.push_back(fmt::format("{} (from {})", what, location(node)));
  }

  std::string const name_;
  config_file& out_;
};

constexpr std::size_t file_bytes_max = 256 * 1024;
/// The parts of keys such as `ban.strikes`.
constexpr std::size_t key_parts_max = 32;

/// Reads at most one byte more than a file may have.
std::optional<std::string> contents_of(std::filesystem::path const& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text(file_bytes_max + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return std::nullopt;
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

/// Returns the line of the first key with too many parts, 0 for none. toml++ 3.3 makes a nested table for each part and
/// uses a stack frame for each, so a key of many thousand parts would crash the process.
std::size_t line_of_long_key(std::string_view text) {
  std::size_t line = 1;
  std::size_t dots = 0;
  char before = '\n';
  for (char const c : text) {
    if (c == '\n') ++line;
    if (c == '\n' || c == ',') dots = 0;  // an address in a list has dots, too, and a comment may end in some
    if (c == '.' && before != '.' && ++dots == key_parts_max) return line;
    before = c;
  }
  return 0;
}

}  // namespace

std::string config_file::source_of_plan(std::string const& name) const {
  auto const source = plan_sources.find(name);
  return source == plan_sources.end() ? "default" : source->second;
}

config_file read_config_file(std::filesystem::path const& path, std::string_view source) {
  config_file out;
  out.plans = standard_plans();
  auto const text = contents_of(path);
  if (!text) {
    out.faults.push_back(fmt::format("config: `{}` cannot be read (from {})", path.string(), source));
    return out;
  }
  if (text->size() > file_bytes_max) {
    out.faults.push_back(
        fmt::format("config: `{}` is larger than {} KiB (from {})", path.string(), file_bytes_max / 1024, source));
    return out;
  }
  if (auto const line = line_of_long_key(*text); line != 0) {
    out.faults.push_back(fmt::format("config: `{}`: line {}: a key has more than {} parts (from {})", path.string(),
                                     line, key_parts_max, source));
    return out;
  }
  try {
    toml::table const table = toml::parse(*text, path.string());
    file_reader(path.filename().string(), out).read_table(table, "");
  } catch (toml::parse_error const& wrong) {
    out.faults.push_back(fmt::format("config: `{}` is not TOML: line {}: {} (from {})", path.string(),
                                     wrong.source().begin.line, wrong.description(), source));
  }
  return out;
}

}  // namespace petstore::program
