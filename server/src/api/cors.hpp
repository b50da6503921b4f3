// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "api/router.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// Cross-origin requests of browsers (the Fetch standard, "CORS protocol"). Without a configured origin, CORS is off,
/// and nothing here adds a field. One for each service, replaced when the origins change; any thread.
class cors {
 public:
  explicit cors(service_options const&);

  /// Whether the request is a preflight. It needs no key, because browsers send none with it.
  bool is_preflight(request const&) const noexcept;

  /// Answers a preflight with what is allowed. For an unknown path every method is allowed, so that the page sees the
  /// 404 itself.
  void answer_preflight(route const&, response&) const;

  /// Adds the fields of every answer to a request with an Origin field.
  void add_fields(request const&, response&) const;

 private:
  service_options const* options_;
  bool any_origin_;
  std::string allowed_fields_;
  std::string exposed_fields_;
};

}  // namespace petstore::server
