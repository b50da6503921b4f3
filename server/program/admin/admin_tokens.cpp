// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_tokens.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <algorithm>
#include <optional>

#include "config/private_file.hpp"
#include "config/values.hpp"

namespace petstore::program {
namespace {

constexpr std::string_view white_space = " \t\r";
constexpr std::string_view name_of_a_lone_token = "admin";

/// The words of a line of the file.
struct numbered_line {
  std::size_t number = 0;
  std::vector<std::string_view> words;
};

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    auto const begin = line.find_first_not_of(white_space);
    if (begin == line.npos) return words;
    auto const end = std::min(line.find_first_of(white_space, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    line.remove_prefix(end);
  }
}

/// Returns the lines that are neither empty nor a comment.
std::vector<numbered_line> split_lines(std::string_view text) {
  std::vector<numbered_line> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    auto const line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    auto words = split_words(line);
    if (!words.empty() && !words.front().starts_with('#')) lines.push_back({number, std::move(words)});
  }
  return lines;
}

/// A name is printed in logs and tables, and a token is sent in a header field.
bool is_visible_ascii(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

admin_role parse_role(std::string_view word, std::size_t line) {
  if (word == "viewer") return admin_role::viewing;
  if (word == "operator") return admin_role::operating;
  throw value_error(fmt::format("has a role that is neither viewer nor operator in line {}", line));
}

void check_name(std::string_view name, std::size_t line) {
  if (name.size() > admin_tokens::name_size_max || !is_visible_ascii(name))
    throw value_error(fmt::format("has a name that is not 1 to {} visible ASCII characters in line {}",
                                  admin_tokens::name_size_max, line));
}

void check_token(std::string_view token, std::size_t line) {
  if (token.size() < admin_tokens::size_min)
    throw value_error(
        fmt::format("has a token that is shorter than {} characters in line {}: make one with openssl rand -base64 33",
                    admin_tokens::size_min, line));
  if (!is_visible_ascii(token))
    throw value_error(fmt::format("has a token with other characters than visible ASCII in line {}", line));
}

}  // namespace

admin_tokens admin_tokens::parse(std::string_view text) {
  auto lines = split_lines(text);
  if (lines.empty()) throw value_error("has no token");
  if (lines.size() == 1 && lines.front().words.size() == 1) {
    auto& words = lines.front().words;
    words.insert(words.begin(), {name_of_a_lone_token, "operator"});
  }
  admin_tokens parsed;
  for (auto const& [number, words] : lines) {
    if (words.size() != 3) throw value_error(fmt::format("has a line {} that is not NAME ROLE TOKEN", number));
    check_name(words[0], number);
    auto const role = parse_role(words[1], number);
    check_token(words[2], number);
    auto const digest = sha256(words[2]);
    // The audit log could not tell which of two users it was.
    if (std::ranges::find(parsed.entries_, digest, &entry::digest) != parsed.entries_.end())
      throw value_error(fmt::format("has the token of another line in line {}", number));
    parsed.entries_.push_back({digest, {std::string{words[0]}, role}});
  }
  return parsed;
}

admin_tokens admin_tokens::read(std::filesystem::path const& path) {
  return parse(read_private_file(path));
}

std::string read_first_token(std::filesystem::path const& path) {
  auto const text = read_private_file(path);
  admin_tokens::parse(text);
  return std::string{split_lines(text).front().words.back()};
}

admin_user const* admin_tokens::find(sha256_digest const& token) const noexcept {
  admin_user const* found = nullptr;
  for (auto const& known : entries_)
    if (CRYPTO_memcmp(token.data(), known.digest.data(), token.size()) == 0) found = &known.user;
  return found;
}

}  // namespace petstore::program
