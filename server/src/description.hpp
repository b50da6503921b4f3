// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "petstore/etag.hpp"
#include "petstore/server/service.hpp"

namespace petstore::server {

/// A document that is made once and served as it is.
struct page {
  std::string body;
  entity_tag tag;
};

/// The OpenAPI document of a service, with a tag made of its bytes.
page make_description(service_options const&);

}  // namespace petstore::server
