// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

#include "petstore/ports/quota_source.hpp"

namespace petstore::tests {

/// Quotas that are those of another source, except for what a test overrides.
class forwarding_quotas : public ports::quota_source {
 public:
  explicit forwarding_quotas(ports::quota_source& inner) : inner_{inner} {}

  void check(limits::plan const& plan) const override { inner_.check(plan); }
  limits::account& account_of(std::uint64_t identity, limits::plan const& plan, std::uint64_t resets) override {
    return inner_.account_of(identity, plan, resets);
  }
  ports::eventual<limits::verdict> charge(ports::payer const& who, limits::cost tokens, limits::instant now) override {
    return inner_.charge(who, tokens, now);
  }
  ports::eventual<limits::verdict> refund(ports::payer const& who, limits::verdict const& charged,
                                          limits::instant now) override {
    return inner_.refund(who, charged, now);
  }
  ports::eventual<limits::verdict> charge_inquiry(ports::payer const& who, limits::instant now) override {
    return inner_.charge_inquiry(who, now);
  }
  limits::verdict observe(ports::payer const& who, limits::instant now) override { return inner_.observe(who, now); }
  ports::eventual<limits::verdict> look(ports::payer const& who, limits::instant now) override {
    return inner_.look(who, now);
  }
  void impose_ban(std::uint64_t identity, limits::wall_time until, limits::instant now) override {
    inner_.impose_ban(identity, until, now);
  }
  void lift_ban(std::uint64_t identity, limits::wall_time given_at, limits::instant now) override {
    inner_.lift_ban(identity, given_at, now);
  }

 protected:
  ports::quota_source& inner_;
};

}  // namespace petstore::tests
