// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "admin/figures.hpp"
#include "petstore/server/metrics.hpp"

namespace petstore::program {

/// Makes the page for Prometheus: figures of requests, `figures`, and those of the process (start, processor time,
/// memory, files).
std::string metrics_text(server::metrics_reading const&, figures const&);

/// The tables of docs/metrics.md: every family that the page may have, by section.
std::string metrics_as_markdown();

}  // namespace petstore::program
