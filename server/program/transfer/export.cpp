// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <system_error>

#include "outcome.hpp"
#include "petstore/disk/file_descriptor.hpp"
#include "petstore/disk/lock.hpp"
#include "petstore/disk/sync.hpp"
#include "store/await.hpp"
#include "store/value_or_fail.hpp"
#include "transfer/transfer.hpp"
#include "transfer/transfer_format.hpp"
#include "transfer/transfer_progress.hpp"

namespace petstore::program {
namespace {

namespace fs = std::filesystem;

class line_writer final : public ports::export_sink {
 public:
  line_writer(petstore::environment e, std::ostream& out, streams io) : environment_(e), out_(out), streams_(io) {}

  void begin(ports::export_summary const& s) override {
    bar_.emplace(streams_.err, streams_.err_is_terminal, "exporting", s.categories + s.pets + s.orders);
    line_.clear();
    append_header(line_, environment_, s);
    out_ << line_;
  }

  bool take(record_kind kind, std::string_view record) override {
    line_.clear();
    append_line(line_, kind, record);
    out_ << line_;
    bar_->advance_to(++taken_);
    return out_.good();
  }

  std::uint64_t taken() const noexcept { return taken_; }
  void finish() { bar_.reset(); }

 private:
  petstore::environment const environment_;
  std::ostream& out_;
  streams const streams_;
  std::optional<progress> bar_;
  std::string line_;
  std::uint64_t taken_ = 0;
};

std::uint64_t write(ports::store& store, std::ostream& out, streams io) {
  line_writer sink(store.environment(), out, io);
  auto const exported = await(store.export_records(sink));
  sink.finish();
  value_or_fail(exported, "the store cannot be read");
  if (!out.flush()) throw command_error("the export cannot be written: " + std::generic_category().message(errno));
  return sink.taken();
}

/// Writes to a temporary file first, and then to standard output. A reader of standard output may be slow, and the
/// store needs space for its snapshot as long as that is being read.
std::uint64_t write_through_temporary_file(ports::store& store, streams io) {
  auto path = (fs::temp_directory_path() / "petstore-export-XXXXXX").string();
  int const fd = ::mkstemp(path.data());
  std::fstream records(path, std::ios::binary | std::ios::in | std::ios::out);
  if (fd >= 0) {
    ::close(fd);
    ::unlink(path.c_str());
  }
  if (fd < 0 || !records) throw command_error("cannot write '" + path + "' (TMPDIR names another place)");
  auto const count = write(store, records, io);
  records.seekg(0);
  io.out << records.rdbuf();
  if (!io.out.flush()) throw command_error("the export cannot be written: " + std::generic_category().message(errno));
  return count;
}

/// Opens and locks a file that only its owner may read, also if an interrupted export has left it with other
/// permissions: the owner of the data decides who else may read it. The lock is held as long as the descriptor. On a
/// filesystem without locks, two exports into one file are the owner's to prevent.
disk::file_descriptor lock_for_owner(fs::path const& path) {
  disk::file_descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
  if (file.get() < 0 || ::fchmod(file.get(), 0600) != 0)
    throw usage_error("cannot write '" + path.string() + "': " + std::generic_category().message(errno));
  if (!disk::lock_alone(file, path)) throw command_error("another export is writing '" + path.string() + "'");
  return file;
}

void require_no_output(export_options const& options) {
  std::error_code ignored;
  if (!options.may_replace && fs::exists(fs::symlink_status(options.output, ignored)))
    throw usage_error("'" + options.output.string() + "' is there already: --force replaces it");
}

/// Syncs the file to the disk before it gets its name, so that a file of that name is always complete.
void publish(fs::path const& partial, fs::path const& output) {
  auto failure = disk::sync(partial);
  if (!failure) fs::rename(partial, output, failure);
  auto const directory = output.has_parent_path() ? output.parent_path() : fs::path(".");
  if (!failure) failure = disk::sync_names(directory);
  if (failure) throw command_error("cannot write '" + output.string() + "': " + failure.message());
}

}  // namespace

void export_command(ports::store& store, export_options const& options, streams io) {
  std::uint64_t count = 0;
  if (options.output.empty()) {
    count = write_through_temporary_file(store, io);
  } else {
    auto const partial = fs::path(options.output) += ".partial";
    require_no_output(options);
    auto const lock = lock_for_owner(partial);
    std::error_code ignored;
    try {
      require_no_output(options);  // another export may have ended meanwhile
      std::ofstream file(partial, std::ios::binary | std::ios::trunc);
      count = write(store, file, io);
      file.close();
      publish(partial, options.output);
    } catch (...) {
      fs::remove(partial, ignored);
      throw;
    }
  }
  io.err << "exported " << count << " records\n";
}

}  // namespace petstore::program
