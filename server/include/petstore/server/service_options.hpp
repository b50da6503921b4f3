// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "petstore/api_key.hpp"
#include "petstore/export.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/headers.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/pet.hpp"
#include "petstore/server/address_range.hpp"

namespace petstore::server {

class static_site;

/// The header field in which proxies give the address of their client.
enum class forwarding_field : std::uint8_t { x_forwarded_for, forwarded };

/// The options of a service. They are fixed while it runs, except those that `service::reconfigure` takes.
struct PETSTORE_EXPORT service_options {
  /// The environment whose keys are accepted: that of the store. An application asks its store.
  petstore::environment environment = petstore::environment::production;
  std::string base_path = "/v1";                         ///< starts with `/`, does not end with one
  std::string base_url = "http://127.0.0.1/v1";          ///< of production, for the OpenAPI document
  std::string staging_base_url = "http://127.0.0.1/v1";  ///< of staging
  std::string contact = {};  ///< of the operator, for the OpenAPI document: a URL or an e-mail address; empty: none
  limits::plan anonymous{limits::per_minute(60)};  ///< for anonymous callers, by address
  /// The tokens that a request of an operation takes of each quota, by the name of the operation; 1 for the others. Any
  /// name that `charged_operation_names` does not have is an error.
  std::map<std::string, limits::cost, std::less<>> costs;
  /// The requests of one identity that may be in flight at a time, on all threads of this process; 0: any number.
  std::uint32_t requests_in_flight_per_key = 0;
  /// Whether answers have RateLimit and RateLimit-Policy.
  limits::rate_limit_fields rate_limit_fields = limits::rate_limit_fields::draft11;
  std::optional<pet_status> default_status;  ///< of animals that are created without a status; nullopt: they get none
  bool require_known_category = false;     ///< whether an animal's category must exist; otherwise any number is allowed
  bool refuse_unknown_parameters = false;  ///< whether a list answers 400 to a query parameter that it does not know
  std::vector<std::string> cors_origins;   ///< empty: CORS is off; `*` alone: any origin
  std::vector<address_range> trusted_proxies;  ///< the proxies whose forwarding fields are believed
  forwarding_field forwarded_by = forwarding_field::x_forwarded_for;  ///< the field that the trusted proxies set
  /// Pages beside the operations. They need no key and are charged like the OpenAPI document; nullptr: none. Must
  /// outlive the service.
  static_site const* documentation = nullptr;
};

}  // namespace petstore::server
