// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "directory.hpp"
#include "pending_write.hpp"
#include "petstore/error.hpp"
#include "readers.hpp"
#include "write_queue.hpp"

namespace petstore::storage::lmdb {

namespace asio = boost::asio;

/// The one thread that writes. It puts everything that has queued up into one transaction, waits for the disk once, and
/// answers them all (group commit).
///
///     [writing] --commit with unknown outcome--> [failed]      both --destructor--> [drained, joined]
///
/// A write that cannot be done for want of room, or that meets a damaged record, is tried again by itself, as are those
/// that shared its transaction: it fails alone. After an error that leaves open what is on disk, nothing more is
/// written: every write is unavailable until the process starts anew.
///
/// Thread safety: any thread. Callers wait as coroutines; their executors must outlive the writer or at least hold out
/// until what they asked for is answered.
class writer {
 public:
  using report_function = std::function<void(std::string_view event, std::string_view detail)>;

  writer(environment const&, reader_pool&, std::filesystem::path directory, waiting_limits const&, report_function);
  ~writer();  ///< does what has queued up

  /// `operation` is called as result<T>(write_transaction&) on the writer's thread, perhaps more than once. It owns
  /// what it needs.
  template <class T, class Operation>
  asio::awaitable<result<T>> run(Operation operation, batching c = batching::shared) {
    auto const queue_it = [this, c](auto handler, Operation op) {
      using typed = typed_write<T, Operation, decltype(handler)>;
      give(std::make_unique<typed>(c, std::move(op), std::move(handler)));
    };
    // Named, and not written into the co_await expression: g++ 12 destroys temporaries there twice.
    asio::use_awaitable_t<> const token;
    co_return co_await asio::async_initiate<asio::use_awaitable_t<> const, void(result<T>)>(queue_it, token,
                                                                                            std::move(operation));
  }

  ports::write_backlog backlog() const { return queue_.backlog(); }
  bool has_failed() const noexcept { return failed_.load(std::memory_order_acquire); }
  /// From the first write that found no room to one that succeeds while there is some.
  bool lacks_room() const noexcept { return lacks_room_.load(std::memory_order_acquire); }

 private:
  /// How often readers of processes that died are looked for. Counted in transactions, since what such a reader costs
  /// is the pages that each of them cannot reuse.
  static constexpr unsigned transactions_per_reader_check = 64;

  template <class T, class Operation, class Handler>
  class typed_write;
  using batch = std::span<std::unique_ptr<pending_write>>;

  void give(std::unique_ptr<pending_write>);

  // On the writer's thread.
  void work();
  void execute(batch);
  std::optional<error> attempt(batch);  ///< nullopt: committed, or given up as one that is alone wanted
  std::optional<error> judge_failed_commit(int code);
  bool can_begin() const noexcept;
  void let_reads_go_on();
  bool has_written(std::size_t transaction) const noexcept;
  bool there_is_room() const;
  void note_room(bool there_is_room, std::string_view detail);

  environment const& environment_;
  reader_pool& readers_;
  std::filesystem::path const directory_;
  file_descriptor const data_file_;
  report_function const report_;

  std::atomic<bool> failed_{false};               ///< set by the writer's thread
  std::atomic<bool> lacks_room_{false};           ///< the same
  unsigned transactions_since_reader_check_ = 0;  ///< writer's thread only

  write_queue queue_;
  std::thread thread_;  ///< last: it uses everything above
};

template <class T, class Operation, class Handler>
class writer::typed_write final : public pending_write {
 public:
  typed_write(lmdb::batching c, Operation operation, Handler handler)
      : pending_write(c),
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
