// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/json_object.hpp"

#include "append_integer.hpp"
#include "petstore/json.hpp"

namespace petstore {

json_object& json_object::add(std::string_view name, std::string_view value) {
  begin(name);
  append_json_string(out_, value);
  return *this;
}

json_object& json_object::add(std::string_view name, std::int64_t value) {
  begin(name);
  append_integer(out_, value);
  return *this;
}

json_object& json_object::add(std::string_view name, std::uint64_t value) {
  begin(name);
  append_integer(out_, value);
  return *this;
}

json_object& json_object::add(std::string_view name, unix_ms value) {
  begin(name);
  out_.push_back('"');
  append_rfc3339(out_, value);
  out_.push_back('"');
  return *this;
}

json_object& json_object::add_json(std::string_view name, std::string_view json) {
  begin(name);
  out_.append(json);
  return *this;
}

json_object json_object::add_object(std::string_view name) {
  begin(name);
  return json_object{out_};
}

void json_object::begin(std::string_view name) {
  out_.append(out_.back() == '{' ? "\"" : ",\"").append(name).append("\":");
}

}  // namespace petstore
