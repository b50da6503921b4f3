// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "writer.hpp"

#include <signal.h>

#include <cerrno>
#include <chrono>

#include "answers.hpp"
#include "free_space.hpp"
#include "open.hpp"

namespace petstore::storage::lmdb {
namespace {

/// Signals are for the threads of the program that expects them.
std::thread start_without_signals(auto function) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread started(std::move(function));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

error unavailable(std::string cause) {
  return {.code = errc::unavailable, .message = {}, .cause = std::move(cause)};
}

}  // namespace

writer::writer(database const& d, reader_pool& readers, std::filesystem::path directory, waiting_limits const& limits,
               ports::report_function report)
    : database_(d),
      readers_(readers),
      directory_(std::move(directory)),
      data_file_(open_data_file(directory_)),
      report_(std::move(report)),
      queue_(limits),
      thread_(start_without_signals([this] { work(); })) {}

writer::~writer() {
  queue_.close();
  thread_.join();
}

void writer::give(std::unique_ptr<pending_write> w) {
  if (queue_.give(w, write_queue::clock::now())) return;
  w->fail({.code = errc::unavailable,
           .message = "Too many writes are waiting; Retry-After says when to try again.",
           .cause = "too many writes are waiting"});
  write_batch refused;
  refused.push_back(std::move(w));
  answer(std::move(refused));
}

void writer::work() {
  while (work_once()) {
  }
}

/// Returns false when the queue is closed and empty. The callers of a batch for which there was no memory are released
/// without an answer.
bool writer::work_once() noexcept try {
  auto writes = queue_.take(last_commit_);
  if (writes.empty()) return false;
  auto const begin = write_queue::clock::now();
  execute(writes);
  last_commit_ = write_queue::clock::now() - begin;
  readers_.park_outdated();
  answer(std::move(writes));
  return true;
} catch (std::exception const& e) {
  report_("handler_failed", e.what());
  return true;
}

void writer::execute(batch writes) {
  auto const fault = attempt(writes);
  if (!fault) return;
  if (writes.size() == 1 || has_failed()) {
    for (auto& w : writes) w->fail(*fault);
    return;
  }
  for (std::size_t i = 0; i < writes.size(); ++i) execute(writes.subspan(i, 1));
}

std::optional<error> writer::attempt(batch writes) {
  if (has_failed()) return unavailable("the disk failed before; restart when it is repaired");
  if (++transactions_since_reader_check_ >= transactions_per_reader_check) {
    transactions_since_reader_check_ = 0;
    database_.clear_dead_readers();
  }
  try {
    write_transaction t(database_);
    auto const id = t.id();
    for (auto& w : writes)
      if (!w->run(t)) return std::nullopt;
    if (int const code = t.commit(); code == MDB_MAP_FULL) {
      throw mdb_fault(code, "commit");  // detected before anything was written
    } else if (code != MDB_SUCCESS) {
      return handle_failed_commit(code);
    }
    if (lacks_space() && has_written(id) && there_is_space()) note_space(true, "writes succeed again");
    return std::nullopt;
  } catch (mdb_fault const& f) {
    // Freeing the pages that a dead reader pinned may be enough.
    if (f.code() == MDB_MAP_FULL && database_.clear_dead_readers()) return attempt(writes);
    auto fault = describe_fault(f);
    if (is_damage(f.code()) && writes.size() == 1) report_("store_damaged", fault.cause);
    // Of several writes, each is tried again alone, and may find space.
    if (is_lack_of_space(f.code()) && writes.size() == 1)
      note_space(false, fault.cause + describe_long_reader(database_));
    return fault;
  } catch (damaged_record const& f) {
    if (writes.size() == 1) report_("store_damaged", f.what());  // of several, each is tried again alone
    return describe_fault(f);
  } catch (std::exception const& e) {
    return error{.code = errc::internal, .message = {}, .cause = e.what()};
  }
}

std::optional<error> writer::handle_failed_commit(int code) {
  mdb_fault const f(code, "commit");
  bool const harmless = is_lack_of_space(code) || (code == EIO && is_short_write(directory_, data_file_));
  // If LMDB could not even write the page that names the valid state, it begins no transaction any more.
  bool const begins = can_begin();
  if (!begins) let_reads_continue();
  if (harmless && begins) {
    note_space(false, f.what());
    return unavailable(f.what());
  }
  failed_.store(true, std::memory_order_release);
  report_("store_failed",
          std::string{f.what()} +
              "; what was being written may or may not be on disk, and nothing more is written until a restart");
  return error{.code = errc::internal, .message = {}, .cause = std::string{"the outcome is unknown: "} + f.what()};
}

/// LMDB then refuses readers, too. A reader without LMDB's locking is not affected by the fault, and reads the state
/// before: LMDB has restored its head page. This process writes nothing more, so it changes no page under a reader; a
/// tool would have to commit twice during one look-up.
void writer::let_reads_continue() {
  try {
    readers_.move_to(open_without_lock(directory_));
  } catch (std::exception const& e) {
    report_("store_failed", std::string{"nothing can be read any more either: "} + e.what());
  }
}

bool writer::can_begin() const noexcept {
  MDB_txn* probe = nullptr;
  if (mdb_txn_begin(database_.handle(), nullptr, 0, &probe) != MDB_SUCCESS) return false;
  mdb_txn_abort(probe);
  return true;
}

/// If all writes were refused, or changed nothing, LMDB commits the transaction without writing to the disk.
bool writer::has_written(std::size_t transaction) const noexcept {
  MDB_envinfo info;
  return mdb_env_info(database_.handle(), &info) == MDB_SUCCESS && info.me_last_txnid >= transaction;
}

/// A small write may fit when the next one does not. Without this check, a nearly full store would be reported as
/// recovered after every other write.
bool writer::there_is_space() const noexcept try {
  return !is_nearly_full(directory_) && has_space_again(database_);
} catch (std::exception const&) {  // the writes are on disk all the same
  return false;
}

void writer::note_space(bool there_is_space, std::string_view detail) {
  if (lacks_space() == !there_is_space) return;
  lacks_space_.store(!there_is_space, std::memory_order_release);
  report_(there_is_space ? "store_recovered" : "store_full", detail);
}

}  // namespace petstore::storage::lmdb
