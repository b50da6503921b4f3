// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_token.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace petstore::program {
namespace {

constexpr std::string_view white_space = " \t\r\n";

std::string_view trim_lines(std::string_view text) {
  auto const begin = text.find_first_not_of(white_space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

}  // namespace

admin_token admin_token::read(std::filesystem::path const& path) {
  namespace fs = std::filesystem;
  std::ifstream file{path, std::ios::binary};
  std::string const text{std::istreambuf_iterator<char>{file}, {}};
  if (!file) throw std::runtime_error{fmt::format("{} cannot be read", path.string())};
  auto const allowed = fs::status(path).permissions();
  if ((allowed & fs::perms::others_read) != fs::perms::none)
    throw std::runtime_error{fmt::format("everybody may read {0}: chmod o-rwx {0}", path.string())};
  if ((allowed & (fs::perms::others_write | fs::perms::group_write)) != fs::perms::none)
    throw std::runtime_error{fmt::format("others than its owner may write {0}: chmod g-w,o-rwx {0}", path.string())};
  auto const token = trim_lines(text);
  if (token.size() < size_min)
    throw std::runtime_error{
        fmt::format("the token in {} is shorter than {} characters: make one with openssl rand -base64 33",
                    path.string(), size_min)};
  if (token.find_first_of(white_space) != std::string_view::npos)
    throw std::runtime_error{fmt::format("{} holds more than one word", path.string())};
  return admin_token{token};
}

bool admin_token::is(std::string_view text) const noexcept {
  auto const digest = sha256(text);
  return CRYPTO_memcmp(digest.data(), digest_.data(), digest.size()) == 0;
}

}  // namespace petstore::program
