// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "parse_members.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <limits>
#include <utility>

#include "petstore/json.hpp"

namespace petstore {
namespace {

namespace json = boost::json;

/// Handles the parser's events and keeps the values of the top-level object's members. Nested values are ignored, since
/// it is enough that the parser has checked that they are JSON.
class top_level_handler {
 public:
  using error_code = boost::system::error_code;
  using text = json::string_view;

  // The size of the body is limited before, so the parser needs no limits of its own.
  static constexpr std::size_t max_array_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_string_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_key_size = std::numeric_limits<std::size_t>::max();

  top_level_handler(std::span<member_value> members, std::vector<std::string>& unknown_names) noexcept
      : members_(members), unknown_names_(unknown_names) {}

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

  // The notation of a number decides: the parser reports a number without point and exponent as int64 if it fits, or as
  // uint64 if it fits only there, and any other number as double.
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
      unknown_names_.push_back(std::exchange(key_, {}));
      member_ = nullptr;
      return;
    }
    key_.clear();
    known->repeated = known->holds != member_value::kind::absent;
    member_ = known->repeated ? nullptr : &*known;
  }

  bool keep(member_value::kind kind, error_code& ec) {
    if (depth_ == 0) {  // the body is a value other than an object
      ec = json::error::not_object;
      return false;
    }
    if (depth_ == 1 && member_) member_->holds = kind;
    return true;
  }

  std::span<member_value> members_;
  std::vector<std::string>& unknown_names_;
  std::size_t depth_ = 0;
  std::string key_;
  member_value* member_ = nullptr;  ///< the member whose value comes next; nullptr if the value is ignored
};

std::string describe(boost::system::error_code const& ec) {
  if (ec == json::error::not_object) return "the body must be a JSON object";
  if (ec == json::error::too_deep) {
    return "the body nests arrays and objects deeper than " + std::to_string(json_depth_max) + " levels";
  }
  if (ec == json::error::incomplete) return "the body is not JSON: it ends too early";
  if (ec == json::error::exponent_overflow) return "the body has a number whose exponent is out of all range";
  return "the body is not JSON in UTF-8";
}

}  // namespace

std::string parse_members(std::string_view body, std::span<member_value> members,
                          std::vector<std::string>& unknown_names) {
  json::parse_options options;
  options.max_depth = json_depth_max;
  json::basic_parser<top_level_handler> parser(options, members, unknown_names);
  boost::system::error_code ec;
  auto const parsed = parser.write_some(false, body.data(), body.size(), ec);
  if (ec) return describe(ec);
  if (parsed != body.size()) return "the body must be one JSON object with nothing after it";
  return {};
}

}  // namespace petstore
