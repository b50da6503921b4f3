// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <memory>

#include "access/access.hpp"
#include "api/router.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/order.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/description.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"
#include "petstore/server/service_options.hpp"

namespace petstore::server {

/// The step that a request is in; if something is thrown, the one that failed.
enum class request_step { identify, charge, answer };

/// One request on its way through the service: the request, what is known about it so far, and its answer. It is not
/// moved until the request is answered, even while the request waits.
struct exchange {
  exchange(request const& asked, response& answer, limits::instant at, service_options const& o, ports::store& s,
           std::shared_ptr<page const> const& document)
      : req{asked}, out{answer}, arrived{at}, now{at}, options{o}, store{s}, description{document} {}

  request const& req;
  response& out;
  limits::instant const arrived;
  limits::instant now;  ///< the time of the decisions: later than `arrived` if the key check had to wait

  service_options const& options;
  ports::store& store;
  /// The OpenAPI document; another one may replace it while the request waits.
  std::shared_ptr<page const> const& description;

  route where = {};
  bool is_preflight = false;
  request_step step = request_step::identify;
  bool is_refused = false;     ///< the answer is an error already
  bool is_store_call = false;  ///< its handler was called, and is one that works with the store
  std::chrono::nanoseconds quota_wait{0};
  server::caller caller;
  limits::verdict verdict = {};

  server::payment payment() const noexcept {
    if (where.operation) return where.operation->payment;
    if (is_preflight) return payment::keyless;
    if (!where.may_exist() || !where.resource->keyless() || req.method == method::options) return payment::token;
    return where.resource->of(method::get)->payment;
  }

  unix_ms now_ms() const { return std::chrono::time_point_cast<std::chrono::milliseconds>(now.wall); }
};

}  // namespace petstore::server
