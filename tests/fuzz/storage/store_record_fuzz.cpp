// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <optional>
#include <string>

#include "faults.hpp"
#include "format.hpp"
#include "fuzz/require.hpp"
#include "fuzz/target.hpp"
#include "petstore/crc32c.hpp"
#include "petstore/json.hpp"
#include "petstore/key_json.hpp"
#include "record.hpp"

/// Values of the stores, which a disk may have changed: no value does harm, a written value is read again, and a
/// changed bit is detected.
namespace petstore::fuzz {
namespace {

namespace lmdb = storage::lmdb;

constexpr std::string_view some_key{"\x80\0\0\0\0\0\0\1", 8};

std::optional<lmdb::record_view> open(std::string_view value) {
  try {
    return lmdb::open_record(value, "pets", some_key);
  } catch (lmdb::damaged_record const& e) {
    require(std::string_view{e.what()}.starts_with("record 1 of pets is damaged: "), "damage is named", e.what());
    return std::nullopt;
  }
}

/// Calls `changed` with damaged copies of the bytes: cut short, or with one bit flipped, at some dozens of positions.
/// It does not cut off only zeros: a CRC that is zero already does not detect that, and no stored value ends in zeros.
template <class Changed>
void each_damage(std::string_view bytes, Changed changed) {
  std::size_t const step = 1 + bytes.size() / 24;
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    bool const loses_only_zeros = bytes.find_first_not_of('\0', i) == std::string_view::npos;
    if (!loses_only_zeros) changed(std::string{bytes.substr(0, i)});
    std::string flipped{bytes};
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << i % 8));
    changed(flipped);
  }
}

template <class Record>
void require_round_trip(std::string_view json, result<Record> (*decode)(std::string_view)) {
  auto const record = decode(json);
  if (!record) {
    require(!record.error().message.empty(), "what cannot be read says why", json);
    return;
  }
  std::string text;
  append_json(text, *record);
  auto const again = decode(text);
  require(again && *again == *record, "a record comes back from its JSON", json, text);
}

void check_contents(lmdb::record_view const& record) {
  require_round_trip(record.content, decode_json<pet>);
  require_round_trip(record.content, decode_json<category>);
  require_round_trip(record.content, decode_json<order>);
  require_round_trip(record.content, decode_key_record);
  require_round_trip(record.content, decode_identity_record);
  require_round_trip(record.content, decode_audit_entry);
  if (auto const answer = lmdb::read_answer(record)) {
    std::string bytes;
    lmdb::append_answer(bytes, *answer);
    require(bytes == record.content, "a kept answer is written as it was read");
  }
}

void check_store(std::string_view input) {
  if (auto const record = open(input)) {
    require(crc32c(record->content) == record->tag.checksum, "what opens is whole");
    std::string again;
    lmdb::make_record(again, record->tag.revision, record->content);
    bool const is_newest = static_cast<std::uint8_t>(input[0]) == lmdb::record_format;
    require(!is_newest || again == input, "a record has one form");
    check_contents(*record);
  }

  std::string value;
  auto const tag = lmdb::make_record(value, input.size(), input);
  auto const record = open(value);
  require(record && record->tag == tag && record->content == input, "what was written is read again");
  check_contents(*record);
  each_damage(value, [](std::string const& damaged) { require(!open(damaged), "damage is seen", damaged); });
}

limits::saved_account make_account(std::string_view bytes) {
  auto const take = [&bytes] {
    std::uint64_t number = 0;
    for (int i = 0; i < 8 && !bytes.empty(); ++i, bytes.remove_prefix(1))
      number = number << 8 | static_cast<unsigned char>(bytes.front());
    return static_cast<std::int64_t>(number);
  };
  limits::saved_account a;
  for (auto* const field :
       {&a.short_end_unix_ms, &a.full_at_unix_ms, &a.short_left_ms, &a.long_end_unix_ms, &a.long_left_ms,
        &a.announced_at_unix_ms, &a.announced_until_unix_ms, &a.strikes_gone_at_unix_ms, &a.ban_until_unix_ms})
    *field = take();
  a.short_used = static_cast<std::uint32_t>(take());
  a.long_used = static_cast<std::uint64_t>(take());
  a.long_is_aligned = (take() & 1) != 0;
  for (auto& begun : a.bans_begun_unix_ms) begun = take();
  // Unused entries follow the used ones.
  std::stable_partition(a.bans_begun_unix_ms.begin(), a.bans_begun_unix_ms.end(), [](auto at) { return at != 0; });
  return a;
}

void check_quotas(std::string_view input) {
  if (auto const account = quota::decode(input)) {
    auto const again = quota::decode(quota::encode(account->account, account->resets));
    require(again.has_value(), "an account that was read can be written", input);
  }
  if (auto const key = quota::parse_key(input)) {
    auto const again = key->kind == quota::record_kind::identity ? quota::record_key(key->identity)
                                                                 : quota::record_key(key->kind, key->address);
    require(again == input, "a quota's key has one form", input);
  }
  auto const account = make_account(input);
  auto const resets = static_cast<std::uint64_t>(input.size());
  auto const bytes = quota::encode(account, resets);
  require(quota::decode(bytes) == quota::kept_quota{account, resets}, "an account comes back from its bytes");
  each_damage(bytes,
              [](std::string const& damaged) { require(!quota::decode(damaged), "damage of an account is seen"); });
}

}  // namespace

void check(std::string_view input) {
  check_store(input);
  check_quotas(input);
}

}  // namespace petstore::fuzz
