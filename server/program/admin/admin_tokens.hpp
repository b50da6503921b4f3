// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/api_key.hpp"

namespace petstore::program {

/// What a token of the admin listener allows. `operating` includes `viewing`.
enum class admin_role : std::uint8_t {
  viewing,    ///< `viewer` in the file
  operating,  ///< `operator` in the file
};

/// The owner of a token.
struct admin_user {
  std::string name;  ///< the actor in the audit log
  admin_role role = admin_role::viewing;

  bool may(admin_role needed) const noexcept { return role >= needed; }
};

/// The secrets that open the admin listener. Only their digests are kept. Immutable; any thread.
class admin_tokens {
 public:
  static constexpr std::size_t size_min = 32;
  static constexpr std::size_t name_size_max = 64;

  /// Parses lines of `NAME ROLE TOKEN`, with role `viewer` or `operator`. Empty lines and lines that begin with `#` are
  /// ignored. If the only other line is one word, that is the token of the operator `admin`. A name may have several
  /// tokens, so that one can replace another. Throws value_error, worded to follow the name of the file; it names lines
  /// and never repeats what is in them.
  static admin_tokens parse(std::string_view text);
  /// Reads a file. Throws value_error as well if the file cannot be read, if everybody may read it, or if others than
  /// its owner may write it.
  static admin_tokens read(std::filesystem::path const&);

  /// Returns whose token that is, or nullptr. The time it takes does not tell how much of a guess is right, nor which
  /// token it is.
  admin_user const* find(std::string_view token) const noexcept { return find(sha256(token)); }
  /// The same by the digest of a token.
  admin_user const* find(sha256_digest const& token) const noexcept;

 private:
  struct entry {
    sha256_digest digest;
    admin_user user;
  };
  std::vector<entry> entries_;
};

/// Returns the token of the first line of such a file, for a client. Throws as `admin_tokens::read`.
std::string read_first_token(std::filesystem::path const&);

}  // namespace petstore::program
