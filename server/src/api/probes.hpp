// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/server/readiness.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// `/livez` and `/readyz` on the public listener, for load balancers: no key, no charge, no rate-limit fields. They
/// exist only for callers on the same machine and for trusted proxies; for others they are unknown paths. `OPTIONS /`,
/// the default check of HAProxy, returns the same as `/readyz`, but only to trusted proxies: for the machine itself and
/// for others, that path does not exist.
///
/// Answers the request and returns true if it is such a probe. Any thread.
bool answer_probe(request const&, readiness const&, service_options const&, response&);

}  // namespace petstore::server
