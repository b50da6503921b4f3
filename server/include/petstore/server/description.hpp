// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "petstore/etag.hpp"
#include "petstore/export.hpp"

namespace petstore::server {

struct service_options;

/// A document that is made once and served as it is. Never changed, so all services of a process share one.
struct PETSTORE_EXPORT page {
  std::string body;  ///< as it is sent
  entity_tag tag;    ///< of the body
};

/// The OpenAPI 3.1 document as it is served, active server first.
PETSTORE_EXPORT std::string openapi_document(service_options const&);

/// The same with a tag made of its bytes.
PETSTORE_EXPORT page make_description(service_options const&);

}  // namespace petstore::server
