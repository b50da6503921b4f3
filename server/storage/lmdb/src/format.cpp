// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "format.hpp"

#include "faults.hpp"
#include "petstore/crc32c.hpp"

namespace petstore::storage::lmdb {
namespace {

constexpr std::size_t answer_header_size = 8 + 8 + 4 + std::tuple_size_v<sha256_digest>;

[[noreturn]] void report_damage(char const* table, std::string_view key, char const* what) {
  constexpr char hex[] = "0123456789abcdef";
  std::string text = "record ";
  if (key.size() == sizeof(std::uint64_t)) {
    text += std::to_string(id_at_end(key));
  } else {
    for (char c : key) text.append({hex[static_cast<unsigned char>(c) >> 4], hex[c & 15]});
  }
  throw damaged_record(text.append(" of ").append(table).append(" is damaged: ").append(what));
}

}  // namespace

record_view open_record(std::string_view value, char const* table, std::string_view key) {
  if (value.size() < record_header_size) report_damage(table, key, "it is too short");
  if (static_cast<std::uint8_t>(value[0]) != format_version) report_damage(table, key, "its format is unknown");
  record_view record{.tag = {.revision = read_big_endian<std::uint64_t>(value.substr(1)),
                             .checksum = read_big_endian<std::uint32_t>(value.substr(9))},
                     .content = value.substr(record_header_size)};
  if (crc32c(record.content) != record.tag.checksum) report_damage(table, key, "its checksum does not match");
  return record;
}

entity_tag make_record(std::string& out, std::uint64_t revision, std::string_view content) {
  entity_tag const tag{.revision = revision, .checksum = crc32c(content)};
  out.clear();
  out.push_back(static_cast<char>(format_version));
  append_big_endian(out, tag.revision);
  append_big_endian(out, tag.checksum);
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

std::string_view as_bytes(sha256_digest const& digest) noexcept {
  return {reinterpret_cast<char const*>(digest.data()), digest.size()};
}

}  // namespace petstore::storage::lmdb
