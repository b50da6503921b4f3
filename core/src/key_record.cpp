// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_record.hpp"

#include <algorithm>

#include "petstore/crc32c.hpp"
#include "petstore/enumeration.hpp"
#include "petstore/json.hpp"
#include "petstore/key_json.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/utf8.hpp"

namespace petstore {
namespace {

constexpr std::size_t label_bytes_max = 255;  // for the names of identities, plans and actors
constexpr char const* wrong_name = "a key's name has at most 255 bytes of UTF-8 without control characters";
constexpr char const* wrong_expiry = "a key must expire in the future";

error refuse(errc code, std::string sentence) {
  return error{.code = code, .message = std::move(sentence), .cause = {}};
}

template <class Command>
void set_key_of(Command& command, std::string_view key) {
  command.digest = sha256(key);
  command.prefix = key.substr(0, api_key_prefix_size);
  command.last_four = key.substr(key.size() - 4);
}

/// Whether a text may be printed in audit sentences and in tables on a terminal.
bool is_label(std::string_view text) noexcept {
  if (text.size() > label_bytes_max) return false;
  while (!text.empty()) {
    auto const c = take_code_point(text);
    if (!c || is_control(*c) || is_bidi_control(*c)) return false;
  }
  return true;
}

/// What is wrong with a plan and its overrides, or "". It does not check whether a plan of that name is configured.
std::string find_plan_fault(std::string_view plan, std::optional<std::uint32_t> per_minute,
                            std::optional<std::uint64_t> per_day) {
  if (plan.empty() || !is_label(plan)) return "a plan's name has 1 to 255 bytes of UTF-8 without control characters";
  if (per_minute && (*per_minute < 1 || *per_minute > limits::short_tokens_max)) {
    return "the quota per minute must be from 1 to " + std::to_string(limits::short_tokens_max);
  }
  if (per_day && (*per_day < 1 || *per_day > limits::long_tokens_max)) {
    return "the quota per day must be from 1 to " + std::to_string(limits::long_tokens_max);
  }
  if (plan == enterprise_plan && !(per_minute && per_day)) {
    return "the plan enterprise has no numbers of its own: give both, per minute and per day";
  }
  return {};
}

std::string describe_plan(identity_record const& identity) {
  auto text = identity.plan;
  if (identity.per_minute) text += ", " + std::to_string(*identity.per_minute) + " per minute";
  if (identity.per_day) text += ", " + std::to_string(*identity.per_day) + " per day";
  return text;
}

std::string describe_key(key_record const& key) {
  return key_id(key.number) + " (" + key.prefix + "…" + key.last_four + ")";
}

/// An error if the key is revoked or has expired.
std::optional<error> find_key_fault(key_record const& key, unix_ms now) {
  if (key.revoked_at) {
    return refuse(errc::conflict, key_id(key.number) + " was revoked at " + to_rfc3339(*key.revoked_at));
  }
  if (key.expires_at && *key.expires_at <= now) {
    return refuse(errc::conflict, key_id(key.number) + " expired at " + to_rfc3339(*key.expires_at));
  }
  return std::nullopt;
}

/// Decides one command. `named` is the key that the command names, `identity` its identity; create_key has neither.
class decision {
 public:
  decision(key_record named, identity_record identity, std::uint64_t next_number, unix_ms now)
      : named_(std::move(named)), before_(std::move(identity)), next_number_(next_number), now_(now) {
    change_.identity = before_;
  }

  result<key_change> operator()(create_key const& c) {
    if (auto fault = find_plan_fault(c.plan, c.per_minute, c.per_day); !fault.empty()) {
      return refuse(errc::invalid_request, std::move(fault));
    }
    if (!is_label(c.name)) return refuse(errc::invalid_request, wrong_name);
    if (c.expires_at && *c.expires_at <= now_) return refuse(errc::invalid_request, wrong_expiry);

    change_.identity = {.number = next_number_,
                        .name = c.name,
                        .plan = c.plan,
                        .per_minute = c.per_minute,
                        .per_day = c.per_day,
                        .banned_until = {},
                        .unbanned_at = {},
                        .ban_changes = 0,
                        .quota_resets = 0};
    key_record key{.number = next_number_,
                   .identity = next_number_,
                   .digest = c.digest,
                   .prefix = c.prefix,
                   .last_four = c.last_four,
                   .scope = c.scope,
                   .created_at = now_,
                   .expires_at = c.expires_at,
                   .revoked_at = {},
                   .replaced_by = {}};
    auto detail = describe_key(key) + " is created with scope " + std::string{to_string(c.scope)} + " and plan " +
                  describe_plan(change_.identity);
    if (!c.name.empty()) detail += ", for " + c.name;
    if (c.expires_at) detail += ", until " + to_rfc3339(*c.expires_at);
    change_.added = std::move(key);
    return logged("create", next_number_, std::move(detail));
  }

  result<key_change> operator()(rotate_key const& c) {
    if (named_.replaced_by) {
      return refuse(errc::conflict, key_id(named_.number) + " was already replaced by " + key_id(*named_.replaced_by) +
                                        "; rotate that one");
    }
    if (auto fault = find_key_fault(named_, now_)) return *fault;
    if (c.prefix != named_.prefix) {
      return refuse(errc::invalid_request, "a key " + named_.prefix + "… cannot be replaced by one of " + c.prefix);
    }
    if (c.old_expires_at < now_) return refuse(errc::invalid_request, "a grace period cannot be negative");

    auto added = named_;  // the new key keeps identity, scope and expiry
    added.number = next_number_;
    added.digest = c.digest;
    added.last_four = c.last_four;
    added.created_at = now_;

    auto changed = named_;
    changed.replaced_by = next_number_;
    changed.expires_at = std::min(c.old_expires_at, named_.expires_at.value_or(c.old_expires_at));
    auto detail = describe_key(named_) + " is replaced by " + describe_key(added) + " and works until " +
                  to_rfc3339(*changed.expires_at);
    change_.changed = std::move(changed);
    change_.added = std::move(added);
    return logged("rotate", named_.number, std::move(detail));
  }

  // An expired key may still be revoked, and a revoked one stays as it is.
  result<key_change> operator()(revoke_key const&) {
    if (!named_.revoked_at) {
      change_.changed = named_;
      change_.changed->revoked_at = now_;
    }
    return logged("revoke", named_.number, describe_key(named_) + " is revoked");
  }

  result<key_change> operator()(ban_identity const& c) {
    if (c.until <= now_) return refuse(errc::invalid_request, "a ban must end in the future");
    auto& banned = change_.identity;
    if (banned.banned_until != c.until) banned.ban_changes = number_after(banned.ban_changes);
    // Of two ends, an account keeps the later one.
    if (banned.banned_until && *banned.banned_until > c.until) banned.unbanned_at = now_;
    banned.banned_until = c.until;
    return logged("ban", named_.number,
                  "the identity of " + describe_key(named_) + " is banned until " + to_rfc3339(c.until));
  }

  // Always succeeds: servers also ban identities by themselves, and no record has these bans.
  result<key_change> operator()(unban_identity const&) {
    change_.identity.banned_until.reset();
    change_.identity.unbanned_at = now_;
    change_.identity.ban_changes = number_after(before_.ban_changes);
    return logged("unban", named_.number, "every ban of the identity of " + describe_key(named_) + " is lifted");
  }

  result<key_change> operator()(reset_quota const&) {
    change_.identity.quota_resets = number_after(before_.quota_resets);
    return logged("reset-quota", named_.number,
                  "the quotas of the identity of " + describe_key(named_) + " are whole again");
  }

  result<key_change> operator()(set_plan const& c) {
    if (auto fault = find_plan_fault(c.plan, c.per_minute, c.per_day); !fault.empty()) {
      return refuse(errc::invalid_request, std::move(fault));
    }
    change_.identity.plan = c.plan;
    change_.identity.per_minute = c.per_minute;
    change_.identity.per_day = c.per_day;
    return logged("set-plan", named_.number,
                  "the plan of " + describe_key(named_) + " goes from " + describe_plan(before_) + " to " +
                      describe_plan(change_.identity));
  }

  // An expired key may get a later end; a revoked one works never again.
  result<key_change> operator()(update_key const& c) {
    if (c.condition.present() && !c.condition.matches_strong(tag_of(named_, change_.identity)))
      return refuse(errc::precondition_failed, {});
    if (c.name && !is_label(*c.name)) return refuse(errc::invalid_request, wrong_name);
    if (c.expires_at && *c.expires_at && **c.expires_at <= now_) return refuse(errc::invalid_request, wrong_expiry);
    if (named_.revoked_at && (c.scope || c.expires_at)) return *find_key_fault(named_, now_);

    auto& after = change_.identity;
    after.name = c.name.value_or(before_.name);
    after.plan = c.plan.value_or(before_.plan);
    after.per_minute = c.per_minute.value_or(before_.per_minute);
    after.per_day = c.per_day.value_or(before_.per_day);
    if (auto fault = find_plan_fault(after.plan, after.per_minute, after.per_day); !fault.empty())
      return refuse(errc::invalid_request, std::move(fault));

    auto key = named_;
    key.scope = c.scope.value_or(named_.scope);
    key.expires_at = c.expires_at.value_or(named_.expires_at);
    auto detail = describe_key(named_) + " is changed";
    if (after.name != before_.name) detail += ", for " + after.name;
    if (describe_plan(after) != describe_plan(before_))
      detail += ", from plan " + describe_plan(before_) + " to " + describe_plan(after);
    if (key.scope != named_.scope) detail += ", to scope " + std::string{to_string(key.scope)};
    if (key.expires_at != named_.expires_at)
      detail += key.expires_at ? ", until " + to_rfc3339(*key.expires_at) : std::string{", for ever"};
    if (key != named_) change_.changed = std::move(key);
    return logged("update", named_.number, std::move(detail));
  }

 private:
  /// The time, so that a number does not come again after the store has lost changes that servers have seen: by a
  /// restore, or a failover of PostgreSQL.
  std::uint64_t number_after(std::uint64_t last) const {
    return std::max(last + 1, static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  }

  result<key_change> logged(std::string_view action, std::uint64_t key, std::string detail) {
    change_.entry.at = now_;
    change_.entry.action = action;
    change_.entry.key = key;
    change_.entry.detail = std::move(detail);
    change_.unchanged = !change_.changed && !change_.added && change_.identity == before_;
    return std::move(change_);
  }

  key_record const named_;
  identity_record const before_;
  std::uint64_t const next_number_;
  unix_ms const now_;
  key_change change_;
};

}  // namespace

std::string key_id(std::uint64_t number) {
  return "k" + std::to_string(number);
}

std::optional<std::uint64_t> key_number(std::string_view id) noexcept {
  auto const number = id.starts_with('k') ? parse_int64(id.substr(1)) : std::nullopt;
  return number >= 1 ? std::optional{static_cast<std::uint64_t>(*number)} : std::nullopt;
}

void set_key(create_key& command, std::string_view key) {
  set_key_of(command, key);
}
void set_key(rotate_key& command, std::string_view key) {
  set_key_of(command, key);
}

result<key_change> decide(key_command const& command, std::optional<key_record> const& named,
                          std::optional<identity_record> const& identity, std::uint64_t next_number, unix_ms now,
                          std::string_view actor) {
  if (!is_label(actor))
    return refuse(errc::invalid_request,
                  "the name of who asks has at most 255 bytes of UTF-8 without control characters");
  if (auto const number = named_key(command)) {
    if (!named) return refuse(errc::not_found, "there is no key " + key_id(*number));
    if (!identity) {
      return error{
          .code = errc::internal, .message = {}, .cause = "the identity of " + key_id(*number) + " is missing"};
    }
  }
  auto change = std::visit(
      decision(named.value_or(key_record{}), identity.value_or(identity_record{}), next_number, now), command);
  if (change) change->entry.actor = actor;
  return change;
}

/// The records do not count their changes. A part of their digest, in place of a count, makes the tag unique.
entity_tag tag_of(key_record const& key, identity_record const& identity) {
  std::string records;
  append_json(records, key);
  append_json(records, identity);
  entity_tag tag{.revision = 0, .checksum = crc32c(records)};
  auto const digest = sha256(records);
  for (std::size_t i = 0; i < sizeof tag.revision; ++i) tag.revision = tag.revision << 8 | digest[i];
  return tag;
}

std::string_view to_string(key_scope s) noexcept {
  return word_of(s);
}

std::optional<key_scope> parse_key_scope(std::string_view text) noexcept {
  return parse_word<key_scope>(text);
}

std::optional<std::uint64_t> named_key(key_command const& command) noexcept {
  return std::visit(
      []<class Command>(Command const& c) -> std::optional<std::uint64_t> {
        if constexpr (std::is_same_v<Command, create_key>) {
          return std::nullopt;
        } else {
          return c.number;
        }
      },
      command);
}

}  // namespace petstore
