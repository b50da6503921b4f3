// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "directory.hpp"
#include "pending_write.hpp"
#include "petstore/error.hpp"
#include "petstore/ports/report.hpp"
#include "readers.hpp"
#include "write_queue.hpp"

namespace petstore::storage::lmdb {

namespace asio = boost::asio;

/// The only thread that writes. It puts all queued writes into one transaction, waits for the disk once, and answers
/// them all (group commit).
///
///     [writing] --commit with unknown outcome--> [failed]      both --destructor--> [drained, joined]
///
/// A write that fails for lack of space, or because of a damaged record, is tried again alone, and so are the writes
/// that shared its transaction: only the write at fault fails. After an error that leaves unknown what is on disk,
/// nothing more is written: every write is unavailable until the process restarts.
///
/// Thread safety: any thread. Callers wait as coroutines; their executors must outlive the writer, or at least exist
/// until their writes are answered.
class writer {
 public:
  writer(database const&, reader_pool&, std::filesystem::path directory, waiting_limits const&, ports::report_function);
  ~writer();  ///< executes the queued writes

  /// Calls `operation` as result<T>(write_transaction&) on the writer's thread, maybe more than once. It must own the
  /// data that it needs.
  template <class T, class Operation>
  asio::awaitable<result<T>> run(Operation operation, batching wanted = batching::shared) {
    auto const queue_it = [this, wanted](auto handler, Operation op) {
      using typed = typed_write<T, Operation, decltype(handler)>;
      give(std::make_unique<typed>(wanted, std::move(op), std::move(handler)));
    };
    // A named object outside the co_await expression: g++ 12 destroys temporaries there twice.
    asio::use_awaitable_t<> const token;
    co_return co_await asio::async_initiate<asio::use_awaitable_t<> const, void(result<T>)>(queue_it, token,
                                                                                            std::move(operation));
  }

  ports::write_backlog backlog() const { return queue_.backlog(); }
  bool has_failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  /// True from the first write that found no space to the first one that succeeds while there is space.
  bool lacks_space() const noexcept { return lacks_space_.load(std::memory_order_acquire); }

 private:
  /// How often readers of dead processes are removed. Counted in transactions, since such a reader keeps each
  /// transaction from reusing pages.
  static constexpr unsigned transactions_per_reader_check = 64;

  template <class T, class Operation, class Handler>
  class typed_write;
  using batch = std::span<std::unique_ptr<pending_write>>;

  void give(std::unique_ptr<pending_write>);

  // Called on the writer's thread.
  void work();
  bool work_once() noexcept;
  void execute(batch);
  std::optional<error> attempt(batch);  ///< nullopt: committed, or aborted by an exclusive write
  std::optional<error> handle_failed_commit(int code);
  bool can_begin() const noexcept;
  void let_reads_continue();
  bool has_written(std::size_t transaction) const noexcept;
  bool there_is_space() const noexcept;
  void note_space(bool there_is_space, std::string_view detail);

  database const& database_;
  reader_pool& readers_;
  std::filesystem::path const directory_;
  file_descriptor const data_file_;
  ports::report_function const report_;

  std::atomic<bool> failed_{false};       ///< set by the writer's thread
  std::atomic<bool> lacks_space_{false};  ///< set by the writer's thread
  // Writer's thread only.
  unsigned transactions_since_reader_check_ = 0;
  std::chrono::nanoseconds last_commit_{};

  write_queue queue_;
  std::thread thread_;  ///< last, since it uses everything above
};

template <class T, class Operation, class Handler>
class writer::typed_write final : public pending_write {
 public:
  typed_write(lmdb::batching wanted, Operation operation, Handler handler)
      : pending_write(wanted),
        operation_(std::move(operation)),
        handler_(std::move(handler)),
        work_(asio::make_work_guard(asio::get_associated_executor(handler_))) {}

  bool run(write_transaction& t) override {
    outcome_.emplace(operation_(t));
    return batching() == batching::shared || outcome_->has_value();
  }

  void fail(error const& e) override { outcome_.emplace(e); }

  asio::any_io_executor executor() const override { return work_.get_executor(); }
  void answer() override { std::move(handler_)(std::move(*outcome_)); }

 private:
  Operation operation_;
  Handler handler_;
  asio::executor_work_guard<asio::associated_executor_t<Handler>> work_;  ///< keeps the caller's executor running
  std::optional<result<T>> outcome_;
};

}  // namespace petstore::storage::lmdb
