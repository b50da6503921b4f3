// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "pending_write.hpp"

namespace petstore::storage::lmdb {

/// Answers writes on the executors where their callers wait, in this order. Those of one executor share a handler: with
/// one for each, the thread of that executor would be woken and its queue locked for every write.
void answer(write_batch);

}  // namespace petstore::storage::lmdb
