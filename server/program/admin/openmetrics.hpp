// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "petstore/server/metrics.hpp"

namespace petstore::program {

/// The format of the page with the metrics.
enum class metrics_format : std::uint8_t {
  prometheus,  ///< the text format of Prometheus, version 0.0.4
  openmetrics  ///< OpenMetrics 1.0, with exemplars
};

/// Turns a page in the text format of Prometheus (`metrics_text`) into OpenMetrics 1.0: a family of counters has a name
/// without `_total`, whole bounds of buckets have a fraction, and the text has an end. Buckets of the latency of an
/// operation, and its 5xx, have their exemplar with the id of the request.
std::string as_openmetrics(std::string_view page, std::span<server::operation_exemplars const>);

}  // namespace petstore::program
