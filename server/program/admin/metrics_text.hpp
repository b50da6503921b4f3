// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "admin/figures.hpp"
#include "petstore/server/metrics.hpp"

namespace petstore::program {

/// The page for Prometheus: the requests, the figures, and the process's own (start, processor time, memory, files).
std::string metrics_text(server::metrics_reading const&, figures const&);

}  // namespace petstore::program
