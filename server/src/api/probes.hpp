// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/server/readiness.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// `/livez` and `/readyz` on the public listener, for load balancers: no key, no charge, no rate-limit fields. Only for
/// callers on the same machine and trusted proxies; to anybody else they are unknown paths. `OPTIONS /`, with which
/// HAProxy checks when it is told nothing else, asks what `/readyz` does, and only for trusted proxies: on the machine
/// itself it is a path that does not exist, as it is for everybody.
///
/// Answers and returns true when the request is such a probe. Any thread.
bool answer_probe(request const&, readiness const&, service_options const&, response&);

}  // namespace petstore::server
