// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "api/router.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// Cross-origin requests of browsers (the Fetch standard, "CORS protocol"). Off while no origin is configured: then
/// nothing here adds a field. One per service, made anew when the origins change; any thread.
class cors {
 public:
  explicit cors(service_options const&);

  /// Whether this asks on behalf of another request: such a one needs no key, because browsers send none with it.
  bool is_preflight(request const&) const noexcept;

  /// The answer to a preflight: what may follow. Where there is no such path every method may, so that the page sees
  /// the 404 itself.
  void answer_preflight(route const&, response&) const;

  /// The fields of every answer to a request that names its origin.
  void add_fields(request const&, response&) const;

 private:
  service_options const* options_;
  bool any_origin_;
  std::string allowed_fields_;
  std::string exposed_fields_;
};

}  // namespace petstore::server
