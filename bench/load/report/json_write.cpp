// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <string>

#include "json.hpp"
#include "json_members.hpp"

namespace petstore::load {
namespace {

namespace json = boost::json;

template <class T>
json::value written(T const&);

struct object_writer {
  json::object& to;
  template <class T>
  void operator()(std::string_view name, T const& member) {
    to.emplace(name, written(member));
  }
};

json::value of(std::string const& text) {
  return json::value(text);
}
json::value of(bool truth) {
  return truth;
}
json::value of(double number) {
  return std::isfinite(number) ? json::value(number) : json::value(nullptr);
}
json::value of(std::uint64_t count) {
  return count;
}
json::value of(std::uint32_t count) {
  return count;
}
json::value of(std::int64_t count) {
  return count;
}
json::value of(std::chrono::nanoseconds duration) {
  return std::int64_t{duration.count()};
}

template <class T>
json::value of(std::optional<T> const& maybe) {
  return maybe ? written(*maybe) : json::value(nullptr);
}

template <class T>
json::value of(std::vector<T> const& all) {
  json::array array;
  array.reserve(all.size());
  for (auto const& one : all) array.push_back(written(one));
  return array;
}

template <class T>
json::value of(std::map<std::uint16_t, T> const& by_status) {
  json::object object;
  for (auto const& [status, figure] : by_status) object.emplace(std::to_string(status), written(figure));
  return object;
}

template <class T>
json::value of(std::map<error_kind, T> const& errors) {
  json::object object;
  for (auto const& [kind, figures] : errors) object.emplace(name_of(kind), written(figures));
  return object;
}

json::value of(histogram const& h) {
  json::array classes;
  h.for_each([&](std::chrono::nanoseconds upper, std::uint64_t count) {
    classes.push_back(json::array{std::int64_t{upper.count()}, count});
  });
  auto const known = h.exact();
  // Whole numbers up to 2^63 ns, which is 292 years.
  auto const sum = static_cast<std::int64_t>(std::min(known.sum, 9.2e18));
  return json::object{{"count", h.count()}, {"min_ns", known.min.count()}, {"max_ns", known.max.count()},
                      {"sum_ns", sum},      {"overflow", h.overflow()},    {"classes", std::move(classes)}};
}

template <class T>
json::value written(T const& value) {
  json::object object;
  object_writer visit{object};
  if constexpr (has_file_members<object_writer, T const>) {
    file_members(visit, value);
    return object;
  } else {
    return of(value);
  }
}

json::object summary_of(histogram const& latency) {
  return {{"mean_ns", latency.mean().count()},          {"p50_ns", latency.quantile(0.5).count()},
          {"p90_ns", latency.quantile(0.9).count()},    {"p99_ns", latency.quantile(0.99).count()},
          {"p999_ns", latency.quantile(0.999).count()}, {"max_ns", latency.max().count()}};
}

/// The figures that scripts need most, so that they need not add them up.
json::object summary_of(results const& found) {
  auto const counted = totals_of(found);
  json::object statuses;
  for (auto const& [status, count] : statuses_of(found)) statuses.emplace(std::to_string(status), count);
  json::object latencies;
  for (auto const& [status, latency] : found.latency_by_status)
    latencies.emplace(std::to_string(status), summary_of(latency));
  return {{"rate", rate_of(found)},
          {"requests", found.due},
          {"answers", counted.answers},
          {"errors", counted.errors},
          {"retried", counted.retried},
          {"withheld", found.withheld},
          {"statuses", std::move(statuses)},
          {"latency_by_status", std::move(latencies)},
          {"latency", summary_of(latency_of(found))},
          {"service", summary_of(service_of(found))},
          {"tool_was_limit", std::any_of(found.warnings.begin(), found.warnings.end(),
                                         [](warning const& w) { return w.tool_was_limit; })}};
}

}  // namespace

std::string to_json(results const& found) {
  json::object document{{"format", json_format}, {"version", json_version}, {"summary", summary_of(found)}};
  object_writer visit{document};
  file_members(visit, found);
  return json::serialize(document) + "\n";
}

}  // namespace petstore::load
