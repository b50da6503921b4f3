// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace petstore::program {

/// Collects the lines of many threads; one thread writes them, many at a time. Each thread that makes lines has a
/// buffer of its own. Only the writer shares it, and locks it only for the time it takes to exchange the full buffer
/// for an empty one. So adding a line never waits for a write or for other threads that make lines. It makes no system
/// call, except for the few lines that wake the writer.
///
///     [asleep] --first line--> [writing] --> [pausing] --time, or a buffer at its high water--> [writing]
///                                  '--nothing to write--> [asleep]
///
/// The first line after a quiet time is written at once, others within a pause. When nothing can be written, a buffer
/// grows to `buffer_bytes_max`; then new lines are dropped and counted. The destructor writes the rest; no thread may
/// add lines any more by then.
class line_writer {
 public:
  /// Takes whole lines, on the writer's thread. It must not throw.
  using destination = std::function<void(std::string_view)>;

  static constexpr std::chrono::milliseconds usual_pause{100};
  static constexpr std::size_t high_water_bytes = 128 * 1024;
  static constexpr std::size_t buffer_bytes_max = 4 * 1024 * 1024;

  /// The lines of one thread; they are written in the order in which they were added.
  class buffer {
   public:
    explicit buffer(line_writer& writer) : writer_(writer) {}
    /// Adds a line with its line end. Only the thread that owns the buffer calls this.
    void add(std::string_view line) noexcept;
    /// Counts a line that could not be made.
    void count_dropped_line() noexcept { writer_.dropped_lines_.fetch_add(1, std::memory_order_relaxed); }

   private:
    friend class line_writer;
    line_writer& writer_;
    std::mutex mutex_;  ///< held for a copy of one line, or for an exchange of two pointers
    std::string lines_;
  };

  explicit line_writer(destination, std::chrono::milliseconds pause = usual_pause);
  ~line_writer();
  line_writer(line_writer const&) = delete;
  line_writer& operator=(line_writer const&) = delete;

  /// Any thread. The buffer lives as long as the writer.
  buffer& add_buffer();
  std::uint64_t dropped_lines() const noexcept { return dropped_lines_.load(std::memory_order_relaxed); }

 private:
  void run();
  bool write_all();
  void call();
  bool wait_for_call(std::chrono::milliseconds at_most);

  destination const destination_;
  std::chrono::milliseconds const pause_;
  std::atomic<std::uint64_t> dropped_lines_{0};

  /// The writer sets it before it checks the buffers for the last time and sleeps. A thread that adds a line after that
  /// check has locked the buffer's mutex after the writer did, so it sees the flag. Hence relaxed order is enough.
  std::atomic<bool> is_asleep_{false};

  std::mutex mutex_;
  std::condition_variable called_;
  bool is_called_ = false;                        ///< under mutex_
  bool is_ending_ = false;                        ///< under mutex_
  std::vector<std::unique_ptr<buffer>> buffers_;  ///< under mutex_; the buffers themselves are not

  // Only for the writer's thread.
  std::vector<buffer*> known_buffers_;
  std::string batch_;

  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace petstore::program
