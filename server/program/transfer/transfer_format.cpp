// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "transfer/transfer_format.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "petstore/enumeration.hpp"
#include "petstore/json.hpp"
#include "petstore/json_object.hpp"

namespace petstore::program {
namespace {

constexpr std::string_view export_type = "petstore-export";
constexpr std::int64_t export_version = 1;
constexpr std::string_view white_space = " \t\r\n";

error wrong(std::string sentence) {
  return {.code = errc::invalid_request, .message = std::move(sentence), .cause = {}};
}

/// The members of one JSON object, as text. It parses only as much JSON as it needs to find where each member ends. The
/// decoder of a record checks the record; it gets the unchanged text, so it notices a member that is given twice.
class members {
 public:
  /// Returns false if the text does not have the form of an object.
  bool split(std::string_view object) {
    rest_ = object;
    if (!take('{')) return false;
    if (take('}')) return at_end();
    do {
      skip_white_space();
      auto const name = take_value();
      if (name.size() < 2 || name.front() != '"' || !take(':')) return false;
      skip_white_space();
      auto const value = take_value();
      if (value.empty()) return false;
      all_.emplace_back(name.substr(1, name.size() - 2), value);
    } while (take(','));
    return take('}') && at_end();
  }

  bool has_only(std::initializer_list<std::string_view> names) const {
    for (auto at = all_.begin(); at != all_.end(); ++at) {
      bool const twice = std::any_of(all_.begin(), at, [&](auto const& other) { return other.first == at->first; });
      if (twice || std::ranges::find(names, at->first) == names.end()) return false;
    }
    return true;
  }

  std::optional<std::string_view> find(std::string_view name) const {
    auto const at = std::ranges::find(all_, name, &std::pair<std::string_view, std::string_view>::first);
    return at == all_.end() ? std::nullopt : std::optional{at->second};
  }

  std::optional<std::string_view> find_string(std::string_view name) const {
    auto const value = find(name);
    if (!value || value->size() < 2 || value->front() != '"') return std::nullopt;
    return value->substr(1, value->size() - 2);
  }

  std::optional<std::int64_t> find_integer(std::string_view name) const {
    auto const value = find(name);
    return value ? parse_int64(*value) : std::nullopt;
  }

 private:
  void skip_white_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(white_space), rest_.size())); }

  bool take(char c) {
    skip_white_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool at_end() {
    skip_white_space();
    return rest_.empty();
  }

  /// Takes the value at the front of the text; returns an empty view if the value has no end.
  std::string_view take_value() {
    std::size_t depth = 0;
    bool in_string = false;
    std::size_t size = 0;
    for (; size < rest_.size(); ++size) {
      char const c = rest_[size];
      if (in_string) {
        if (c == '\\') {
          ++size;
        } else if (c == '"') {
          in_string = false;
        }
        continue;
      }
      if (c == '"') {
        in_string = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (depth != 0 && (c == '}' || c == ']')) {
        --depth;
      } else if (depth == 0 &&
                 (c == '}' || c == ']' || c == ',' || c == ':' || white_space.find(c) != white_space.npos)) {
        break;
      }
    }
    if (in_string || depth != 0 || size > rest_.size()) return {};
    auto const value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }

  std::string_view rest_;
  std::vector<std::pair<std::string_view, std::string_view>> all_;
};

void write_counts(json_object out, auto category, auto pet, auto order) {
  out.add("category", category).add("pet", pet).add("order", order).close();
}

/// {"category":…,"pet":…,"order":…}
std::optional<std::array<std::int64_t, 3>> read_counts(std::string_view text) {
  members m;
  if (!m.split(text) || !m.has_only({"category", "pet", "order"})) return std::nullopt;
  std::array<std::int64_t, 3> counts;
  constexpr std::string_view names[] = {"category", "pet", "order"};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto const count = m.find_integer(names[i]);
    if (!count || *count < 0) return std::nullopt;
    counts[i] = *count;
  }
  return counts;
}

template <class Record>
result<transfer_line> to_line(result<Record> decoded) {
  if (!decoded) return decoded.error();
  return transfer_line{*std::move(decoded)};
}

}  // namespace

void append_header(std::string& out, petstore::environment e, ports::export_summary const& s) {
  json_object line{out};
  line.add("type", export_type).add("version", export_version).add("environment", to_string(e));
  write_counts(line.add_object("records"), s.categories, s.pets, s.orders);
  write_counts(line.add_object("lastIds"), s.given.category, s.given.pet, s.given.order);
  line.close();
  out.push_back('\n');
}

void append_line(std::string& out, record_kind kind, std::string_view record) {
  json_object{out}.add("type", word_of(kind)).add_json("record", record).close();
  out.push_back('\n');
}

result<transfer_header> decode_header(std::string_view line) {
  members m;
  if (!m.split(line) || m.find_string("type") != export_type)
    return wrong(R"(the first line must be {"type":"petstore-export","version":1,"environment":"production"})");
  if (auto const version = m.find_integer("version"); version != export_version)
    return wrong("this program reads version 1 of the export format, not " +
                 (version ? std::to_string(*version) : "one without a number"));
  if (!m.has_only({"type", "version", "environment", "records", "lastIds"}))
    return wrong("a member of the first line is unknown or given twice");

  transfer_header header;
  auto const environment = parse_environment(m.find_string("environment").value_or(""));
  if (!environment) return wrong("environment must be production or staging");
  header.environment = *environment;

  auto const records = m.find("records");
  auto const last_ids = m.find("lastIds");
  if (!records && !last_ids) return header;
  auto const counts = read_counts(records.value_or(""));
  auto const given = read_counts(last_ids.value_or(""));
  if (!counts || !given) return wrong("records and lastIds must each have a count of category, pet and order");
  header.summary = {.categories = static_cast<std::uint64_t>((*counts)[0]),
                    .pets = static_cast<std::uint64_t>((*counts)[1]),
                    .orders = static_cast<std::uint64_t>((*counts)[2]),
                    .given = {.category = (*given)[0], .pet = (*given)[1], .order = (*given)[2]}};
  return header;
}

result<transfer_line> decode_line(std::string_view line) {
  members m;
  if (!m.split(line) || !m.has_only({"type", "record"})) return wrong(R"(must be {"type":"…","record":{…}})");
  auto const type = m.find_string("type");
  auto const record = m.find("record").value_or("");
  if (type == "category") return to_line(decode_json<category>(record));
  if (type == "pet") return to_line(decode_json<pet>(record));
  if (type == "order") return to_line(decode_json<order>(record));
  return wrong("type must be category, pet or order");
}

}  // namespace petstore::program
