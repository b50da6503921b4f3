// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/json.hpp>
#include <charconv>
#include <stdexcept>
#include <string>

#include "json.hpp"
#include "json_members.hpp"

namespace petstore::load {
namespace {

namespace json = boost::json;

/// Thrown to end the reading; caught in this file.
struct unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A position in the document: "intervals[3].counted".
using place = std::string;

template <class T>
void read(json::value const&, T& to, place const&);

struct object_reader {
  json::object const& from;
  place const& where;
  template <class T>
  void operator()(std::string_view name, T& member) {
    auto const here = where.empty() ? std::string(name) : where + "." + std::string(name);
    auto const* found = from.if_contains(name);
    if (found == nullptr) throw unreadable(here + " is missing");
    read(*found, member, here);
  }
};

[[noreturn]] void refuse(place const& where, std::string_view wanted) {
  throw unreadable(where + " is not " + std::string(wanted));
}

json::object const& object_in(json::value const& from, place const& where) {
  if (auto const* object = from.if_object()) return *object;
  refuse(where, "an object");
}

json::array const& array_in(json::value const& from, place const& where) {
  if (auto const* array = from.if_array()) return *array;
  refuse(where, "an array");
}

void into(json::value const& from, std::string& to, place const& where) {
  auto const* text = from.if_string();
  if (text == nullptr) refuse(where, "a string");
  to = *text;
}

void into(json::value const& from, bool& to, place const& where) {
  auto const* truth = from.if_bool();
  if (truth == nullptr) refuse(where, "true or false");
  to = *truth;
}

void into(json::value const& from, double& to, place const& where) {
  if (!from.is_number()) refuse(where, "a number");
  to = from.to_number<double>();
}

template <std::integral Whole>
void into(json::value const& from, Whole& to, place const& where) {
  boost::system::error_code fault;
  // to_number would also accept a number with a point whose value is whole.
  if (!from.is_int64() && !from.is_uint64()) refuse(where, "a whole number");
  to = from.to_number<Whole>(fault);
  if (fault) refuse(where, "a whole number in range");
}

void into(json::value const& from, std::chrono::nanoseconds& to, place const& where) {
  std::int64_t count = 0;
  into(from, count, where);
  to = std::chrono::nanoseconds(count);
}

template <class T>
void into(json::value const& from, std::optional<T>& to, place const& where) {
  if (from.is_null()) {
    to.reset();
  } else {
    read(from, to.emplace(), where);
  }
}

template <class T>
void into(json::value const& from, std::vector<T>& to, place const& where) {
  auto const& array = array_in(from, where);
  to.resize(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) read(array[i], to[i], where + "[" + std::to_string(i) + "]");
}

template <class T>
void into(json::value const& from, std::map<std::uint16_t, T>& to, place const& where) {
  for (auto const& [name, figure] : object_in(from, where)) {
    std::uint16_t status = 0;
    auto const [end, fault] = std::from_chars(name.data(), name.data() + name.size(), status);
    if (fault != std::errc{} || end != name.data() + name.size() || status >= statuses_end)
      refuse(where + "." + std::string(name), "a status");
    read(figure, to[status], where + "." + std::string(name));
  }
}

template <class T>
void into(json::value const& from, std::map<error_kind, T>& to, place const& where) {
  for (auto const& [name, figures] : object_in(from, where)) {
    auto const kind = error_kind_named(name);
    if (!kind) refuse(where + "." + std::string(name), "a kind of error that is known here");
    read(figures, to[*kind], where + "." + std::string(name));
  }
}

void into(json::value const& from, histogram& to, place const& where) {
  auto const& object = object_in(from, where);
  struct {
    std::uint64_t overflow = 0;
    std::int64_t sum = 0;
    histogram::exact_figures known;
    std::vector<std::vector<std::uint64_t>> classes;
  } file;
  object_reader visit{object, where};
  visit("overflow", file.overflow);
  visit("sum_ns", file.sum);
  visit("min_ns", file.known.min);
  visit("max_ns", file.known.max);
  visit("classes", file.classes);
  for (auto const& entry : file.classes) {
    if (entry.size() != 2 || entry[0] >= static_cast<std::uint64_t>(histogram::range.count()))
      refuse(where + ".classes", "a list of pairs of an upper end and a count");
    to.record(std::chrono::nanoseconds(static_cast<std::int64_t>(entry[0])), entry[1]);
  }
  to.record(histogram::range, file.overflow);
  file.known.sum = static_cast<double>(file.sum);
  to.set_exact(file.known);
}

template <class T>
void read(json::value const& from, T& to, place const& where) {
  if constexpr (has_file_members<object_reader, T>) {
    object_reader visit{object_in(from, where), where};
    file_members(visit, to);
  } else {
    into(from, to, where);
  }
}

/// Checks what reports need in addition to the types of members.
void check(results const& found) {
  if (found.interval.count() <= 0) refuse("interval_ns", "more than nothing");
  if (found.duration.count() < 0) refuse("duration_ns", "zero or more");
  for (auto const& interval : found.intervals) {
    if (interval.operations.size() != found.operations.size()) refuse("intervals", "one of all operations each");
  }
  for (auto const& key : found.keys) {
    auto const fits = [&](auto const& series) { return series.empty() || series.size() == found.intervals.size(); };
    bool all_fit = fits(key.admitted_over_time) && key.refused_over_time.size() == key.admitted_over_time.size();
    for (auto const& quota : key.quotas) all_fit = all_fit && quota.remaining.size() == found.intervals.size();
    if (!all_fit) refuse("keys", "one value for each interval");
  }
}

}  // namespace

parsed<results> from_json(std::string_view text) {
  boost::system::error_code fault;
  auto const document = json::parse(text, fault);
  if (fault) return {{}, "it is not JSON (" + fault.message() + ")"};
  try {
    auto const& object = object_in(document, "the document");
    auto const* format = object.if_contains("format");
    if (format == nullptr || !format->is_string() || format->get_string() != json_format)
      return {{}, "it is not a file of petstore-load: \"format\" is not \"" + std::string(json_format) + "\""};
    int version = 0;
    object_reader visit{object, ""};
    visit("version", version);
    if (version != json_version)
      return {{},
              "it is of version " + std::to_string(version) + "; this program reads version " +
                  std::to_string(json_version)};
    results found;
    file_members(visit, found);
    check(found);
    return {std::move(found), {}};
  } catch (unreadable const& mistake) {
    return {{}, mistake.what()};
  }
}

}  // namespace petstore::load
