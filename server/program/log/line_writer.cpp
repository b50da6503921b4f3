// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/line_writer.hpp"

#include <utility>

namespace petstore::program {
namespace {

/// A buffer keeps no more memory than this, so that it becomes small again after a stall.
constexpr std::size_t kept_bytes_max = 4 * line_writer::high_water_bytes;
/// A call wakes the writer, so this only has to be long.
constexpr std::chrono::hours asleep_at_most{24};

}  // namespace

line_writer::line_writer(destination d, std::chrono::milliseconds pause)
    : destination_(std::move(d)), pause_(pause), thread_([this] { run(); }) {}

line_writer::~line_writer() {
  {
    std::lock_guard const lock(mutex_);
    is_ending_ = true;
  }
  called_.notify_one();
  thread_.join();
  write_all();
}

line_writer::buffer& line_writer::add_buffer() {
  auto made = std::make_unique<buffer>(*this);
  std::lock_guard const lock(mutex_);
  return *buffers_.emplace_back(std::move(made));
}

void line_writer::call() {
  is_asleep_.store(false, std::memory_order_relaxed);  // one call is enough
  {
    std::lock_guard const lock(mutex_);
    is_called_ = true;
  }
  called_.notify_one();
}

void line_writer::run() {
  for (bool goes_on = true; goes_on;) {
    if (write_all()) {
      goes_on = wait_for_call(pause_);
      continue;
    }
    is_asleep_.store(true, std::memory_order_relaxed);
    if (!write_all()) goes_on = wait_for_call(asleep_at_most);
    is_asleep_.store(false, std::memory_order_relaxed);
  }
}

/// Returns false if there was nothing to write.
bool line_writer::write_all() {
  {
    std::lock_guard const lock(mutex_);
    for (auto i = known_buffers_.size(); i < buffers_.size(); ++i) known_buffers_.push_back(buffers_[i].get());
  }
  bool is_any = false;
  for (auto* const l : known_buffers_) {
    {
      std::lock_guard const lock(l->mutex_);
      std::swap(batch_, l->lines_);
    }
    if (batch_.size == 0) continue;
    is_any = true;
    destination_({batch_.memory.data(), batch_.size});
    batch_.size = 0;
    if (batch_.memory.size() > kept_bytes_max) batch_ = {};
  }
  return is_any;
}

/// Returns false if the writer has to end.
bool line_writer::wait_for_call(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  called_.wait_for(lock, at_most, [this] { return is_called_ || is_ending_; });
  is_called_ = false;
  return !is_ending_;
}

}  // namespace petstore::program
