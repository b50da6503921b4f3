// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <string_view>

#include "address_quotas.hpp"
#include "identity_quotas.hpp"
#include "petstore/quota/redis.hpp"
#include "quota_names.hpp"

namespace petstore::quota {

/// The shared quotas that a node knows: those of identities, those of addresses without a key, and those of addresses
/// for pages that need no key.
///
/// Thread safety: any thread.
struct quota_tables {
  explicit quota_tables(redis_options const& o)
      : identities(o.identities_max, quota_names::of_identities(o.environment)),
        addresses(o.addresses_max, quota_names::of_addresses(o.environment)),
        keyless(o.addresses_max, quota_names::of_keyless_pages(o.environment)) {}

  /// Visits the quota with this key on the server. Returns whether this node knows it.
  template <class Visit>
  bool visit(std::string_view key, Visit const& visit) {
    auto const visit_in = [&](auto& table) {
      auto const known = table.find_and_pin(key);
      if (known) visit(**known);
      return known.has_value();
    };
    return visit_in(identities) || visit_in(addresses) || visit_in(keyless);
  }

  identity_quotas identities;
  address_quotas addresses;
  address_quotas keyless;

  /// Visits the quotas of one part; false if there is no such part. Quotas added during a walk may be left out.
  template <class Visit>
  bool visit_part(std::size_t number, Visit const& visit) {
    for (address_quotas* const table : {&addresses, &keyless}) {
      if (number < address_quotas::parts) return table->visit_part(number, visit), true;
      number -= address_quotas::parts;
    }
    if (number >= identities.parts()) return false;
    identities.visit_part(number, visit);
    return true;
  }
};

}  // namespace petstore::quota
