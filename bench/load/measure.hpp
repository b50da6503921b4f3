// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The measurement of a command, from resolving the targets to the last report.
#pragma once

#include "flags.hpp"
#include "streams.hpp"

namespace petstore::load {

/// Plays one run, or, with --find-capacity, as many runs as the search needs.
exit_code measure(intention, run_flags const&, streams);

}  // namespace petstore::load
