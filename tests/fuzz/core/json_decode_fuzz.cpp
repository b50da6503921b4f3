// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <string>

#include "fuzz/core/json_reference.hpp"
#include "fuzz/require.hpp"
#include "fuzz/target.hpp"
#include "petstore/json.hpp"

/// The decoders of bodies and records. Each accepts exactly what the rules accept over another reading of the JSON,
/// with the same values. An accepted record comes back from its canonical JSON. An error message can be put into an
/// answer.
namespace petstore::fuzz {
namespace {

namespace json = boost::json;

std::string_view text_of(member m) {
  return m->get_string();
}

template <class Status>
bool is_status(member m, std::optional<Status> (*parse)(std::string_view) noexcept) {
  return m && m->is_string() && parse(text_of(m)).has_value();
}

bool is_absent_or_pet_status(member m) {
  return !m || is_status(m, parse_pet_status);
}

std::string time_text(unix_ms t) {
  std::string text;
  append_rfc3339(text, t);
  return text;
}

/// Checks the error of a decoder: it is an error of the client, and its message is not changed by becoming an answer.
void require_sayable(error const& e, std::string_view body) {
  constexpr std::size_t message_bytes_max = 2'000;
  require(e.code == errc::invalid_request, "a bad body is invalid_request", body);
  require(!e.message.empty() && e.message.size() <= message_bytes_max, "a message says something short", e.message);
  std::string answer;
  append_error_json(answer, e.code, e.message);
  boost::system::error_code ec;
  auto const parsed = json::parse(answer, ec);
  require(!ec, "an error is JSON", answer, body);
  require(std::string_view{parsed.at("message").as_string()} == e.message, "the message comes back", answer, body);
}

template <class Record, class Rule>
void compare(result<Record> const& decoded, std::string_view body, std::optional<json::object> const& object,
             Rule is_right) {
  require(decoded.has_value() == (object && is_right(*object)), "both readings take the body, or neither", body,
          decoded ? "" : decoded.error().message);
  if (!decoded) require_sayable(decoded.error(), body);
}

template <class Record>
void require_round_trip(Record const& r, result<Record> (*decode)(std::string_view)) {
  auto const text = to_json(r);
  auto const again = decode(text);
  require(again && *again == r, "a record comes back from its JSON", text);
  require(to_json(*again) == text, "a record has one JSON text", text);
  require(read_object(text).has_value(), "a record's JSON is JSON to others", text);
}

void check_pets(std::string_view body, std::optional<json::object> const& object) {
  auto const made = decode_json<new_pet>(body);
  compare(made, body, object, [](auto const& o) {
    return is_name(o.if_contains("name")) && is_integer(o.if_contains("categoryId")) &&
           is_absent_or_pet_status(o.if_contains("status"));
  });
  if (made) {
    require(text_of(object->if_contains("name")) == made->name, "both read one name", body);
    require(object->at("categoryId") == made->category_id, "both read one category", body);
    auto const status = object->if_contains("status");
    require(made->status.has_value() == (status != nullptr), "both read a status, or neither", body);
    require(!status || to_string(*made->status) == text_of(status), "both read one status", body);
  }

  auto const patch = decode_json<pet_patch>(body);
  compare(patch, body, object, [](auto const& o) {
    auto const status = o.if_contains("status");
    return (!o.contains("name") || is_name(o.if_contains("name"))) &&
           (!o.contains("categoryId") || is_integer(o.if_contains("categoryId"))) &&
           ((status && status->is_null()) || is_absent_or_pet_status(status));
  });
  if (patch) {
    require(patch->name.has_value() == object->contains("name"), "a name is patched when it is there", body);
    require(patch->category_id.has_value() == object->contains("categoryId"), "so is a category", body);
    require(patch->status.has_value() == object->contains("status"), "so is a status", body);
    require(!patch->status || patch->status->has_value() != object->at("status").is_null(), "null takes a status off",
            body);
  }

  auto const whole = decode_json<pet>(body);
  compare(whole, body, object, [](auto const& o) {
    return is_id(o.if_contains("id")) && is_name(o.if_contains("name")) && is_integer(o.if_contains("categoryId")) &&
           is_absent_or_pet_status(o.if_contains("status"));
  });
  if (whole) {
    require(object->at("id") == whole->id && made.has_value(), "an animal has what makes one, and an id", body);
    require_round_trip(*whole, decode_json<pet>);
    require(apply(*whole, pet_patch{}) == *whole, "an empty patch changes nothing", body);
  }
}

void check_categories(std::string_view body, std::optional<json::object> const& object) {
  auto const made = decode_json<new_category>(body);
  compare(made, body, object, [](auto const& o) { return is_name(o.if_contains("name")); });
  if (made) require(text_of(object->if_contains("name")) == made->name, "both read one name", body);

  auto const whole = decode_json<category>(body);
  compare(whole, body, object,
          [](auto const& o) { return is_id(o.if_contains("id")) && is_name(o.if_contains("name")); });
  if (whole) require_round_trip(*whole, decode_json<category>);
}

void check_orders(std::string_view body, std::optional<json::object> const& object) {
  auto const made = decode_json<new_order>(body);
  compare(made, body, object, [](auto const& o) { return is_integer(o.if_contains("petId")); });
  if (made) require(object->at("petId") == made->pet_id, "both read one animal", body);

  auto const patch = decode_json<order_patch>(body);
  compare(patch, body, object, [](auto const& o) {
    return !o.contains("status") || is_status(o.if_contains("status"), parse_order_status);
  });

  auto const whole = decode_json<order>(body);
  compare(whole, body, object, [](auto const& o) {
    return is_id(o.if_contains("id")) && is_id(o.if_contains("petId")) &&
           is_status(o.if_contains("status"), parse_order_status) && is_time(o.if_contains("createdAt")) &&
           is_time(o.if_contains("updatedAt"));
  });
  if (!whole) return;
  require(to_string(whole->status) == text_of(object->if_contains("status")), "both read one status", body);
  require(time_text(whole->created_at) == text_of(object->if_contains("createdAt")), "a time has one text", body);
  require(time_text(whole->updated_at) == text_of(object->if_contains("updatedAt")), "a time has one text", body);
  require_round_trip(*whole, decode_json<order>);
}

}  // namespace

void check(std::string_view input) {
  auto const object = read_object(input);
  check_pets(input, object);
  check_categories(input, object);
  check_orders(input, object);
}

}  // namespace petstore::fuzz
