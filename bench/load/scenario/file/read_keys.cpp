// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/file/read_keys.hpp"

#include <algorithm>
#include <utility>

#include "scenario/near_name.hpp"

namespace petstore::load {
namespace {

using std::chrono::seconds;

constexpr std::string_view from_variable = "env:", from_file = "file:", with_plan = ",plan=";
constexpr std::size_t key_file_bytes_max = 4 << 20;
constexpr std::size_t key_bytes_max = 4'096;
constexpr std::int64_t quota_max = 1'000'000'000'000;
constexpr std::pair<std::string_view, seconds> usual_windows[]{
    {"second", seconds(1)}, {"minute", seconds(60)}, {"hour", seconds(3'600)}, {"day", seconds(86'400)}};

bool is_key(std::string_view key) {
  return !key.empty() && key.size() <= key_bytes_max &&
         std::ranges::all_of(key, [](char c) { return c > 0x20 && c < 0x7f; });
}

/// One key a line; empty lines and lines that begin with # are skipped.
std::vector<std::string> lines_of(std::string_view contents) {
  std::vector<std::string> lines;
  while (!contents.empty()) {
    auto const end = contents.find('\n');
    auto line = contents.substr(0, end);
    contents.remove_prefix(end == contents.npos ? contents.size() : end + 1);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (!line.empty() && line.front() != '#') lines.emplace_back(line);
  }
  return lines;
}

/// The keys of a text: a key itself, `env:NAME`, or `file:PATH`.
parsed<std::vector<std::string>> secrets_of(std::string_view text, std::filesystem::path const& directory,
                                            surroundings const& around) {
  std::vector<std::string> secrets;
  std::string where = "the key";
  if (text.starts_with(from_variable)) {
    std::string const name(text.substr(from_variable.size()));
    where = "the environment variable " + name;
    auto value = around.variable(name);
    if (!value) return {{}, where + " is not set"};
    secrets.push_back(std::move(*value));
  } else if (text.starts_with(from_file)) {
    auto const path = directory / text.substr(from_file.size());
    where = path.string();
    auto const contents = around.read_file(path, key_file_bytes_max);
    if (!contents) return {{}, where + " cannot be read, or is larger than 4 MiB"};
    secrets = lines_of(*contents);
    if (secrets.empty()) return {{}, where + " has no key: it should have one on each line"};
  } else {
    secrets.emplace_back(text);
  }
  if (!std::ranges::all_of(secrets, is_key))
    return {{}, where + " has something that is no key: visible ASCII characters without spaces"};
  return {std::move(secrets), {}};
}

promised_quota quota_of(std::string_view resource, std::int64_t limit) {
  promised_quota quota{std::string(resource), limit, seconds(60), false};
  for (auto const& [name, window] : usual_windows)
    if (name == resource) quota.window = window;
  return quota;
}

std::optional<promised_quota> read_quota(std::string_view resource, toml::node const& node, mistake_list& wrong) {
  auto const* const table = node.as_table();
  if (table == nullptr) {
    auto const* const limit = node.as_integer();
    bool const is_usual = std::ranges::any_of(usual_windows, [&](auto const& w) { return w.first == resource; });
    if (limit != nullptr && limit->get() >= 1 && limit->get() <= quota_max && is_usual)
      return quota_of(resource, limit->get());
    wrong.add(place_of(node), is_usual ? "a quota is a whole number from 1 to " + std::to_string(quota_max)
                                       : "a quota that is not of a second, minute, hour or day is a table, as { limit "
                                         "= 100, window = \"15m\" }");
    return std::nullopt;
  }
  table_reader reader(*table, wrong);
  auto const limit = reader.whole("limit", 1, static_cast<std::uint64_t>(quota_max));
  if (!limit) {
    if (!table->contains("limit")) wrong.add(reader.place(), "a quota has a `limit`");
    return std::nullopt;
  }
  auto quota = quota_of(resource, static_cast<std::int64_t>(*limit));
  if (auto const window = reader.read("window", parse_duration))
    quota.window = std::max(seconds(1), std::chrono::ceil<seconds>(*window));
  if (auto const refill = reader.text("refill")) {
    quota.continuous = *refill == "continuous";
    if (!quota.continuous && *refill != "periodic")
      wrong.add(place_of(*reader.find("refill")), "`refill` is periodic or continuous; not '" + *refill + "'");
  }
  reader.finish();
  return quota;
}

std::vector<promised_quota> read_plan(toml::table const& plan, mistake_list& wrong) {
  std::vector<promised_quota> quotas;
  for (auto const& [resource, node] : plan)
    if (auto quota = read_quota(resource.str(), node, wrong)) quotas.push_back(std::move(*quota));
  if (plan.empty()) wrong.add(place_of(plan), "a plan has quotas, as `minute = 60`");
  return quotas;
}

std::string unknown_plan(std::string_view name, plan_list const& plans) {
  std::vector<std::string_view> names;
  for (auto const& [known, quotas] : plans) names.push_back(known);
  return "plan " + unknown_name(name, names);
}

std::vector<api_key> named(std::string const& name, std::vector<std::string> secrets,
                           std::vector<promised_quota> const& promises) {
  std::vector<api_key> keys;
  for (auto& secret : secrets) {
    auto const number = secrets.size() == 1 ? std::string() : "-" + std::to_string(keys.size() + 1);
    keys.push_back({name + number, std::move(secret), promises});
  }
  return keys;
}

}  // namespace

plan_list contract_plans() {
  plan_list plans;
  plans["free"] = {quota_of("minute", 60), quota_of("day", 1'000)};
  plans["pro"] = {quota_of("minute", 300), quota_of("day", 10'000)};
  plans["business"] = {quota_of("minute", 1'000), quota_of("day", 100'000)};
  return plans;
}

plan_list read_plans(table_reader& file) {
  auto plans = contract_plans();
  auto const* const table = file.table("plans");
  if (table == nullptr) return plans;
  for (auto const& [name, node] : *table) {
    if (auto const* const plan = node.as_table()) {
      plans[std::string(name.str())] = read_plan(*plan, file.wrong());
    } else {
      file.wrong().add(place_of(node), "a plan is a table with its quotas, as [plans.small] and below it minute = 60");
    }
  }
  return plans;
}

std::vector<api_key> read_keys(table_reader& file, plan_list const& plans, std::filesystem::path const& directory,
                               surroundings const& around) {
  std::vector<api_key> keys;
  std::size_t number = 0;
  for (auto const* const table : file.tables("keys")) {
    table_reader reader(*table, file.wrong());
    auto const name = reader.text("name").value_or("key-" + std::to_string(++number));
    std::vector<promised_quota> promises;
    if (auto const plan = reader.text("plan")) {
      if (auto const found = plans.find(*plan); found != plans.end()) {
        promises = found->second;
      } else {
        file.wrong().add(place_of(*table->get("plan")), unknown_plan(*plan, plans));
      }
    }
    auto const secrets = reader.read("key", [&](std::string_view text) { return secrets_of(text, directory, around); });
    if (!table->contains("key"))
      file.wrong().add(reader.place(), "a key says where it comes from: key = \"env:NAME\" or \"file:PATH\"");
    for (auto& made : named(name, secrets.value_or(std::vector<std::string>{}), promises))
      keys.push_back(std::move(made));
    reader.finish();
    if (keys.size() > keys_max) {
      file.wrong().add(reader.place(), "there are more than " + std::to_string(keys_max) + " keys");
      return {};
    }
  }
  return keys;
}

parsed<std::vector<api_key>> parse_keys(std::string_view text, std::size_t first, surroundings const& around) {
  std::vector<promised_quota> promises;
  if (auto const at = text.rfind(with_plan); at != text.npos) {
    auto const plans = contract_plans();
    auto const name = text.substr(at + with_plan.size());
    auto const found = plans.find(name);
    if (found == plans.end()) return {{}, unknown_plan(name, plans)};
    promises = found->second;
    text = text.substr(0, at);
  }
  auto secrets = secrets_of(text, {}, around);
  if (!secrets.value) return {{}, std::move(secrets.mistake)};
  if (secrets.value->size() > keys_max) return {{}, "there are more than " + std::to_string(keys_max) + " keys"};
  std::vector<api_key> keys;
  for (auto& secret : *secrets.value)
    keys.push_back({"key-" + std::to_string(first + keys.size()), std::move(secret), promises});
  return {std::move(keys), {}};
}

}  // namespace petstore::load
