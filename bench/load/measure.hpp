// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What a command measures, from finding the targets to the last report.
#pragma once

#include "flags.hpp"
#include "streams.hpp"

namespace petstore::load {

/// One run, or, with --find-capacity, as many as it takes.
exit_code measure(intention, run_flags const&, streams);

}  // namespace petstore::load
