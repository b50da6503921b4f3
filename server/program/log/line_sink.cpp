// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/line_sink.hpp"

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

/// With O_NONBLOCK, opening a pipe without a reader fails instead of waiting for a reader. It changes nothing for files
/// on a disk.
int open_for_appending(std::string const& path) {
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0640);
}

/// The standard stream of that name, or -1.
int standard_stream(std::string_view path) {
  if (path.empty() || path == "stderr") return STDERR_FILENO;
  return path == "stdout" ? STDOUT_FILENO : -1;
}

bool may_block(int descriptor) {
  struct stat what {};
  return ::fstat(descriptor, &what) != 0 || !S_ISREG(what.st_mode);
}

/// Returns the part of the lines that a writable pipe takes without blocking and without mixing it with the output of
/// other processes.
std::string_view piece_for_pipe(std::string_view lines) {
  if (lines.size() <= PIPE_BUF) return lines;
  auto const piece = lines.substr(0, PIPE_BUF);
  auto const end = piece.rfind('\n');
  return end == std::string_view::npos ? piece : piece.substr(0, end + 1);
}

}  // namespace

line_sink::line_sink(std::string const& path)
    : path_(standard_stream(path) >= 0 ? std::string() : path),
      descriptor_(path_.empty() ? standard_stream(path) : open_for_appending(path_)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), path_);
  may_block_ = may_block(descriptor_);
}

line_sink::~line_sink() {
  take_fresh_descriptor();
  if (!path_.empty()) ::close(descriptor_);
}

void line_sink::write(std::string_view lines) noexcept {
  std::lock_guard const lock(mutex_);
  write_or_lose(lines);
}

void line_sink::sink_it_(spdlog::details::log_msg const& message) {
  line_.assign(message.payload.data(), message.payload.size()) += '\n';
  write_or_lose(line_);
}

bool line_sink::reopen() {
  if (path_.empty()) return true;
  int const fresh = open_for_appending(path_);
  if (fresh < 0) return false;
  int const not_taken = fresh_descriptor_.exchange(fresh);
  if (not_taken >= 0) ::close(not_taken);
  // If a thread writes now, it takes the descriptor before its next line.
  if (std::unique_lock const lock(mutex_, std::try_to_lock); lock) take_fresh_descriptor();
  return true;
}

void line_sink::take_fresh_descriptor() {
  int const fresh = fresh_descriptor_.exchange(-1);
  if (fresh < 0) return;
  ::close(descriptor_);
  descriptor_ = fresh;
  may_block_ = may_block(fresh);
  stuck_ = false;
  line_cut_ = false;
}

void line_sink::write_or_lose(std::string_view lines) noexcept {
  take_fresh_descriptor();
  // After a line that was cut off, the next one begins on a new line, so that both do not become one.
  bool const can_begin = !line_cut_ || write_some("\n") != 0;
  while (!lines.empty()) {
    auto const n = can_begin ? write_some(lines) : 0;
    if (n == 0) {
      failed_writes_.fetch_add(1, std::memory_order_relaxed);
      lost_lines_.fetch_add(static_cast<std::uint64_t>(std::ranges::count(lines, '\n')), std::memory_order_relaxed);
      return;
    }
    line_cut_ = lines[n - 1] != '\n';
    lines.remove_prefix(n);
  }
}

/// Returns how much was written; 0 if nothing can be written.
std::size_t line_sink::write_some(std::string_view bytes) noexcept {
  if (may_block_) {
    if (!wait_until_writable()) return 0;
    bytes = piece_for_pipe(bytes);
  }
  ssize_t n = -1;
  do {
    n = ::write(descriptor_, bytes.data(), bytes.size());
  } while (n < 0 && errno == EINTR);
  return n < 0 ? 0 : static_cast<std::size_t>(n);
}

/// It waits only once. With a wait before every line, a full queue of lines would delay the end of the process for
/// long.
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
