// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "format.hpp"

#include "faults.hpp"
#include "petstore/crc32c.hpp"
#include "petstore/hex.hpp"

namespace petstore::storage::lmdb {
namespace {

/// Records of this format exist until they are written again; their checksum does not cover the revision.
constexpr std::uint8_t format_without_revision = 2;

constexpr std::size_t answer_header_size = 8 + 8 + 4 + std::tuple_size_v<sha256_digest>;

[[noreturn]] void throw_damaged(char const* table, std::string_view key, char const* what) {
  throw damaged_record("record " + text_of_key(key) + " of " + table + " is damaged: " + what);
}

}  // namespace

std::string text_of_key(std::string_view key) {
  // An id or a number: neither is negative, so the sign bit, in which their encodings differ, can be ignored.
  if (key.size() == sizeof(std::uint64_t)) return std::to_string(read_big_endian<std::uint64_t>(key) & ~sign_bit);
  return to_hex(key);
}

record_view open_record(std::string_view value, char const* table, std::string_view key) {
  if (value.size() < record_header_size) throw_damaged(table, key, "it is too short");
  auto const format = static_cast<std::uint8_t>(value[0]);
  if (format != record_format && format != format_without_revision) throw_damaged(table, key, "its format is unknown");
  record_view record{.tag = {.revision = read_big_endian<std::uint64_t>(value.substr(1)),
                             .checksum = read_big_endian<std::uint32_t>(value.substr(9))},
                     .content = value.substr(record_header_size)};
  if (format == record_format) record.tag.checksum ^= crc32c(value.substr(1, sizeof(std::uint64_t)));
  if (crc32c(record.content) != record.tag.checksum) throw_damaged(table, key, "its checksum does not match");
  return record;
}

void throw_unreadable(table t, std::string_view key, std::string_view why) {
  throw damaged_record("record " + text_of_key(key) + " of " + name_of(t) + " cannot be read: " + std::string{why});
}

entity_tag make_record(std::string& out, std::uint64_t revision, std::string_view content) {
  entity_tag const tag{.revision = revision, .checksum = crc32c(content)};
  out.clear();
  out.push_back(static_cast<char>(record_format));
  append_big_endian(out, tag.revision);
  append_big_endian(out, tag.checksum ^ crc32c(std::string_view{out}.substr(1)));
  out.append(content);
  return tag;
}

std::string answer_key(std::uint64_t identity, rules::repeatable operation, std::string_view key) {
  std::string out;
  append_big_endian(out, identity);
  out.push_back(static_cast<char>(operation));
  return out.append(key);
}

std::string expiry_key(unix_ms expires_at, std::string_view answer_key) {
  std::string out;
  append_big_endian(out, ordered(expires_at.time_since_epoch().count()));
  return out.append(answer_key);
}

void append_answer(std::string& out, rules::kept_answer const& kept) {
  append_big_endian(out, ordered(kept.expires_at.time_since_epoch().count()));
  append_big_endian(out, ordered(kept.answer.id));
  append_big_endian(out, kept.answer.tag.checksum);
  out.append(as_bytes(kept.body_digest)).append(kept.answer.json);
}

std::optional<rules::kept_answer> read_answer(record_view const& record) {
  auto const bytes = record.content;
  if (bytes.size() < answer_header_size) return std::nullopt;
  rules::kept_answer kept;
  kept.expires_at = unix_ms{std::chrono::milliseconds{from_ordered(read_big_endian<std::uint64_t>(bytes))}};
  kept.answer.id = from_ordered(read_big_endian<std::uint64_t>(bytes.substr(8)));
  kept.answer.tag = {.revision = record.tag.revision, .checksum = read_big_endian<std::uint32_t>(bytes.substr(16))};
  std::memcpy(kept.body_digest.data(), bytes.data() + 20, kept.body_digest.size());
  kept.answer.json = bytes.substr(answer_header_size);
  return kept;
}

}  // namespace petstore::storage::lmdb
