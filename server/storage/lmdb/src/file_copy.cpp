// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "file_copy.hpp"

#include <fcntl.h>
#include <lmdb.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "page_check.hpp"
#include "petstore/disk/sync.hpp"
#include "petstore/storage/lmdb_maintenance.hpp"

namespace petstore::storage::lmdb {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(fs::path const& what, std::string const& cause) {
  throw maintenance_error("'" + what.string() + "' " + cause);
}
[[noreturn]] void fail(fs::path const& what, std::string const& doing, int code) {
  fail(what, doing + ": " + std::generic_category().message(code));
}

file_descriptor create(fs::path const& path) {
  file_descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.get() < 0) fail(path, "cannot be created", errno);
  return file;
}

/// Returns the number of bytes; 0 at the end.
std::size_t read_some(file_descriptor const& from, fs::path const& path, std::span<char> into) {
  for (;;) {
    auto const n = ::read(from.get(), into.data(), into.size());
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) fail(path, "cannot be read", errno);
  }
}

void write_all(file_descriptor const& to, fs::path const& path, std::span<char const> bytes) {
  while (!bytes.empty()) {
    auto const n = ::write(to.get(), bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) fail(path, "cannot be written", errno);
    if (n > 0) bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

/// Returns the number of bytes; 0 at the end.
std::size_t read_piece(file_descriptor const& from, fs::path const& path, off_t at, std::span<char> into) {
  for (;;) {
    auto const n = ::pread(from.get(), into.data(), into.size(), at);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) fail(path, "cannot be read", errno);
  }
}

void write_piece(file_descriptor const& to, fs::path const& path, off_t at, std::span<char const> bytes) {
  while (!bytes.empty()) {
    auto const n = ::pwrite(to.get(), bytes.data(), bytes.size(), at);
    if (n < 0 && errno != EINTR) fail(path, "cannot be written", errno);
    if (n <= 0) continue;
    at += n;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

constexpr std::size_t piece_bytes = std::size_t{256} << 10;

void pump(file_descriptor const& from, file_descriptor const& to, fs::path const& path,
          std::function<void()> const& pause) {
  std::vector<char> piece(piece_bytes);
  while (auto const size = read_some(from, path, piece)) {
    write_all(to, path, std::span{piece}.first(size));
    pause();
  }
}

/// Makes the copy equal to a file of at least its size. Writes only the pieces that differ.
void bring_up_to_date(file_descriptor const& from, fs::path const& from_path, file_descriptor const& copy,
                      fs::path const& to) {
  std::vector<char> piece(piece_bytes);
  std::vector<char> before(piece_bytes);
  off_t at = 0;
  while (auto const size = read_piece(from, from_path, at, piece)) {
    auto const wanted = std::span{piece}.first(size);
    auto const found = std::span{before}.first(read_piece(copy, to, at, std::span{before}.first(size)));
    if (!std::ranges::equal(wanted, found)) write_piece(copy, to, at, wanted);
    at += static_cast<off_t>(size);
  }
}

/// LMDB writes its copy into a pipe, since closing the reading end is the only way to end a copy early. (LMDB prevents
/// the SIGPIPE.)
class piped_copy {
 public:
  explicit piped_copy(MDB_env* e) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw maintenance_error("no pipe can be made");
    read_end_ = file_descriptor(ends[0]);
    thread_ = std::thread([this, e, write_end = ends[1]] {
      file_descriptor const closes(write_end);
      code_ = mdb_env_copyfd2(e, closes.get(), MDB_CP_COMPACT);
    });
  }
  ~piped_copy() { finish(); }

  file_descriptor const& read_end() const noexcept { return read_end_; }

  /// Returns LMDB's code.
  int finish() {
    read_end_ = file_descriptor();
    if (thread_.joinable()) thread_.join();
    return code_;
  }

 private:
  file_descriptor read_end_;
  int code_ = 0;
  std::thread thread_;
};

}  // namespace

void copy_database(MDB_env* e, fs::path const& to, std::function<void()> const& pause) {
  auto const file = create(to);
  piped_copy copy(e);
  pump(copy.read_end(), file, to, pause);
  if (int const code = copy.finish(); code != 0)
    fail(to, std::string{"is not complete: the pages of the store do not add up: "} + mdb_strerror(code));
}

void copy_unlocked_database(fs::path const& from, fs::path const& to) {
  // The pages of a state are not reused before the next commit but one. So the copy is consistent if at most one commit
  // happened while copying. The head pages are those from before it. The first attempt may be slow, because it writes
  // the whole file; the next ones write only what has changed since.
  constexpr int attempts = 20;
  file_descriptor const source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.get() < 0) fail(from, "cannot be read", errno);
  auto const copy = create(to);
  for (int i = 0; i < attempts; ++i) {
    auto const head = read_head(source);
    if (read_head(source).bytes != head.bytes) continue;  // a commit is writing it: the first may be half of it
    bring_up_to_date(source, from, copy, to);
    if (read_head(source).transaction > head.transaction + 1) continue;
    write_piece(copy, to, 0, head.bytes);
    auto const refuse = [&](std::string const& fault) { fail(from, "is damaged: " + fault); };
    check_pages(copy, contents_kind::records, head.transaction, refuse, [] {});
    return;
  }
  fail(from, "is written to so often that it cannot be copied");
}

void copy_whole_file(fs::path const& from, fs::path const& to) {
  file_descriptor const source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (source.get() < 0) fail(from, "cannot be read", errno);
  auto const target = create(to);
  pump(source, target, to, [] {});
}

void sync_to_disk(fs::path const& path) {
  if (auto const failure = disk::sync(path)) fail(path, "cannot be written to disk", failure.value());
}

void make_empty_directory(fs::path const& path) {
  std::error_code failure;
  fs::remove_all(path, failure);
  if (!failure) fs::create_directories(path, failure);
  if (!failure) fs::permissions(path, fs::perms::owner_all, failure);
  if (failure) fail(path, "cannot be made", failure.value());
}

void rename_to(fs::path const& from, fs::path const& to) {
  std::error_code failure;
  fs::rename(from, to, failure);
  if (failure) fail(to, "cannot be put in place", failure.value());
}

}  // namespace petstore::storage::lmdb
