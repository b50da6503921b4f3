// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/key_digester.hpp"
#include "petstore/key_record.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/router.hpp"
#include "petstore/server/service.hpp"

namespace petstore::server {

/// Who sent a request, and who pays for it.
struct caller {
  ports::payer payer;
  std::uint64_t key = 0;  ///< 0: no valid key
  std::uint64_t identity = 0;
  key_scope scope = key_scope::read;
  std::string plan_name;    ///< for who inquires; a copy, as the snapshot that owns it may be replaced meanwhile
  bool gave_token = false;  ///< an Authorization field with the Bearer scheme, whatever it held
};

/// What follows the scheme in `Authorization: Bearer <token>`, for is_well_formed_api_key to judge; nullopt when there
/// is no Bearer scheme, or nothing after it.
std::optional<std::string_view> parse_bearer(std::string_view authorization) noexcept;

/// Finds out who is calling. One per thread.
class access {
 public:
  access(service_options const&, key_registry const&);

  /// By the API key; without a valid one, by the address. Where no key is needed by the address too, which pays from a
  /// bucket of its own.
  caller identify(request const&, payment, limits::instant);
  /// Who pays where no key counts.
  ports::payer payer_of_address(request const&) const;

 private:
  key_entry const* find_key(std::string_view token, limits::instant);

  service_options const& options_;
  key_digester digester_;
  key_registry::reader keys_;
};

}  // namespace petstore::server
