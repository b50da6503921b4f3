// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "petstore/etag.hpp"
#include "petstore/export.hpp"

namespace petstore::server {

struct service_options;

/// A document that is made once and served unchanged. It is immutable, so all services of a process share one.
struct PETSTORE_EXPORT page {
  std::string body;  ///< as it is sent
  entity_tag tag;    ///< of the body
};

/// Returns the OpenAPI 3.1 document to serve, with the active server first, and with the costs of operations. Throws
/// std::invalid_argument if `service_options::costs` names no operation that takes tokens.
[[nodiscard]] PETSTORE_EXPORT std::string openapi_document(service_options const&);

/// The same, with an entity tag made of its bytes.
[[nodiscard]] PETSTORE_EXPORT page make_description(service_options const&);

}  // namespace petstore::server
