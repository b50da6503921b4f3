// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fmt/format.h>

#include <utility>

#include "admin/admin_answer.hpp"
#include "admin/admin_api.hpp"
#include "admin_path.hpp"
#include "petstore/hex.hpp"
#include "petstore/json.hpp"
#include "petstore/key_trace.hpp"
#include "petstore/server/address_range.hpp"
#include "petstore/server/conditions.hpp"
#include "petstore/server/request_body.hpp"
#include "store/keys.hpp"

namespace petstore::program {
namespace {

using server::body_kind;

/// Operators have no identity of their own in the stored answers.
constexpr std::uint64_t operators = 0;

}  // namespace

admin_api::outcome admin_api::create_key(call const& c) {
  auto const body = server::take_body(c.req, body_kind::json);
  if (!body) co_return body.error();
  auto repeat = read_repeat(c, *body);
  if (!repeat) co_return repeat.error();
  auto asked = decode_json<new_key>(*body);
  if (!asked) co_return asked.error();
  auto const fault = find_fault(asked->name, asked->plan);
  if (fault && !*repeat) co_return *fault;
  auto command = to_command(*std::move(asked));
  if (!command) co_return command.error();
  // A repetition has its answer, even if its plan is not configured any more. No store makes a key without a plan.
  if (fault) command->plan.clear();

  auto const secret = generate_api_key(parts_.store.environment());
  set_key(*command, secret);
  auto changing = change(c, *std::move(command), *std::move(repeat));
  auto const done = co_await std::move(changing);
  if (!done && fault && done.error().code == errc::invalid_request) co_return *fault;
  if (!done) co_return done.error();
  auto answering = answer_made(c, *done, secret);
  co_return co_await std::move(answering);
}

admin_api::outcome admin_api::update_key(call const& c) {
  auto condition = server::read_condition(c.req, server::known_field::if_match);
  if (!condition) co_return condition.error();
  auto const body = server::take_body(c.req, body_kind::merge_patch);
  if (!body) co_return body.error();
  auto asked = decode_json<key_patch>(*body);
  if (!asked) co_return asked.error();
  if (auto fault = find_fault(asked->name, asked->plan)) co_return *std::move(fault);
  auto command = to_command(*std::move(asked), c.key, *std::move(condition));
  if (!command) co_return command.error();
  auto answering = answer_change(c, *std::move(command));
  co_return co_await std::move(answering);
}

admin_api::outcome admin_api::rotate_key(call const& c) {
  key_rotation asked;
  auto repeat = read_repeat(c, c.req.body);
  if (!repeat) co_return repeat.error();
  if (c.req.has_body) {
    auto const body = server::take_body(c.req, body_kind::json);
    if (!body) co_return body.error();
    auto const decoded = decode_json<key_rotation>(*body);
    if (!decoded) co_return decoded.error();
    asked = *decoded;
  }
  auto command = to_command(asked, c.key, c.now);
  if (!command) co_return command.error();

  auto const secret = generate_api_key(parts_.store.environment());
  set_key(*command, secret);
  auto changing = change(c, *std::move(command), *std::move(repeat));
  auto const done = co_await std::move(changing);
  if (!done) co_return done.error();
  auto answering = answer_made(c, *done, secret);
  co_return co_await std::move(answering);
}

admin_api::outcome admin_api::revoke_key(call const& c) {
  auto answering = answer_change(c, petstore::revoke_key{c.key});
  co_return co_await std::move(answering);
}

admin_api::outcome admin_api::ban_key(call const& c) {
  auto const body = server::take_body(c.req, body_kind::json);
  if (!body) co_return body.error();
  auto const asked = decode_json<key_ban>(*body);
  if (!asked) co_return asked.error();
  auto const command = to_command(*asked, c.key, c.now);
  if (!command) co_return command.error();
  auto answering = answer_change(c, *command);
  co_return co_await std::move(answering);
}

admin_api::outcome admin_api::unban_key(call const& c) {
  auto answering = answer_change(c, unban_identity{c.key});
  co_return co_await std::move(answering);
}

admin_api::outcome admin_api::reset_quota(call const& c) {
  auto answering = answer_change(c, petstore::reset_quota{c.key});
  co_return co_await std::move(answering);
}

/// Reads the Idempotency-Key of a request that makes a key. Two users may use the same one for different requests, and
/// so may one user for a creation and for rotations of several keys.
result<std::optional<ports::idempotency>> admin_api::read_repeat(call const& c, std::string_view body) {
  auto repeat = server::read_idempotency(c.req, operators);
  if (!repeat || !*repeat) return repeat;
  (*repeat)->body_digest = sha256(body);
  auto const scope = c.key == 0 ? c.user.name : fmt::format("{}\nrotate k{}", c.user.name, c.key);
  (*repeat)->key = to_hex(sha256(scope + "\n" + (*repeat)->key));
  return repeat;
}

/// Returns what is wrong with a name or a plan that a body has.
std::optional<error> admin_api::find_fault(std::optional<std::string> const& name,
                                           std::optional<std::string> const& plan) const {
  // Every list of keys would show it, and the audit log would keep it.
  if (name && mentions_api_key(*name)) return error{errc::invalid_request, "name must not look like an API key", {}};
  auto const plans = parts_.plans();
  if (plan && !is_plan(plans, *plan)) return error{errc::invalid_request, "plan must be one of " + names_of(plans), {}};
  return std::nullopt;
}

/// Changes the store. Every node follows when it reads the keys.
boost::asio::awaitable<result<key_change>> admin_api::change(call const& c, key_command command,
                                                             std::optional<ports::idempotency> repeat) {
  auto changing = parts_.store.change_keys(std::move(command), c.now, c.user.name, std::move(repeat));
  auto done = co_await std::move(changing);
  if (!done || done->replayed || done->unchanged) co_return done;
  parts_.log(server::severity::info, "admin_action",
             fmt::format("{} by {} from {}", done->entry.detail, c.user.name, server::address_text(c.req.peer)),
             server::log_origin{c.req});
  co_return done;
}

/// This node follows the change of a ban at once, so that the answer and the next request agree. When it reads the
/// keys, it changes nothing any more. If the ban has been changed again, it may have read that already, and leaves it.
admin_api::outcome admin_api::follow_ban(call const& c, key_change const& done) {
  bool const is_ban = done.entry.action == "ban";
  if (done.unchanged || (!is_ban && done.entry.action != "unban")) co_return result<void>{};
  auto reading = keys_.read();
  auto const keys = co_await std::move(reading);
  if (!keys) co_return keys.error();
  auto const* const stored = (*keys)->find(c.key);
  auto const& identity = done.identity;
  if (!stored || stored->identity.ban_changes != identity.ban_changes) co_return result<void>{};
  if (identity.unbanned_at)  // a shorter ban ends the earlier one
    parts_.quotas.lift_ban(identity.number, *identity.unbanned_at, parts_.clock());
  if (is_ban) parts_.quotas.impose_ban(identity.number, *identity.banned_until, parts_.clock());
  co_return result<void>{};
}

/// Answers with a new key, which is shown here and never again.
admin_api::outcome admin_api::answer_made(call const& c, key_change done, std::string secret) {
  auto made = keys_.make(*std::move(done.added), std::move(done.identity));
  if (done.replayed) {  // it may have been used since
    auto reading = keys_.read_last_use(made);
    auto const read = co_await std::move(reading);
    if (!read) co_return read.error();
    c.out.add("Idempotency-Replayed", "true");
  }
  c.out.status = 201;
  c.out.add("Location", fmt::format("{}/keys/{}", admin_path, key_id(made.key.number)));
  answer_key(c, made, [&](json_object& object) {
    if (!done.replayed) object.add("key", secret);
  });
  co_return result<void>{};
}

admin_api::outcome admin_api::answer_change(call const& c, key_command command) {
  auto changing = change(c, std::move(command));
  auto const done = co_await std::move(changing);
  if (!done) co_return done.error();
  auto following = follow_ban(c, *done);
  auto const followed = co_await std::move(following);
  if (!followed) co_return followed.error();
  auto answering = answer_key_as_it_is(c);
  co_return co_await std::move(answering);
}

admin_api::outcome admin_api::answer_key_as_it_is(call const& c) {
  auto finding = keys_.find(c.key);
  auto const found = co_await std::move(finding);
  if (!found) co_return found.error();
  auto looking = keys_.look_at_quota(*found);
  co_await std::move(looking);
  answer_key(c, *found);
  co_return result<void>{};
}

}  // namespace petstore::program
