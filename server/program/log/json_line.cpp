// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/json_line.hpp"

#include "petstore/json.hpp"
#include "petstore/key_trace.hpp"
#include "petstore/utf8.hpp"

namespace petstore::program {
namespace {

bool is_plain(std::string_view text) {
  for (char const c : text)
    if (static_cast<signed char>(c) < 0x20 || c == 0x7f) return false;  // negative: a byte of a longer UTF-8 sequence
  return true;
}

std::string with_replacements(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    auto rest = text;
    bool const is_sequence = take_code_point(rest).has_value();
    if (!is_sequence) rest.remove_prefix(1);
    out.append(is_sequence ? text.substr(0, text.size() - rest.size()) : "\xEF\xBF\xBD");
    text = rest;
  }
  return out;
}

/// Returns valid UTF-8 without API keys.
std::string safe(std::string_view text) {
  std::string out;
  append_without_keys(out, is_plain(text) ? text : with_replacements(text));
  return out;
}

}  // namespace

void append_json_text(std::string& out, std::string_view text) {
  append_json_string(out, safe(text));
}

json_object begin_log_line(std::string& out, log_time time, server::severity level, std::string_view event,
                           std::string_view detail, server::log_origin const& origin) {
  json_object line{out};
  line.add("time", time).add("level", level).add("event", safe(event));
  if (!detail.empty()) line.add("detail", safe(detail));
  if (!origin.request_id.empty()) line.add("request_id", safe(origin.request_id));
  if (origin.trace.is_known())
    line.add("trace_id", safe(origin.trace.trace_id)).add("parent_id", safe(origin.trace.parent_id));
  return line;
}

}  // namespace petstore::program
