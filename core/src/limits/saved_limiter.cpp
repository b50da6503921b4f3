// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/saved_limiter.hpp"

#include "petstore/crc32c.hpp"
#include "petstore/limits/detail/first_format.hpp"

/// The format, with the lowest byte of each number first:
///
///     "PETLIMIT"  version (4)  kind of the keys (4)  length of what follows, without the checksum (8)
///     for each identity: length of the key (4), key, account (181)
///     CRC-32C of everything before (4)
///
/// An account of version 1 has 172 bytes and is converted.
namespace petstore::limits {
namespace {

constexpr std::string_view format_magic = "PETLIMIT";
constexpr std::uint32_t format_version = 2;
constexpr std::size_t checksum_bytes = 4;
constexpr std::size_t length_place = format_magic.size() + 4 + 4;
constexpr std::size_t header_bytes = length_place + 8;

template <class Number>
void put_number(std::string& out, Number number) {
  saved_key<Number>::append(out, number);
}

template <class Number>
void put_number_at(std::string& out, std::size_t where, Number number) {
  std::string bytes;
  put_number(bytes, number);
  out.replace(where, bytes.size(), bytes);
}

/// There must be as many bytes.
template <class Number>
Number take_number(std::string_view& from) {
  auto const number = *saved_key<Number>::read(from.substr(0, sizeof(Number)));
  from.remove_prefix(sizeof(Number));
  return number;
}

/// Calls `visit` with each number of the account, in the order of that version of the format.
template <class Account, class Visit>
void each_number(Account& a, std::uint32_t version, Visit visit) {
  visit(a.short_end_unix_ms);
  visit(a.short_used);
  visit(a.full_at_unix_ms);
  visit(a.short_left_ms);
  visit(a.long_end_unix_ms);
  if (version > 1) {
    visit(a.long_left_ms);
    visit(a.long_is_aligned);
  }
  visit(a.long_used);
  visit(a.announced_at_unix_ms);
  visit(a.announced_until_unix_ms);
  visit(a.strikes_gone_at_unix_ms);
  visit(a.ban_until_unix_ms);
  for (auto& begun : a.bans_begun_unix_ms) visit(begun);
}

constexpr std::size_t account_bytes(std::uint32_t version) noexcept {
  return version > 1 ? 181 : 172;
}

}  // namespace

namespace detail {

saved_writer::saved_writer(std::uint32_t kind) : bytes_{format_magic} {
  put_number(bytes_, format_version);
  put_number(bytes_, kind);
  put_number(bytes_, std::uint64_t{0});  // the length, filled in at the end
}

std::size_t saved_writer::begin_identity() {
  std::size_t const begin = bytes_.size();
  put_number(bytes_, std::uint32_t{0});
  return begin;
}

void saved_writer::end_identity(std::size_t begin, saved_account const& account) {
  put_number_at(bytes_, begin, static_cast<std::uint32_t>(bytes_.size() - begin - 4));
  each_number(account, format_version, [this](auto number) { put_number(bytes_, number); });
}

std::string saved_writer::finish() && {
  put_number_at(bytes_, length_place, std::uint64_t{bytes_.size() - header_bytes});
  put_number(bytes_, crc32c(bytes_));
  return std::move(bytes_);
}

std::error_code saved_reader::check(std::uint32_t kind) {
  std::string_view const all = rest_;
  if (!all.starts_with(format_magic.substr(0, all.size()))) return limiter_errc::not_saved;
  if (all.size() < header_bytes) return limiter_errc::saved_truncated;
  rest_.remove_prefix(format_magic.size());
  version_ = take_number<std::uint32_t>(rest_);
  if (version_ < 1 || version_ > format_version) return limiter_errc::saved_version;

  auto const its_kind = take_number<std::uint32_t>(rest_);
  auto const length = take_number<std::uint64_t>(rest_);
  if (rest_.size() < checksum_bytes || rest_.size() - checksum_bytes < length) return limiter_errc::saved_truncated;
  if (rest_.size() - checksum_bytes > length) return limiter_errc::saved_damaged;
  std::string_view checksum = rest_.substr(length);
  rest_.remove_suffix(checksum_bytes);
  if (take_number<std::uint32_t>(checksum) != crc32c(all.substr(0, header_bytes + length)))
    return limiter_errc::saved_damaged;
  if (its_kind != kind) return limiter_errc::saved_key_invalid;

  // A checksum is no proof: whoever wrote these bytes may have meant another format.
  for (std::string_view rest = rest_; !rest.empty();) {
    if (rest.size() < 4) return limiter_errc::saved_damaged;
    std::size_t const key_bytes = take_number<std::uint32_t>(rest);
    if (rest.size() < key_bytes + account_bytes(version_)) return limiter_errc::saved_damaged;
    rest.remove_prefix(key_bytes + account_bytes(version_));
  }
  return {};
}

std::optional<std::string_view> saved_reader::next(saved_account& account) {
  if (rest_.empty()) return std::nullopt;
  std::size_t const key_bytes = take_number<std::uint32_t>(rest_);
  std::string_view const key = rest_.substr(0, key_bytes);
  rest_.remove_prefix(key_bytes);
  each_number(account, version_, [this]<class Number>(Number& number) {
    if constexpr (std::is_same_v<Number, bool>)
      number = take_number<std::uint8_t>(rest_) != 0;  // any byte that a damaged file may have
    else
      number = take_number<Number>(rest_);
  });
  if (version_ == 1) convert_from_first_format(account);
  return key;
}

}  // namespace detail

std::string save(address_table const& from, plan const& p, instant now) {
  detail::saved_writer writer(saved_key<address>::kind);
  from.for_each(p, now, [&](address const& a, saved_account const& account) {
    writer.add(account, [&](std::string& out) { saved_key<address>::append(out, a); });
  });
  return std::move(writer).finish();
}

loaded load(address_table& into, std::string_view bytes, plan const& p, ban_policy const& bans, instant now) {
  std::vector<saved_identity<address>> all;
  if (auto const failed = detail::read_all(bytes, all)) return {failed};
  loaded got;
  for (auto const& one : all) got.restored += into.restore(one.key, one.account, p, bans, now) ? 1u : 0u;
  return got;
}

}  // namespace petstore::limits
