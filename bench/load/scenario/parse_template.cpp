// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "scenario/near_name.hpp"
#include "scenario/text_template.hpp"

namespace petstore::load {
namespace {

constexpr std::string_view opening = "{{", closing = "}}";

struct fault {
  std::string what;
};
using read_part = std::variant<text_template::part, fault>;

/// The words between the braces; quoted words may have spaces. nullopt if a quote is not closed.
std::optional<std::vector<std::string>> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    auto const begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return words;
    text.remove_prefix(begin);
    bool const is_quoted = text.front() == '"' || text.front() == '\'';
    auto const end = is_quoted ? text.find(text.front(), 1) : std::min(text.find_first_of(" \t"), text.size());
    if (end == text.npos) return std::nullopt;
    words.emplace_back(is_quoted ? text.substr(1, end - 1) : text.substr(0, end));
    text.remove_prefix(is_quoted ? end + 1 : end);
  }
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t n = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

read_part read_integer(std::vector<std::string> const& words) {
  auto const least = words.size() == 3 ? number_of(words[1]) : std::nullopt;
  auto const most = words.size() == 3 ? number_of(words[2]) : std::nullopt;
  if (!least || !most || *least > *most) return fault{"integer takes the least and the most, as {{integer 1 100}}"};
  return text_template::integer{*least, *most};
}

read_part read_choice(std::vector<std::string> words) {
  if (words.size() < 2) return fault{"choice takes words, as {{choice available pending sold}}"};
  words.erase(words.begin());
  return text_template::choice{std::move(words)};
}

read_part read_time(std::vector<std::string> const& words) {
  bool const in_ms = words.size() == 2 && words[1] == "ms";
  if (words.size() != 1 && !in_ms) return fault{"time takes nothing, or ms"};
  return text_template::time{in_ms};
}

read_part read_bare(std::vector<std::string> const& words, text_template::part what) {
  if (words.size() != 1) return fault{words[0] + " takes nothing behind its name"};
  return what;
}

read_part read_captured(std::vector<std::string> const& words, std::span<std::string const> names) {
  auto const found = std::ranges::find(names, words[0]);
  if (found != names.end())
    return read_bare(words, text_template::captured{static_cast<std::size_t>(found - names.begin())});
  std::vector<std::string_view> known{"integer", "choice", "uuid", "counter", "time"};
  known.insert(known.end(), names.begin(), names.end());
  return fault{unknown_name(words[0], known)};
}

read_part read_place(std::string_view inside, std::span<std::string const> names) {
  auto words = words_of(inside);
  if (!words) return fault{"a quote is not closed"};
  if (words->empty()) return fault{"there is nothing between the braces"};
  auto const& name = words->front();
  if (name == "integer") return read_integer(*words);
  if (name == "choice") return read_choice(std::move(*words));
  if (name == "uuid") return read_bare(*words, text_template::uuid{});
  if (name == "counter") return read_bare(*words, text_template::count{});
  if (name == "time") return read_time(*words);
  return read_captured(*words, names);
}

}  // namespace

std::variant<text_template, template_mistake> parse_template(std::string_view text,
                                                             std::span<std::string const> names) {
  std::vector<text_template::part> parts;
  std::string fixed;
  for (std::size_t at = 0; at < text.size();) {
    auto const open = text.find(opening, at);
    fixed += text.substr(at, open - at);
    if (open == text.npos) break;
    auto const inside = open + opening.size();
    if (text.substr(inside).starts_with(opening)) {
      fixed += opening;
      at = inside + opening.size();
      continue;
    }
    auto const close = text.find(closing, inside);
    if (close == text.npos) return template_mistake{open, "{{ has no }}; for two braces as such write {{{{"};
    auto read = read_place(text.substr(inside, close - inside), names);
    if (auto const* const wrong = std::get_if<fault>(&read)) return template_mistake{open, wrong->what};
    if (!fixed.empty()) parts.emplace_back(std::exchange(fixed, {}));
    parts.push_back(std::get<text_template::part>(std::move(read)));
    at = close + closing.size();
  }
  if (!fixed.empty()) parts.emplace_back(std::move(fixed));
  return text_template(std::move(parts));
}

}  // namespace petstore::load
