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

/// Lines of many threads, written by one thread, many at a time. Each thread that makes lines has a buffer: memory that
/// only the writer shares with it, and only for as long as it takes to exchange a full buffer for an empty one. So
/// adding a line waits for no other thread that makes lines and for no write, and makes no system call, except for the
/// one in many that calls the writer.
///
///     [asleep] --first line--> [writing] --> [pausing] --time, or a buffer at its high water--> [writing]
///                                  '--nothing to write--> [asleep]
///
/// A line that follows a silence is written at once, others within a pause. A buffer that grows to `buffer_bytes_max`,
/// because nothing can be written, drops what comes then and counts it. The destructor writes what is left; nobody adds
/// lines any more by then.
class line_writer {
 public:
  /// Takes whole lines, on the writer's thread; must not throw.
  using destination = std::function<void(std::string_view)>;

  static constexpr std::chrono::milliseconds usual_pause{100};
  static constexpr std::size_t high_water_bytes = 128 * 1024;
  static constexpr std::size_t buffer_bytes_max = 4 * 1024 * 1024;

  /// The lines of one thread; they are written in the order in which they were added.
  class buffer {
   public:
    explicit buffer(line_writer& writer) : writer_(writer) {}
    /// A line with its end. Nothing but its buffer's thread calls this.
    void add(std::string_view line) noexcept;
    /// Of a line that could not even be made.
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

  /// From any thread. Lives as long as the writer.
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

  /// Set by the writer before it looks into the buffers for the last time and sleeps. Who adds a line after that look
  /// has locked the buffer's mutex after the writer did, so it sees this flag; hence no order of its own.
  std::atomic<bool> is_asleep_{false};

  std::mutex mutex_;
  std::condition_variable called_;
  bool is_called_ = false;                        ///< with mutex_
  bool is_ending_ = false;                        ///< with mutex_
  std::vector<std::unique_ptr<buffer>> buffers_;  ///< with mutex_; what they point to is not

  // The writer's own.
  std::vector<buffer*> known_buffers_;
  std::string batch_;

  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace petstore::program
