// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>

#include "petstore/ports/store.hpp"
#include "transfer/transfer.hpp"

namespace petstore::program {

/// `petstore copy`: copies all data from one store to another, of whatever kind: animals, categories and orders with
/// their ids, the ids that must not be given again, keys, which stay valid, and their audit log. It does not copy the
/// answers kept for repeated requests (Idempotency-Key) and the used quotas. After an interruption, the same command
/// continues. Changes in the source during the copy may be missing, so no server should use it. Throws command_error,
/// also if a key or an entry of the audit log cannot be read, before anything is copied: `source_is_damaged` is true
/// when the source has reported damage, which it leaves out.
void copy_command(ports::store& from, ports::store& to, std::atomic<bool> const& source_is_damaged, streams);

}  // namespace petstore::program
