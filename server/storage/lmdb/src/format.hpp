// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <bit>
#include <boost/endian/conversion.hpp>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "petstore/api_key.hpp"
#include "petstore/error.hpp"
#include "petstore/etag.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/storage/rules/repetition.hpp"
#include "tables.hpp"

/// The bytes in the file, as described in ../README.md. A change of them must raise `format_version` (tables.hpp) and
/// add a step to upgrade.cpp.
namespace petstore::storage::lmdb {

// Integers are big-endian, so that LMDB's byte order is the numeric order; signed ones have their sign bit flipped.

template <std::unsigned_integral Integer>
void append_big_endian(auto& out, Integer value) {
  boost::endian::native_to_big_inplace(value);
  auto const bytes = std::bit_cast<std::array<char, sizeof(Integer)>>(value);
  out.append(bytes.data(), bytes.size());
}

template <std::unsigned_integral Integer>
Integer read_big_endian(std::string_view bytes) noexcept {
  Integer value;
  std::memcpy(&value, bytes.data(), sizeof(Integer));
  return boost::endian::big_to_native(value);
}

inline constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

constexpr std::uint64_t ordered(std::int64_t id) noexcept {
  return static_cast<std::uint64_t>(id) ^ sign_bit;
}
constexpr std::int64_t from_ordered(std::uint64_t bits) noexcept {
  return static_cast<std::int64_t>(bits ^ sign_bit);
}

/// A key made of a few numbers, on the stack.
class number_key {
 public:
  number_key() = default;
  explicit number_key(std::int64_t id) { add(id); }
  explicit number_key(std::uint64_t number) { append_big_endian(*this, number); }

  number_key& add(std::int64_t id) {
    append_big_endian(*this, ordered(id));
    return *this;
  }
  void push_back(char c) noexcept { bytes_[size_++] = c; }
  void append(char const* bytes, std::size_t count) noexcept {
    std::memcpy(bytes_.data() + size_, bytes, count);
    size_ += count;
  }

  operator std::string_view() const noexcept { return {bytes_.data(), size_}; }
  friend bool operator==(number_key const& a, number_key const& b) noexcept {
    return std::string_view{a} == std::string_view{b};
  }

 private:
  std::array<char, 8 * (filters_max + 1)> bytes_;
  std::size_t size_ = 0;
};

/// The id at the end of the key of a record or of an index entry: its bytes, which are the record's key, and its
/// number.
inline std::string_view id_bytes_at_end(std::string_view key) noexcept {
  return key.substr(key.size() - sizeof(std::uint64_t));
}
inline std::int64_t id_at_end(std::string_view key) noexcept {
  return from_ordered(read_big_endian<std::uint64_t>(id_bytes_at_end(key)));
}

/// A stored value: format byte, revision, checksum, content. The checksum is the CRC-32C of the content, XORed with
/// that of the revision. So it covers both, and the checksum of the entity tag needs no second pass.
struct record_view {
  entity_tag tag;  ///< its checksum is that of the content
  std::string_view content;
};
inline constexpr std::size_t record_header_size = 1 + 8 + 4;
/// The format byte: the format of the store that was the first to write records of this form.
inline constexpr std::uint8_t record_format = 3;

/// The size of a value of `key_usage`: two counts.
inline constexpr std::size_t usage_value_size = 2 * sizeof(std::uint64_t);

/// For messages: the number of the key, or its bytes in hexadecimal.
std::string text_of_key(std::string_view key);

/// Throws damaged_record, which names `table` and `key`.
record_view open_record(std::string_view value, char const* table, std::string_view key);

/// Throws damaged_record: the content of this record cannot be decoded.
[[noreturn]] void throw_unreadable(table, std::string_view key, std::string_view why);

/// Throws damaged_record, which names the table and the key.
template <class Record>
Record decode_record(record_view const& stored, table t, std::string_view key,
                     result<Record> (*decode)(std::string_view)) {
  auto record = decode(stored.content);
  if (!record) throw_unreadable(t, key, record.error().message);
  return *std::move(record);
}

/// Writes the stored value to `out`, for `open_record` to read; returns the tag.
entity_tag make_record(std::string& out, std::uint64_t revision, std::string_view content);

/// Key and content of an idempotency record.
std::string answer_key(std::uint64_t identity, rules::repeatable, std::string_view key);
std::string expiry_key(unix_ms expires_at, std::string_view answer_key);
void append_answer(std::string& out, rules::kept_answer const&);
/// nullopt: too short.
std::optional<rules::kept_answer> read_answer(record_view const&);

}  // namespace petstore::storage::lmdb
