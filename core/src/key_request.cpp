// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_request.hpp"

#include <string_view>
#include <utility>

#include "petstore/limits/plan.hpp"

namespace petstore {
namespace {

constexpr std::chrono::seconds grace_default = std::chrono::hours{24};

/// Checks numbers, and collects what is wrong with them.
class ranges {
 public:
  /// Returns the number in the type of its record; the minimum after a fault.
  template <class To>
  To take(std::string_view name, std::int64_t number, std::int64_t min, std::int64_t max) {
    if (number < min || number > max) {
      if (!faults_.empty()) faults_ += "; ";
      faults_.append(name) += " must be from " + std::to_string(min) + " to " + std::to_string(max);
      return static_cast<To>(min);
    }
    return static_cast<To>(number);
  }
  std::optional<std::uint32_t> take_per_minute(std::optional<std::int64_t> number) {
    if (!number) return std::nullopt;
    return take<std::uint32_t>("perMinute", *number, 1, limits::short_tokens_max);
  }
  std::optional<std::uint64_t> take_per_day(std::optional<std::int64_t> number) {
    if (!number) return std::nullopt;
    return take<std::uint64_t>("perDay", *number, 1, static_cast<std::int64_t>(limits::long_tokens_max));
  }

  template <class Command>
  result<Command> finish(Command command) {
    if (!faults_.empty()) return error{errc::invalid_request, std::move(faults_), {}};
    return command;
  }

 private:
  std::string faults_;
};

}  // namespace

result<create_key> to_command(new_key body) {
  ranges in;
  create_key command;
  command.name = std::move(body.name);
  command.plan = std::move(body.plan);
  command.per_minute = in.take_per_minute(body.per_minute);
  command.per_day = in.take_per_day(body.per_day);
  command.scope = body.scope.value_or(key_scope::write);
  command.expires_at = body.expires_at;
  return in.finish(std::move(command));
}

result<update_key> to_command(key_patch body, std::uint64_t number, etag_condition condition) {
  ranges in;
  update_key command;
  command.number = number;
  command.name = std::move(body.name);
  command.plan = std::move(body.plan);
  if (body.per_minute) command.per_minute = in.take_per_minute(*body.per_minute);
  if (body.per_day) command.per_day = in.take_per_day(*body.per_day);
  command.scope = body.scope;
  command.expires_at = body.expires_at;
  command.condition = std::move(condition);
  return in.finish(std::move(command));
}

result<rotate_key> to_command(key_rotation const& body, std::uint64_t number, unix_ms now) {
  ranges in;
  rotate_key command;
  command.number = number;
  auto const grace = body.grace.value_or(grace_default.count());
  command.old_expires_at = now + std::chrono::seconds{in.take<std::int64_t>("grace", grace, 0, key_period_max.count())};
  return in.finish(std::move(command));
}

result<ban_identity> to_command(key_ban const& body, std::uint64_t number, unix_ms now) {
  ranges in;
  auto const seconds = in.take<std::int64_t>("seconds", body.seconds, 1, key_period_max.count());
  return in.finish(ban_identity{number, now + std::chrono::seconds{seconds}});
}

}  // namespace petstore
