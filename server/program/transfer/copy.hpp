// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/ports/store.hpp"
#include "transfer/transfer.hpp"

namespace petstore::program {

/// `petstore copy`: moves a shop from one store to another, of whatever kind: animals, categories and orders under
/// their ids, the ids that must not be given again, keys that go on working, and their audit log. Left behind are
/// answers kept for repetitions (Idempotency-Key) and consumed quotas. Given again after an interruption it goes on.
/// What changes in the source meanwhile may be missing, so nothing should serve it. Throws command_error.
void copy_command(ports::store& from, ports::store& to, transfer_streams);

}  // namespace petstore::program
