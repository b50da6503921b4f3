// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "logging/line_sink.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace petstore::program {
namespace {

/// Opening a pipe without a reader fails instead of waiting for one; files on a disk know no O_NONBLOCK.
int open_for_appending(std::string const& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0640);
}

bool may_block(int descriptor) {
  struct stat what {};
  return ::fstat(descriptor, &what) != 0 || !S_ISREG(what.st_mode);
}

}  // namespace

line_sink::line_sink(std::string path)
    : path_(std::move(path)), descriptor_(path_.empty() ? STDERR_FILENO : open_for_appending(path_)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), path_);
  may_block_ = may_block(descriptor_);
}

line_sink::~line_sink() {
  flush_();
  if (!path_.empty()) ::close(descriptor_);
}

bool line_sink::reopen() {
  if (path_.empty()) return true;
  int const fresh = open_for_appending(path_);
  if (fresh < 0) return false;
  int const not_taken = fresh_descriptor_.exchange(fresh);
  if (not_taken >= 0) ::close(not_taken);
  return true;
}

void line_sink::sink_it_(spdlog::details::log_msg const& message) {
  take_fresh_descriptor();
  // A line that follows a cut one starts afresh, so that one lost line never spoils its successor.
  if (line_cut_ && gathered_.empty()) gathered_ += '\n';
  gathered_.append(message.payload.data(), message.payload.size()) += '\n';
  if (gathered_.size() >= gathered_bytes_max) write_gathered();
}

void line_sink::flush_() {
  take_fresh_descriptor();
  write_gathered();
}

/// What was gathered before still goes to the old file.
void line_sink::take_fresh_descriptor() {
  int const fresh = fresh_descriptor_.exchange(-1);
  if (fresh < 0) return;
  write_gathered();
  ::close(descriptor_);
  descriptor_ = fresh;
  may_block_ = may_block(fresh);
  stuck_ = false;
  line_cut_ = false;
}

void line_sink::write_gathered() {
  std::size_t written = 0;
  while (written < gathered_.size()) {
    auto const left = gathered_.size() - written;
    if (may_block_ && !wait_until_writable()) {
      failed_writes_.fetch_add(1, std::memory_order_relaxed);
      break;
    }
    // A pipe that is writable takes this much without blocking.
    auto const n =
        ::write(descriptor_, gathered_.data() + written, may_block_ ? std::min<std::size_t>(left, PIPE_BUF) : left);
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

/// The wait happens once: with it before every line, a queue of lines would hold up the end of the process for long.
bool line_sink::wait_until_writable() {
  pollfd waiting{descriptor_, POLLOUT, 0};
  int ready = -1;
  do {
    ready = ::poll(&waiting, 1, stuck_ ? 0 : static_cast<int>(patience.count()));
  } while (ready < 0 && errno == EINTR);
  stuck_ = ready == 0;
  return !stuck_;
}

}  // namespace petstore::program
