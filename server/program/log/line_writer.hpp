// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

namespace petstore::program {

/// Collects the lines of many threads; one thread writes them, many at a time. Each thread that makes lines has a
/// buffer of its own, and makes its lines there, so that no line is copied. Only the writer shares the buffer, and
/// locks it only for the time it takes to exchange the full memory for an empty one. So adding a line never waits for a
/// write or for other threads that make lines. It makes no system call, except for the few lines that wake the writer.
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

  /// Lines one after another, at the beginning of memory that grows.
  struct lines {
    std::vector<char> memory;
    std::size_t size = 0;

    char* end() noexcept { return memory.data() + size; }
    /// Makes space for so many more bytes; returns false if there would be too many.
    bool make_space(std::size_t bytes) {
      if (bytes <= memory.size() - size) return true;
      if (bytes > buffer_bytes_max - size) return false;
      memory.resize(std::min(buffer_bytes_max, std::max(2 * memory.size(), size + bytes)));
      return true;
    }
  };

  /// The lines of one thread; they are written in the order in which they were added.
  class buffer {
   public:
    explicit buffer(line_writer& writer) : writer_(writer) {}
    /// Adds a line with its line end. `write` gets the place for it, with space for `bytes_max`, and returns the line's
    /// end; if it throws, there is no line. Only the thread that owns the buffer calls this.
    template <class Write>
    void add(std::size_t bytes_max, Write&& write) noexcept try {
      bool reaches_high_water = false;
      {
        std::lock_guard const lock(mutex_);
        if (!lines_.make_space(bytes_max)) return count_dropped_line();
        bool const was_below = lines_.size < high_water_bytes;
        lines_.size = static_cast<std::size_t>(write(lines_.end()) - lines_.memory.data());
        reaches_high_water = was_below && lines_.size >= high_water_bytes;
      }
      if (reaches_high_water || writer_.is_asleep_.load(std::memory_order_relaxed)) writer_.call();
    } catch (std::exception const&) {
      count_dropped_line();  // out of memory: the line is lost, the request is not
    }
    void add(std::string_view line) noexcept {
      add(line.size(), [line](char* to) { return to + line.copy(to, line.size()); });
    }
    /// Counts a line that could not be made.
    void count_dropped_line() noexcept { writer_.dropped_lines_.fetch_add(1, std::memory_order_relaxed); }

   private:
    friend class line_writer;
    line_writer& writer_;
    std::mutex mutex_;  ///< held while one line is made, or for an exchange of two pointers
    line_writer::lines lines_;
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

  // Only the writer's thread uses these.
  std::vector<buffer*> known_buffers_;
  lines batch_;

  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace petstore::program
