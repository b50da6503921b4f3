// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "transfer/copy.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "outcome.hpp"
#include "store/await.hpp"
#include "store/value_or_fail.hpp"

namespace petstore::program {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t audit_entries_at_once = 1000;

/// A temporary file for the records. With it, the source is read at once, as one consistent snapshot, and not at the
/// speed of the target.
class temporary_file {
 public:
  temporary_file() {
    int const fd = ::mkstemp(path_.data());
    if (fd < 0) throw command_error("cannot write '" + path_ + "' (TMPDIR names another place)");
    ::close(fd);
  }
  ~temporary_file() { ::unlink(path_.c_str()); }
  temporary_file(temporary_file const&) = delete;
  temporary_file& operator=(temporary_file const&) = delete;

  fs::path path() const { return path_; }

 private:
  std::string path_ = (fs::temp_directory_path() / "petstore-copy-XXXXXX").string();
};

ports::key_archive read_key_archive(ports::store& from) {
  auto directory = value_or_fail(await(from.read_keys()), "the keys cannot be read");
  ports::key_archive archive{std::move(directory.keys), std::move(directory.identities), {}};
  auto& log = archive.audit_log;
  for (;;) {
    auto const after = log.empty() ? 0 : log.back().sequence;
    auto entries = value_or_fail(await(from.read_audit_log(after, audit_entries_at_once)), "the keys cannot be read");
    if (entries.empty()) return archive;
    log.insert(log.end(), std::make_move_iterator(entries.begin()), std::make_move_iterator(entries.end()));
  }
}

}  // namespace

void copy_command(ports::store& from, ports::store& to, std::atomic<bool> const& source_is_damaged, streams io) {
  if (from.environment() != to.environment()) {
    throw command_error("the source is for " + std::string(to_string(from.environment())) + " and the target for " +
                        std::string(to_string(to.environment())) + ": its keys would not work there");
  }
  // The keys come first, because a target that refuses them does so soon.
  auto archive = read_key_archive(from);
  if (source_is_damaged)
    throw command_error(
        "nothing is copied: the source is damaged, so a key or an entry of its audit log would be lost");
  auto const keys = archive.keys.size();
  value_or_fail(await(to.import_keys(std::move(archive))), "the keys cannot be copied");
  io.err << "copied " << keys << (keys == 1 ? " key\n" : " keys\n");

  temporary_file const records;
  export_command(from, {records.path(), true}, io);
  import_command(to, {records.path()}, io);
}

}  // namespace petstore::program
