// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "logging/line_sink.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace petstore::program {
namespace {

int open_for_appending(std::string const& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
}

}  // namespace

line_sink::line_sink(std::string path)
    : path_(std::move(path)), descriptor_(path_.empty() ? STDERR_FILENO : open_for_appending(path_)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), path_);
}

line_sink::~line_sink() {
  flush_();
  if (!path_.empty()) ::close(descriptor_);
}

bool line_sink::reopen() {
  std::lock_guard const lock(mutex_);
  if (path_.empty()) return true;
  flush_();
  int const fresh = open_for_appending(path_);
  if (fresh < 0) return false;
  ::close(descriptor_);
  descriptor_ = fresh;
  line_cut_ = false;
  return true;
}

void line_sink::sink_it_(spdlog::details::log_msg const& message) {
  // A line that follows a cut one starts afresh, so that one lost line never spoils its successor.
  if (line_cut_ && gathered_.empty()) gathered_ += '\n';
  gathered_.append(message.payload.data(), message.payload.size()) += '\n';
  if (gathered_.size() >= gathered_bytes_max) flush_();
}

void line_sink::flush_() {
  std::size_t written = 0;
  while (written < gathered_.size()) {
    auto const n = ::write(descriptor_, gathered_.data() + written, gathered_.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      failed_writes_.fetch_add(1, std::memory_order_relaxed);
      break;
    }
    written += static_cast<std::size_t>(n);
  }
  if (written > 0) line_cut_ = gathered_[written - 1] != '\n';
  gathered_.clear();
}

}  // namespace petstore::program
