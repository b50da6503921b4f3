// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <vector>

#include "petstore/error.hpp"
#include "write_transaction.hpp"

namespace petstore::storage::lmdb {

/// Whether a write may share its transaction with others, or must be able to abort it.
enum class batching : bool { shared, exclusive };

/// A write that waits for the writer, and then for the disk.
class pending_write {
 public:
  explicit pending_write(lmdb::batching wanted) noexcept : batching_(wanted) {}
  virtual ~pending_write() = default;

  /// Executes the write and stores the outcome. May be called again after an aborted transaction. Returns false if the
  /// transaction must not be committed (only for an exclusive write).
  virtual bool run(write_transaction&) = 0;
  virtual void fail(error const&) = 0;  ///< replaces the outcome

  /// The executor on which its caller waits.
  virtual boost::asio::any_io_executor executor() const = 0;
  virtual void answer() = 0;  ///< passes the outcome to its caller; the last call, on the executor

  lmdb::batching batching() const noexcept { return batching_; }

 private:
  lmdb::batching const batching_;
};

/// Writes in the order in which they came.
using write_batch = std::vector<std::unique_ptr<pending_write>>;

}  // namespace petstore::storage::lmdb
