// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>

#include "commands/await.hpp"
#include "commands/outcome.hpp"
#include "commands/transfer.hpp"
#include "commands/transfer_format.hpp"
#include "commands/transfer_progress.hpp"

namespace petstore::program {
namespace {

namespace fs = std::filesystem;

class line_writer final : public ports::export_sink {
 public:
  line_writer(petstore::environment e, std::ostream& out, transfer_streams streams)
      : environment_(e), out_(out), streams_(streams) {}

  void begin(ports::export_summary const& s) override {
    bar_.emplace(streams_.err, streams_.err_is_terminal, "exporting", s.categories + s.pets + s.orders);
    line_.clear();
    append_header(line_, environment_, s);
    out_ << line_;
  }

  bool take(ports::record_kind kind, std::string_view record) override {
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
  transfer_streams const streams_;
  std::optional<progress> bar_;
  std::string line_;
  std::uint64_t taken_ = 0;
};

std::uint64_t write(ports::store& store, std::ostream& out, transfer_streams streams) {
  line_writer sink(store.environment(), out, streams);
  auto const exported = await(store.export_records(sink));
  sink.finish();
  if (!exported) throw command_error("the store cannot be read: " + exported.error().cause);
  if (!out.flush()) throw command_error("the export cannot be written: " + std::generic_category().message(errno));
  return sink.taken();
}

/// On disk before it gets its name, so that the name never stands for less than the whole.
void publish(fs::path const& partial, fs::path const& output) {
  int const fd = ::open(partial.c_str(), O_RDONLY | O_CLOEXEC);
  bool const synced = fd >= 0 && ::fsync(fd) == 0;
  if (fd >= 0) ::close(fd);
  std::error_code failure;
  if (synced) fs::rename(partial, output, failure);
  if (!synced || failure) throw command_error("cannot write '" + output.string() + "'");
}

}  // namespace

void export_command(ports::store& store, export_options const& options, transfer_streams streams) {
  std::uint64_t count = 0;
  if (options.output.empty()) {
    count = write(store, streams.out, streams);
  } else {
    auto const partial = fs::path(options.output) += ".partial";
    std::ofstream file(partial, std::ios::binary | std::ios::trunc);
    if (!file) throw usage_error("cannot write '" + partial.string() + "': " + std::generic_category().message(errno));
    try {
      count = write(store, file, streams);
      file.close();
      publish(partial, options.output);
    } catch (...) {
      std::error_code ignored;
      fs::remove(partial, ignored);
      throw;
    }
  }
  streams.err << "exported " << count << " records\n";
}

}  // namespace petstore::program
