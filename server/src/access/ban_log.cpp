// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/ban_log.hpp"

#include <chrono>
#include <utility>

#include "access/page_bucket.hpp"
#include "net/address.hpp"
#include "petstore/key_record.hpp"

namespace petstore::server {
namespace {

std::string name_of(ports::payer const& who, std::uint64_t key) {
  return key != 0 ? key_id(key) : address_text(client_of(who.address).bytes);
}

}  // namespace

ban_log::ban_log(ports::quota_source& quotas, log_function log) : quotas_{quotas}, log_{std::move(log)} {}

void ban_log::begin(ports::payer const& who, std::uint64_t key, limits::verdict const& verdict,
                    log_origin const& origin) {
  std::string name = name_of(who, key);
  auto const seconds = std::chrono::ceil<std::chrono::seconds>(verdict.blocked_for).count();
  log_(severity::warning, "ban_begun",
       name + " is banned for " + std::to_string(seconds) + " s, because it went on after refusals", origin);
  std::lock_guard const lock{mutex_};
  if (followed_.size() < followed_max)
    followed_.push_back({who, std::move(name), verdict.at.boot + verdict.blocked_for});
}

void ban_log::write_ended(limits::instant now) {
  std::vector<std::string> ended;
  {
    std::lock_guard const lock{mutex_};
    std::erase_if(followed_, [&](ban& each) {
      // Not all addresses are remembered, and their bans cannot be lifted, so the time decides.
      bool const is_key = each.who.kind == ports::payer::kind::identity;
      bool const holds =
          is_key ? quotas_.observe(each.who, now).decision == limits::decision::banned : now.boot < each.until;
      if (holds) return false;
      ended.push_back(std::move(each.name));
      return true;
    });
  }
  for (auto const& name : ended) log_(severity::info, "ban_ended", name + " is not banned any more", {});
}

}  // namespace petstore::server
