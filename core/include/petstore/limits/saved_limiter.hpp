// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/address.hpp"
#include "petstore/limits/address_table.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/limits/limiter_errc.hpp"
#include "petstore/limits/plan.hpp"

// The accounts of a limiter as bytes, for a file or a message. How they are kept is the caller's affair.
//
//     std::string const bytes = limits::save(quota, limits::now());
//     …
//     limits::loaded const got = limits::load(quota, bytes, limits::now());
//     if (got.failed) log(got.failed.message());
//
// The format has a magic number, a version, the kind of the identities, a length and a CRC-32C, so that other files,
// files of a later version, those of another limiter, files that were cut off and damaged ones are told apart. It is
// the same on every machine.
//
// Thread safety: as the limiter's, any thread at any time. While other threads charge, each account is saved as it was
// at one moment, but not all at the same moment: a charge that ends before `save` begins is in the bytes, one that
// begins after it ended is not, and one between may be in them or not.
namespace petstore::limits {

/// How an identity becomes bytes, and is read again. Integers of up to 64 bits and std::string have it; specialise it
/// for a type of your own, with these members. `kind` is in the bytes, and `load` refuses those of another kind: choose
/// a number from `saved_kind::of_host` on for each type, and another one when the type changes its meaning. `read`
/// returns nullopt for bytes that `append` does not write.
///
///     template <>
///     struct petstore::limits::saved_key<customer> {
///       static constexpr std::uint32_t kind = saved_kind::of_host + 1;
///       static void append(std::string& out, customer const& c) { saved_key<int>::append(out, c.number); }
///       static std::optional<customer> read(std::string_view bytes) { … }
///     };
template <class Key>
struct saved_key;

/// The kinds of identities. An integer has the sum of its sign and its bytes.
namespace saved_kind {
inline constexpr std::uint32_t text = 1;                 ///< std::string
inline constexpr std::uint32_t address = 2;              ///< the bytes of an address
inline constexpr std::uint32_t unsigned_integer = 0x10;  ///< and its bytes
inline constexpr std::uint32_t signed_integer = 0x20;    ///< and its bytes
inline constexpr std::uint32_t of_host = 0x1'0000;       ///< the first of those that hosts choose
}  // namespace saved_kind

/// The bytes of the number, the lowest first.
template <std::integral Key>
requires(sizeof(Key) <= sizeof(std::uint64_t)) struct saved_key<Key> {
  /// A char, whose sign depends on the machine, is an unsigned byte.
  static constexpr std::uint32_t kind =
      (std::signed_integral<Key> && !std::same_as<Key, char> ? saved_kind::signed_integer
                                                             : saved_kind::unsigned_integer) +
      sizeof(Key);

  /// Appends sizeof(Key) bytes.
  static void append(std::string& out, Key key) {
    auto rest = static_cast<std::uint64_t>(key);
    for (std::size_t i = 0; i < sizeof(Key); ++i, rest >>= 8) out.push_back(static_cast<char>(rest & 0xff));
  }
  /// nullopt for any other number of bytes, and for a bool that is neither.
  static std::optional<Key> read(std::string_view bytes) {
    if (bytes.size() != sizeof(Key)) return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = sizeof(Key); i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[i]);
    if (std::same_as<Key, bool> && number > 1) return std::nullopt;
    return static_cast<Key>(number);
  }
};

/// The text itself.
template <>
struct saved_key<std::string> {
  static constexpr std::uint32_t kind = saved_kind::text;  ///< of every std::string

  /// Appends the text.
  static void append(std::string& out, std::string_view key) { out.append(key); }
  /// Never nullopt.
  static std::optional<std::string> read(std::string_view bytes) { return std::string{bytes}; }
};

/// The bytes of the address.
template <>
struct saved_key<address> {
  static constexpr std::uint32_t kind = saved_kind::address;  ///< of an address_table, and of a limiter of addresses

  /// Appends 16 bytes.
  static void append(std::string& out, address const& key) {
    for (unsigned char const byte : key.bytes) out.push_back(static_cast<char>(byte));
  }
  /// nullopt for any other number of bytes.
  static std::optional<address> read(std::string_view bytes) {
    address key;
    if (bytes.size() != key.bytes.size()) return std::nullopt;
    for (std::size_t i = 0; i < bytes.size(); ++i) key.bytes[i] = static_cast<unsigned char>(bytes[i]);
    return key;
  }
};

/// What `load` did.
struct PETSTORE_EXPORT loaded {
  /// limiter_errc::not_saved, saved_version, saved_truncated, saved_damaged or saved_key_invalid (also for identities
  /// of another kind). Then nothing was loaded.
  std::error_code failed;
  std::size_t restored = 0;  ///< the identities whose accounts were restored
};

namespace detail {

/// Writes the format: `add` for each identity, then `finish`. One thread.
class PETSTORE_EXPORT saved_writer {
 public:
  explicit saved_writer(std::uint32_t kind);
  /// `append(out)` appends the bytes of the identity.
  template <class Append>
  void add(saved_account const& account, Append append) {
    std::size_t const begin = begin_identity();
    append(bytes_);
    end_identity(begin, account);
  }
  std::string finish() &&;

 private:
  std::size_t begin_identity();
  void end_identity(std::size_t begin, saved_account const&);

  std::string bytes_;
};

/// Reads the format. The checks come first, so that nothing of damaged bytes is used. One thread.
class PETSTORE_EXPORT saved_reader {
 public:
  /// `bytes` must outlive this object.
  explicit saved_reader(std::string_view bytes) : rest_{bytes} {}

  /// Checks everything but the bytes of the identities. Call it once, first.
  std::error_code check(std::uint32_t kind);
  /// Returns the bytes of the next identity, and fills in its account; nullopt at the end.
  std::optional<std::string_view> next(saved_account&);

 private:
  std::string_view rest_;
  std::uint32_t version_ = 0;
};

/// Returns every identity, or nothing of them.
template <class Key>
std::error_code read_all(std::string_view bytes, std::vector<saved_identity<Key>>& all) {
  saved_reader reader(bytes);
  if (auto const failed = reader.check(saved_key<Key>::kind)) return failed;
  saved_account account;
  while (auto const key_bytes = reader.next(account)) {
    auto key = saved_key<Key>::read(*key_bytes);
    if (!key) return limiter_errc::saved_key_invalid;
    all.push_back({std::move(*key), account});
  }
  return {};
}

}  // namespace detail

/// Saves every identity that has used something, as `limiter::snapshot` returns them. O(identities). Throws
/// std::bad_alloc.
template <class Key, class Hash, class Equal>
[[nodiscard]] std::string save(limiter<Key, Hash, Equal> const& from, instant now) {
  detail::saved_writer writer(saved_key<Key>::kind);
  for (auto const& one : from.snapshot(now))
    writer.add(one.account, [&](std::string& out) { saved_key<Key>::append(out, one.key); });
  return std::move(writer).finish();
}

/// Restores what `save` has written, as `limiter::restore` does: identities that have an account already keep it, and
/// impossible times are cut. Throws std::bad_alloc; that can happen after some identities were restored, everything
/// else is checked before.
template <class Key, class Hash, class Equal>
[[nodiscard]] loaded load(limiter<Key, Hash, Equal>& into, std::string_view bytes, instant now) {
  std::vector<saved_identity<Key>> all;
  if (auto const failed = detail::read_all(bytes, all)) return {failed};
  return {{}, into.restore(all, now)};
}

/// The same for the accounts of addresses, under the plan that they are charged with.
[[nodiscard]] PETSTORE_EXPORT std::string save(address_table const& from, plan const&, instant now);

/// The same, as `address_table::restore` does it. The policy is that of the charges.
[[nodiscard]] PETSTORE_EXPORT loaded load(address_table& into, std::string_view bytes, plan const&, ban_policy const&,
                                          instant now);

}  // namespace petstore::limits
