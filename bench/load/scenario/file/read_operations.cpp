// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/file/read_operations.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <string>
#include <utility>

#include "client/head_lines.hpp"

namespace petstore::load {
namespace {

constexpr std::array<std::string_view, 5> own_fields{"Content-Length", "Transfer-Encoding", "Connection", "Expect",
                                                     "Upgrade"};
constexpr std::array<std::string_view, 5> functions{"integer", "choice", "uuid", "counter", "time"};
constexpr std::string_view of_header = "header ";
constexpr std::size_t body_bytes_max = 16 << 20;
constexpr double weight_max = 1e6;

bool is_target_char(char c) {
  return c > 0x20 && c < 0x7f;
}

bool is_value_char(char c) {
  return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

bool is_body_char(char) {
  return true;
}

/// RFC 9110 section 5.6.2
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_name_of_capture(std::string_view text) {
  auto const is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !text.empty() && is_letter(text.front()) && std::ranges::find(functions, text) == functions.end() &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// Reads the steps of one operation, and numbers their captures.
class operation_reader {
 public:
  operation_reader(std::vector<field_template> const& common, mistake_list& wrong,
                   std::filesystem::path const& directory, surroundings const& around)
      : common_(common), wrong_(wrong), directory_(directory), around_(around) {}

  step read_step(table_reader& table, std::string name) {
    step s;
    s.name = std::move(name);
    read_method(table, s);
    read_path(table, s);
    read_fields(table, s);
    read_body(table, s);
    read_expected(table, s);
    s.charged = table.flag("charged").value_or(true);
    if (auto const think = table.read("think", parse_think_time)) s.think = *think;
    read_captures(table, s);
    return s;
  }

  std::size_t slots() const noexcept { return names_.size(); }

  std::optional<text_template> compiled(toml::node const& node, std::string_view text, bool (*is_allowed)(char),
                                        std::string_view otherwise) {
    auto read = parse_template(text, names_);
    if (auto const* const wrong = std::get_if<template_mistake>(&read)) {
      wrong_.add(place_of(node), text, *wrong);
      return std::nullopt;
    }
    auto& made = std::get<text_template>(read);
    if (!made.fixed_parts_are(is_allowed)) {
      wrong_.add(place_of(node), otherwise);
      return std::nullopt;
    }
    return std::move(made);
  }

  std::vector<field_template> fields_of(toml::table const& table) {
    std::vector<field_template> fields;
    for (auto const& [key, node] : table) {
      auto const name = key.str();
      file_place const at{key.source().begin.line, key.source().begin.column};
      auto const* const text = node.as_string();
      if (!is_token(name)) {
        wrong_.add(at, "a field's name has letters, digits and hyphens");
      } else if (std::ranges::any_of(own_fields, [&](auto own) { return is_name(own, name); })) {
        wrong_.add(at, "the tool writes `" + std::string(name) + "` itself");
      } else if (text == nullptr) {
        wrong_.add(place_of(node), "the value of a field is a string");
      } else if (auto value = compiled(node, text->get(), is_value_char, "a field's value has no line ends")) {
        fields.push_back({std::string(name), std::move(*value)});
      }
    }
    return fields;
  }

 private:
  void read_method(table_reader& table, step& s) {
    auto const method = table.read("method", [](std::string_view text) -> parsed<std::string> {
      bool const is_upper = std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
      if (!text.empty() && is_upper && text != "CONNECT") return {std::string(text), {}};
      return {{},
              "a method is GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS or another in capital letters, not CONNECT"};
    });
    if (method) s.method = *method;
  }

  void read_path(table_reader& table, step& s) {
    auto const* const node = table.find("path");
    auto const* const text = node == nullptr ? nullptr : node->as_string();
    constexpr auto form =
        "`path` begins with / and has neither spaces nor other than ASCII characters, as /pets?limit=20";
    if (text == nullptr || !text->get().starts_with('/')) {
      wrong_.add(node == nullptr ? table.place() : place_of(*node), form);
    } else if (auto path = compiled(*node, text->get(), is_target_char, form)) {
      s.path = std::move(*path);
    }
  }

  void read_fields(table_reader& table, step& s) {
    if (auto const* const own = table.table("headers")) s.fields = fields_of(*own);
    for (auto const& f : common_)
      if (std::ranges::none_of(s.fields, [&](auto const& mine) { return is_name(mine.name, f.name); }))
        s.fields.push_back(f);
  }

  void read_body(table_reader& table, step& s) {
    auto const* const inline_body = table.find("body");
    auto const in_file = table.text("body_file");
    auto const in_lines = table.text("body_lines");
    if ((inline_body != nullptr) + in_file.has_value() + in_lines.has_value() > 1)
      wrong_.add(table.place(), "a body comes from `body`, `body_file` or `body_lines`, not from several");
    if (inline_body != nullptr) {
      auto const text = table.text("body");
      if (!text) return;
      if (auto body = compiled(*inline_body, *text, is_body_char, {})) s.body = std::move(*body);
    } else if (in_file) {
      read_template_file(table, *in_file, s);
    } else if (in_lines) {
      read_lines(table, *in_lines, s);
    }
  }

  void read_template_file(table_reader& table, std::string const& name, step& s) {
    auto contents = around_.read_file(directory_ / name, body_bytes_max);
    if (!contents) {
      wrong_.add(place_of(*table.find("body_file")),
                 (directory_ / name).string() + " cannot be read, or is larger than 16 MiB");
      return;
    }
    while (contents->ends_with('\n') || contents->ends_with('\r')) contents->pop_back();
    auto read = parse_template(*contents, names_);
    if (auto const* const wrong = std::get_if<template_mistake>(&read)) {
      wrong_.add_in((directory_ / name).string(), *contents, *wrong);
    } else {
      s.body = std::move(std::get<text_template>(read));
    }
  }

  void read_lines(table_reader& table, std::string const& name, step& s) {
    auto const path = directory_ / name;
    auto const contents = around_.read_file(path, body_lines_bytes_max);
    auto const at = place_of(*table.find("body_lines"));
    if (!contents) return wrong_.add(at, path.string() + " cannot be read, or is larger than 64 MiB");
    std::string_view rest = *contents;
    for (std::size_t number = 1; !rest.empty(); ++number) {
      auto const end = rest.find('\n');
      auto line = rest.substr(0, end);
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty()) continue;
      boost::system::error_code failed;
      boost::json::parse(line, failed);
      if (failed) return wrong_.add(at, path.string() + ":" + std::to_string(number) + " is not JSON");
      s.lines.emplace_back(line);
    }
    if (s.lines.empty()) wrong_.add(at, path.string() + " is empty: it should have a body on each line");
  }

  void read_expected(table_reader& table, step& s) {
    auto const* const node = table.find("expect");
    if (node == nullptr) return;
    status_set expected;
    auto const add = [&](toml::node const& one) {
      auto const* const number = one.as_integer();
      auto const* const text = one.as_string();
      auto const written = number != nullptr ? std::to_string(number->get()) : text != nullptr ? text->get() : "";
      auto more = parse_status(written, expected);
      if (more.value)
        expected = *more.value;
      else
        wrong_.add(place_of(one), more.mistake);
    };
    if (auto const* const list = node->as_array()) {
      for (auto const& one : *list) add(one);
    } else {
      add(*node);
    }
    s.expects = expected;
  }

  void read_captures(table_reader& table, step& s) {
    auto const* const captures = table.table("capture");
    if (captures == nullptr) return;
    for (auto const& [key, node] : *captures) {
      std::string const name(key.str());
      auto const* const text = node.as_string();
      if (!is_name_of_capture(name)) {
        wrong_.add({key.source().begin.line, key.source().begin.column},
                   "what is captured has a name of a-z, 0-9 and _ that is not the name of a function");
        continue;
      }
      capture c;
      std::string_view where = text == nullptr ? std::string_view() : std::string_view(text->get());
      if (where.starts_with(of_header)) {
        c.from = capture::origin::header;
        where.remove_prefix(of_header.size());
      }
      bool const is_sound = c.from == capture::origin::header ? is_token(where) : where.starts_with('/');
      if (!is_sound) {
        wrong_.add(place_of(node),
                   "a value is captured by a JSON pointer, as \"/id\", or from a field, as \"header ETag\"");
        continue;
      }
      c.where = where;
      auto const known = std::ranges::find(names_, name);
      c.slot = static_cast<std::size_t>(known - names_.begin());
      if (known == names_.end()) names_.push_back(name);
      s.captures.push_back(std::move(c));
    }
    if (names_.size() > captures_max)
      wrong_.add(place_of(*captures), "an operation captures at most " + std::to_string(captures_max) + " values");
  }

  std::vector<field_template> const& common_;
  mistake_list& wrong_;
  std::filesystem::path const& directory_;
  surroundings const& around_;
  std::vector<std::string> names_;  // names of captured values, by slot
};

}  // namespace

std::vector<operation> read_operations(table_reader& file, std::filesystem::path const& directory,
                                       surroundings const& around) {
  std::vector<field_template> common;
  if (auto const* const headers = file.table("headers"))
    common = operation_reader({}, file.wrong(), directory, around).fields_of(*headers);
  std::vector<operation> operations;
  std::size_t steps_so_far = 0;
  for (auto const* const table : file.tables("operations")) {
    table_reader reader(*table, file.wrong());
    operation o;
    o.name = reader.text("name").value_or("");
    if (o.name.empty()) file.wrong().add(reader.place(), "an operation has a `name`");
    if (std::ranges::any_of(operations, [&](operation const& other) { return other.name == o.name; }))
      file.wrong().add(reader.place(), "there is another operation `" + o.name + "`");
    o.weight = reader.number("weight", 0, weight_max).value_or(1);
    operation_reader steps(common, file.wrong(), directory, around);
    auto const several = reader.tables("steps");
    for (auto const* const one : several) {
      table_reader step_table(*one, file.wrong());
      auto const name = step_table.text("name").value_or(std::to_string(o.steps.size() + 1));
      o.steps.push_back(steps.read_step(step_table, o.name + "/" + name));
      step_table.finish();
    }
    if (several.empty()) o.steps.push_back(steps.read_step(reader, o.name));
    reader.finish();
    o.slots = steps.slots();
    steps_so_far += o.steps.size();
    operations.push_back(std::move(o));
  }
  if (operations.empty()) file.wrong().add({}, "a scenario has at least one [[operations]]");
  if (steps_so_far > operations_max)
    file.wrong().add({}, "a scenario has at most " + std::to_string(operations_max) + " steps");
  return operations;
}

}  // namespace petstore::load
