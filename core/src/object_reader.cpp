// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "object_reader.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <limits>
#include <span>
#include <utility>

#include "petstore/json.hpp"

namespace petstore {
namespace {

namespace json = boost::json;

constexpr std::string_view integer_rule = "must be an integer within int64";
constexpr std::string_view id_rule = "must be an integer from 1 to 9223372036854775807";
constexpr std::string_view string_rule = "must be a string";
constexpr std::string_view time_rule = "must be a time like 2026-06-01T12:00:00.000Z";

/// A strange name is shown up to this size, so that a hostile body does not come back as its own error message.
constexpr std::size_t shown_name_bytes_max = 64;
constexpr std::size_t shown_names_max = 8;

/// Receives the parser's events and keeps what the top-level object's members hold. All that is nested deeper passes
/// by: the parser has checked that it is JSON, and that is all that is asked of it.
class top_level_handler {
 public:
  using error_code = json::error_code;
  using text = json::string_view;

  // The body's size is bounded before it comes here, so the parser needs no bounds of its own.
  static constexpr std::size_t max_array_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_string_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_key_size = std::numeric_limits<std::size_t>::max();

  top_level_handler(std::span<member_value> members, std::vector<std::string>& strange_names) noexcept
      : members_(members), strange_names_(strange_names) {}

  bool on_document_begin(error_code&) noexcept { return true; }
  bool on_document_end(error_code&) noexcept { return true; }

  bool on_object_begin(error_code& ec) { return depth_ == 0 ? open() : keep(member_value::kind::object, ec) && open(); }
  bool on_object_end(std::size_t, error_code&) noexcept { return close(); }
  bool on_array_begin(error_code& ec) { return keep(member_value::kind::array, ec) && open(); }
  bool on_array_end(std::size_t, error_code&) noexcept { return close(); }

  bool on_key_part(text part, std::size_t, error_code&) {
    if (depth_ == 1) key_.append(part.data(), part.size());
    return true;
  }
  bool on_key(text part, std::size_t size, error_code& ec) {
    on_key_part(part, size, ec);
    if (depth_ == 1) begin_member();
    return true;
  }

  bool on_string_part(text part, std::size_t, error_code&) {
    if (depth_ == 1 && member_) member_->text.append(part.data(), part.size());
    return true;
  }
  bool on_string(text part, std::size_t size, error_code& ec) {
    return on_string_part(part, size, ec) && keep(member_value::kind::string, ec);
  }

  // A number is judged by how it is written: the parser reports as int64 what has neither point nor exponent and fits,
  // as uint64 what fits only there, as double all else.
  bool on_number_part(text, error_code&) noexcept { return true; }
  bool on_int64(std::int64_t value, text, error_code& ec) {
    if (depth_ == 1 && member_) member_->integer = value;
    return keep(member_value::kind::integer, ec);
  }
  bool on_uint64(std::uint64_t, text, error_code& ec) { return keep(member_value::kind::other_number, ec); }
  bool on_double(double, text, error_code& ec) { return keep(member_value::kind::other_number, ec); }
  bool on_bool(bool, error_code& ec) { return keep(member_value::kind::boolean, ec); }
  bool on_null(error_code& ec) { return keep(member_value::kind::null, ec); }

  bool on_comment_part(text, error_code&) noexcept { return true; }
  bool on_comment(text, error_code&) noexcept { return true; }

 private:
  bool open() noexcept {
    ++depth_;
    return true;
  }
  bool close() noexcept {
    --depth_;
    return true;
  }

  void begin_member() {
    auto const known = std::ranges::find(members_, std::string_view{key_}, &member_value::name);
    if (known == members_.end()) {
      strange_names_.push_back(std::exchange(key_, {}));
      member_ = nullptr;
      return;
    }
    key_.clear();
    known->repeated = known->holds != member_value::kind::absent;
    member_ = known->repeated ? nullptr : &*known;
  }

  bool keep(member_value::kind kind, error_code& ec) {
    if (depth_ == 0) {  // the body is a value, but not an object
      ec = json::error::not_object;
      return false;
    }
    if (depth_ == 1 && member_) member_->holds = kind;
    return true;
  }

  std::span<member_value> members_;
  std::vector<std::string>& strange_names_;
  std::size_t depth_ = 0;
  std::string key_;
  member_value* member_ = nullptr;  ///< whose value comes next; nullptr: nobody asks for it
};

std::string describe(json::error_code const& ec) {
  if (ec == json::error::not_object) return "the body must be a JSON object";
  if (ec == json::error::too_deep) {
    return "the body nests arrays and objects deeper than " + std::to_string(json_depth_max) + " levels";
  }
  if (ec == json::error::incomplete) return "the body is not JSON: it ends too early";
  if (ec == json::error::exponent_overflow) return "the body has a number whose exponent is out of all range";
  if (ec == json::error::illegal_leading_surrogate || ec == json::error::illegal_trailing_surrogate ||
      ec == json::error::expected_utf16_escape) {
    return "the body is not JSON: a \\u escape is half of a surrogate pair";
  }
  return "the body is not JSON in UTF-8";
}

std::string shown(std::string_view name) {
  if (name.size() > shown_name_bytes_max) return "a member with a long name";
  return std::string{"\""}.append(name).append("\"");
}

}  // namespace

object_reader::object_reader(std::string_view body, std::initializer_list<std::string_view> names, strangers s)
    : strangers_(s) {
  members_.reserve(names.size());
  for (auto name : names) members_.emplace_back().name = name;

  json::parse_options options;
  options.max_depth = json_depth_max;
  json::basic_parser<top_level_handler> parser(options, members_, strange_names_);
  json::error_code ec;
  auto const parsed = parser.write_some(false, body.data(), body.size(), ec);
  if (ec) {
    broken_ = describe(ec);
  } else if (parsed != body.size()) {
    broken_ = "the body must be one JSON object with nothing after it";
  }
}

member_value const* object_reader::find(std::string_view name) const noexcept {
  auto const member = std::ranges::find(members_, name, &member_value::name);
  return member == members_.end() ? nullptr : &*member;
}

member_value const* object_reader::optional_member(std::string_view name) {
  auto const* member = find(name);
  if (!member || member->holds == member_value::kind::absent) return nullptr;
  if (!member->repeated) return member;
  fault(name, "is given twice");
  return nullptr;
}

member_value const* object_reader::required_member(std::string_view name) {
  auto const* member = find(name);
  if (member && member->holds != member_value::kind::absent) return optional_member(name);
  fault(name, "is missing");
  return nullptr;
}

bool object_reader::is_null(std::string_view name) const noexcept {
  auto const* member = find(name);
  return member && member->holds == member_value::kind::null && !member->repeated;
}

std::optional<std::int64_t> object_reader::optional_integer(std::string_view name) {
  auto const* member = optional_member(name);
  if (!member) return std::nullopt;
  if (member->holds == member_value::kind::integer) return member->integer;
  fault(name, integer_rule);
  return std::nullopt;
}

std::optional<std::int64_t> object_reader::optional_id(std::string_view name) {
  auto const* member = optional_member(name);
  if (!member) return std::nullopt;
  if (member->holds == member_value::kind::integer && member->integer >= 1) return member->integer;
  fault(name, id_rule);
  return std::nullopt;
}

std::optional<std::string> object_reader::optional_name(std::string_view name) {
  auto const* member = optional_member(name);
  if (!member) return std::nullopt;
  if (member->holds != member_value::kind::string) {
    fault(name, string_rule);
  } else if (auto const broken_rule = find_name_fault(member->text); !broken_rule.empty()) {
    fault(broken_rule, {});
  } else {
    return member->text;
  }
  return std::nullopt;
}

std::optional<unix_ms> object_reader::optional_time(std::string_view name) {
  auto const* member = optional_member(name);
  if (!member) return std::nullopt;
  if (member->holds == member_value::kind::string) {
    if (auto const time = parse_rfc3339(member->text)) return time;
  }
  fault(name, time_rule);
  return std::nullopt;
}

std::int64_t object_reader::integer(std::string_view name) {
  return required_member(name) ? optional_integer(name).value_or(0) : 0;
}

std::int64_t object_reader::id(std::string_view name) {
  return required_member(name) ? optional_id(name).value_or(0) : 0;
}

std::string object_reader::checked_name(std::string_view name) {
  return required_member(name) ? optional_name(name).value_or("") : "";
}

unix_ms object_reader::time(std::string_view name) {
  return required_member(name) ? optional_time(name).value_or(unix_ms{}) : unix_ms{};
}

std::string object_reader::string(std::string_view name) {
  auto const* member = required_member(name);
  if (!member) return {};
  if (member->holds == member_value::kind::string) return member->text;
  fault(name, string_rule);
  return {};
}

void object_reader::fault(std::string_view name, std::string_view rule) {
  if (!faults_.empty()) faults_.append("; ");
  faults_.append(name);
  if (!rule.empty()) faults_.append(" ").append(rule);
}

/// Sorted, not hashed: no choice of names makes that slow.
void object_reader::judge_strangers() {
  std::ranges::sort(strange_names_);
  std::size_t more = 0;
  std::size_t told = 0;
  for (auto at = strange_names_.begin(); at != strange_names_.end();) {
    auto const next = std::find_if(at, strange_names_.end(), [&](auto const& other) { return other != *at; });
    bool const repeated = next - at > 1;
    if (repeated || strangers_ == strangers::refused) {
      if (told == shown_names_max) {
        ++more;
      } else {
        fault(shown(*at), repeated ? "is given twice" : "is not a member of this record");
        ++told;
      }
    }
    at = next;
  }
  if (more != 0) fault(std::to_string(more), "more members are at fault");
}

std::string object_reader::describe_faults() {
  if (!broken_.empty()) return broken_;
  judge_strangers();
  return std::exchange(faults_, {});
}

}  // namespace petstore
