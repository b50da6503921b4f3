// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "source.hpp"

#include <boost/system/system_error.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "lease_client.hpp"
#include "petstore/limits/limiter_errc.hpp"
#include "quota_tables.hpp"

namespace petstore::quota {
namespace {

using limits::verdict;

/// How much longer `close` waits for its executor.
constexpr std::chrono::seconds executor_wait_max{2};

class shared_source final : public redis_quota {
 public:
  shared_source(redis_options options, std::unique_ptr<script_runner> runner)
      : quotas_(std::make_shared<quota_tables>(options)),
        client_(lease_client::open(std::move(options), std::move(runner), quotas_)) {}
  ~shared_source() override { close(); }

  /// The script counts one number of tokens for each short period, which is also the size of the bucket.
  void check(limits::plan const& plan) const override {
    quota_source::check(plan);
    if (plan.burst == 0) return;
    throw boost::system::system_error(std::error_code{limits::limiter_errc::burst_not_shared});
  }

  limits::account& account_of(std::uint64_t identity, limits::plan const& plan, std::uint64_t resets) override {
    check(plan);
    return quotas_->identities.account_of(shared_identity{identity, resets});
  }

  /// The account is found for each use, since one that `account_of` has not returned may be removed in between.
  ports::payer payer_of(std::uint64_t identity, limits::plan const& plan) override {
    check(plan);
    return {.kind = ports::payer::kind::identity, .identity = identity, .address = {}, .plan = plan};
  }

  ports::eventual<verdict> charge(ports::payer const& who, limits::cost tokens, limits::instant now) override {
    if (who.kind != ports::payer::kind::identity) check(who.plan);
    return with_quota_of(who, [&](shared_quota& q) { return client_->charge(q, who, tokens, now); });
  }

  ports::eventual<verdict> refund(ports::payer const& who, verdict const& charged, limits::instant now) override {
    if (who.account != nullptr) return client_->refund(quota_of(*who.account), who, charged, now);
    if (auto const known = find(who)) return client_->refund(**known, who, charged, now);
    // A quota that this node has forgotten takes nothing back, so it needs no place in a table.
    limits::account no_penalties;
    shared_quota forgotten({}, no_penalties, shared_quota::owner::identity);
    return client_->refund(forgotten, who, charged, now);
  }

  std::uint64_t mistaken_refunds() const noexcept override { return client_->mistaken_refunds(); }

  ports::eventual<verdict> charge_inquiry(ports::payer const& who, limits::instant now) override {
    // A caller without a key gets 401 instead of a quota, and pays for that like for any request.
    if (who.kind != ports::payer::kind::identity) return charge(who, 1, now);
    return with_quota_of(who, [&](shared_quota& q) {
      verdict const own = q.account.charge_inquiry(who.plan, now);
      return client_->look(q, who, now).then([own](verdict const& quotas) {
        verdict v = quotas;
        v.occasion = own.occasion;
        if (quotas.decision == limits::decision::banned) return v;  // the server may just have told of the ban
        v.decision = own.decision;
        v.blocked_for = own.blocked_for;
        return v;
      });
    });
  }

  verdict observe(ports::payer const& who, limits::instant now) override {
    if (who.account != nullptr) return client_->observe(quota_of(*who.account), who, now);
    auto const known = find(who);
    return known ? client_->observe(**known, who, now) : limits::account{}.observe(who.plan, now);
  }

  ports::eventual<verdict> look(ports::payer const& who, limits::instant now) override {
    if (who.kind != ports::payer::kind::identity) return observe(who, now);
    return with_quota_of(who, [&](shared_quota& q) { return client_->look(q, who, now); });
  }

  void impose_ban(std::uint64_t identity, limits::wall_time until, limits::instant now) override {
    client_->impose_ban(quotas_->identities.account_of(identity), until, now);
  }
  void lift_ban(std::uint64_t identity, limits::wall_time given_at, limits::instant) override {
    client_->pardon(quotas_->identities.account_of(identity).quota(), given_at);
  }

  ports::shared_quota_figures counters() const override { return client_->counters(); }
  void set_bans(limits::ban_policy const& bans) override { client_->set_bans(bans); }

  void close() override {
    if (is_closed_.exchange(true)) return;
    client_->leave().wait_for(client_->leave_max() + executor_wait_max);
  }

 private:
  /// Calls `use` with the quota that the payer is charged to, which exists until it returns.
  template <class Use>
  ports::eventual<verdict> with_quota_of(ports::payer const& who, Use const& use) {
    if (who.account != nullptr) return use(quota_of(*who.account));
    bool const is_identity = who.kind == ports::payer::kind::identity;
    quota::pin const found = is_identity ? quotas_->identities.pin(who.identity) : table_of(who).pin(who.address);
    return use(*found);
  }
  /// The quota of a payer without an account, if this node knows it.
  std::optional<quota::pin> find(ports::payer const& who) {
    bool const is_identity = who.kind == ports::payer::kind::identity;
    return is_identity ? quotas_->identities.find_and_pin(who.identity) : table_of(who).find_and_pin(who.address);
  }
  static shared_quota& quota_of(limits::account& account) { return static_cast<identity_account&>(account).quota(); }
  address_quotas& table_of(ports::payer const& who) {
    return who.kind == ports::payer::kind::keyless ? quotas_->keyless : quotas_->addresses;
  }

  std::shared_ptr<quota_tables> const quotas_;  // shared with the client
  std::shared_ptr<lease_client> const client_;  // shared with the calls under way
  std::atomic<bool> is_closed_{false};
};

}  // namespace

std::unique_ptr<redis_quota> open_shared_quota(redis_options options, std::unique_ptr<script_runner> runner) {
  if (!options.clock) options.clock = limits::now;
  options.report = ports::without_exceptions(std::move(options.report));
  return std::make_unique<shared_source>(std::move(options), std::move(runner));
}

}  // namespace petstore::quota
