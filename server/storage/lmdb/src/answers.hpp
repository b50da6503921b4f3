// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "pending_write.hpp"

namespace petstore::storage::lmdb {

/// Answers writes on their callers' executors, in this order. The writes of one executor share a handler; with one
/// handler for each write, the thread of the executor would be woken and its queue locked for each.
void answer(write_batch);

}  // namespace petstore::storage::lmdb
