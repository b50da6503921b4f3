// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "described_answers.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>

#include "http/field.hpp"
#include "petstore/json.hpp"

namespace petstore::server {
namespace {

namespace json = boost::json;

std::string_view view(json::string const& s) {
  return {s.data(), s.size()};
}

bool is_of_type(json::value const& v, std::string_view type) {
  if (type == "object") return v.is_object();
  if (type == "array") return v.is_array();
  if (type == "string") return v.is_string();
  if (type == "boolean") return v.is_bool();
  if (type == "null") return v.is_null();
  if (type == "integer") return v.is_int64() || v.is_uint64();
  return false;
}

std::size_t count_code_points(std::string_view s) {
  return static_cast<std::size_t>(
      std::ranges::count_if(s, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool fits_format(json::value const& v, std::string_view format) {
  if (format == "int64") return v.is_int64();
  if (format == "int32") {
    return v.is_int64() && v.as_int64() >= std::numeric_limits<std::int32_t>::min() &&
           v.as_int64() <= std::numeric_limits<std::int32_t>::max();
  }
  if (format == "date-time") return v.is_string() && parse_rfc3339(view(v.as_string()));
  if (format == "uri-reference") return v.is_string() && view(v.as_string()).starts_with("/");
  return false;
}

/// Fields that OpenAPI leaves to HTTP, or that describe the representation and not the operation.
bool goes_without_saying(std::string_view field) {
  constexpr std::array<std::string_view, 4> names{"Content-Type", "X-Content-Type-Options", "Cache-Control", "Vary"};
  return field.starts_with("Access-Control-") ||
         std::ranges::any_of(names, [&](auto name) { return equals_ignoring_case(name, field); });
}

/// A field's value as the type that its schema asks for.
json::value to_value(std::string_view text, json::object const& schema) {
  auto const* type = schema.if_contains("type");
  if (type && type->is_string() && view(type->as_string()) == "integer") {
    std::int64_t n = 0;
    auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (fault == std::errc{} && end == text.data() + text.size()) return n;
  }
  return json::string{text};
}

}  // namespace

described_answers::described_answers(std::string_view document) : document_(json::parse(document)) {}

json::object const& described_answers::resolve(json::value const& v) const {
  auto const& object = v.as_object();
  auto const* ref = object.if_contains("$ref");
  if (!ref) return object;
  return document_.at_pointer(view(ref->as_string()).substr(1)).as_object();
}

json::object const* described_answers::find_operation(std::string_view operation_id) const {
  for (auto const& path : document().at("paths").as_object())
    for (auto const& member : path.value().as_object())
      if (member.value().is_object() && member.value().as_object().contains("operationId") &&
          view(member.value().at("operationId").as_string()) == operation_id)
        return &member.value().as_object();
  return nullptr;
}

faults described_answers::judge(std::string_view operation_id, unsigned status,
                                std::vector<std::pair<std::string, std::string>> const& fields,
                                std::string_view body) const {
  auto const* operation = find_operation(operation_id);
  if (!operation) return {"the document has no operation " + std::string{operation_id}};
  auto const& responses = operation->at("responses").as_object();
  auto const* exact = responses.if_contains(std::to_string(status));
  // Only errors may hide behind `default`.
  if (!exact && status >= 400) exact = responses.if_contains("default");
  if (!exact) return {"the document has no status " + std::to_string(status)};
  auto const& described = resolve(*exact);

  faults found;
  check_fields(described, fields, found);
  auto const* content = described.if_contains("content");
  if (!content) {
    if (!body.empty()) found.push_back("a body where none is described");
    return found;
  }
  boost::system::error_code fault;
  auto const value = json::parse(body, fault);
  if (fault) {
    found.push_back("the body is not JSON: " + std::string{body});
  } else {
    check_value(content->at("application/json").at("schema"), value, "body", found);
  }
  return found;
}

void described_answers::check_fields(json::object const& described,
                                     std::vector<std::pair<std::string, std::string>> const& fields,
                                     faults& found) const {
  json::object const none;
  auto const* headers = described.if_contains("headers");
  auto const& known = headers ? headers->as_object() : none;
  for (auto const& header : known) {
    auto const& description = resolve(header.value());
    bool is_there = false;
    for (auto const& [name, text] : fields) {
      if (!equals_ignoring_case(name, header.key())) continue;
      is_there = true;
      auto const& schema = description.at("schema");
      check_value(schema, to_value(text, resolve(schema)), name, found);
    }
    auto const* required = description.if_contains("required");
    if (!is_there && required && required->as_bool()) found.push_back(std::string{header.key()} + " is missing");
  }
  for (auto const& [name, text] : fields) {
    bool const is_described = std::ranges::any_of(
        known, [&, &field = name](auto const& header) { return equals_ignoring_case(header.key(), field); });
    if (!is_described && !goes_without_saying(name)) found.push_back(name + " is not described");
  }
}

void described_answers::check_value(json::value const& given, json::value const& v, std::string const& where,
                                    faults& found) const {
  auto const& schema = resolve(given);
  auto const complain = [&](std::string const& what) { found.push_back(where + " " + what + ": " + serialize(v)); };
  for (auto const& member : schema) {
    std::string_view const keyword = member.key();
    json::value const& rule = member.value();
    if (keyword == "description" || keyword == "examples" || keyword == "default") {
      continue;
    } else if (keyword == "type") {
      if (!is_of_type(v, view(rule.as_string()))) complain("is not of type " + serialize(rule));
    } else if (keyword == "enum") {
      if (std::ranges::find(rule.as_array(), v) == rule.as_array().end()) complain("is not one of " + serialize(rule));
    } else if (keyword == "format") {
      if (!fits_format(v, view(rule.as_string()))) complain("is not of format " + serialize(rule));
    } else if (keyword == "required") {
      for (auto const& name : rule.as_array())
        if (!v.is_object() || !v.as_object().contains(name.as_string())) complain("lacks " + serialize(name));
    } else if (keyword == "properties") {
      for (auto const& property : rule.as_object())
        if (auto const* inner = v.is_object() ? v.as_object().if_contains(property.key()) : nullptr)
          check_value(property.value(), *inner, where + "." + std::string{property.key()}, found);
      // Clients may ignore what they do not know, but we send nothing that is not described.
      if (v.is_object())
        for (auto const& sent : v.as_object())
          if (!rule.as_object().contains(sent.key())) complain("has an undescribed " + std::string{sent.key()});
    } else if (keyword == "items") {
      if (v.is_array())
        for (std::size_t i = 0; i < v.as_array().size(); ++i)
          check_value(rule, v.as_array()[i], where + "[" + std::to_string(i) + "]", found);
    } else if (keyword == "anyOf") {
      bool const fits = std::ranges::any_of(rule.as_array(), [&](auto const& alternative) {
        faults inner;
        check_value(alternative, v, where, inner);
        return inner.empty();
      });
      if (!fits) complain("fits no alternative");
    } else if (keyword == "minimum") {
      if (v.is_int64() && v.as_int64() < rule.as_int64()) complain("is below " + serialize(rule));
    } else if (keyword == "maximum") {
      if (v.is_int64() && v.as_int64() > rule.as_int64()) complain("is above " + serialize(rule));
    } else if (keyword == "minLength") {
      if (v.is_string() && count_code_points(view(v.as_string())) < rule.to_number<std::size_t>()) complain("is short");
    } else if (keyword == "maxLength") {
      if (v.is_string() && count_code_points(view(v.as_string())) > rule.to_number<std::size_t>()) complain("is long");
    } else if (keyword == "maxItems") {
      if (v.is_array() && v.as_array().size() > rule.to_number<std::size_t>()) complain("has too many items");
    } else {
      found.push_back("the schema of " + where + " uses " + std::string{keyword} + ", which this test cannot judge");
    }
  }
}

}  // namespace petstore::server
