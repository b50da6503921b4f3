// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "ledger.hpp"

#include <fcntl.h>
#include <lmdb.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "petstore/disk/sync.hpp"
#include "record.hpp"

namespace petstore::quota {
namespace {

/// The least maximum size of the file; it takes only the space of its contents. A million identities are about 190 MB.
constexpr std::size_t file_size_max_min = std::size_t{1} << 30;

/// The space for the two records that an address may have. A record has up to 200 bytes, and pages are half full in the
/// end.
constexpr std::size_t bytes_of_an_address = 2 * 512;

constexpr std::string_view data_file = "data.mdb";
constexpr std::string_view unfinished_file = "data.mdb.new";
constexpr std::string_view lock_file = "in-use";
constexpr std::string_view format_key = "format";
constexpr std::string_view format_name = "petstore quota ";

MDB_val to_val(std::string_view s) {
  return {s.size(), const_cast<char*>(s.data())};
}  // LMDB only reads it
std::string_view to_view(MDB_val v) {
  return {static_cast<char const*>(v.mv_data), v.mv_size};
}

struct abort_transaction {
  void operator()(MDB_txn* txn) const noexcept { mdb_txn_abort(txn); }
};

/// One transaction on the only table of the environment; aborted unless committed. Its functions return LMDB's code.
class transaction {
 public:
  int begin(MDB_env* environment, unsigned flags) {
    MDB_txn* txn = nullptr;
    int code = mdb_txn_begin(environment, nullptr, flags, &txn);
    txn_.reset(txn);
    return code != 0 ? code : mdb_dbi_open(txn, nullptr, 0, &table_);
  }
  int put(std::string_view key, std::string_view value) {
    MDB_val k = to_val(key);
    MDB_val v = to_val(value);
    return mdb_put(txn_.get(), table_, &k, &v, 0);
  }
  int erase(std::string_view key) {
    MDB_val k = to_val(key);
    int const code = mdb_del(txn_.get(), table_, &k, nullptr);
    return code == MDB_NOTFOUND ? 0 : code;
  }
  int get(std::string_view key, std::string_view& value) {
    MDB_val k = to_val(key);
    MDB_val v{};
    int const code = mdb_get(txn_.get(), table_, &k, &v);
    if (code == 0) value = to_view(v);
    return code;
  }
  int commit() { return mdb_txn_commit(txn_.release()); }

  MDB_txn* get() const { return txn_.get(); }
  MDB_dbi table() const { return table_; }

 private:
  std::unique_ptr<MDB_txn, abort_transaction> txn_;
  MDB_dbi table_ = 0;
};

}  // namespace

ledger::ledger(std::filesystem::path directory, std::size_t addresses_max)
    : directory_(std::move(directory)),
      file_size_max_(std::max(file_size_max_min, addresses_max * bytes_of_an_address)) {
  std::error_code error;
  // Quotas must not be readable for others.
  if (std::filesystem::create_directories(directory_, error))
    std::filesystem::permissions(directory_, std::filesystem::perms::owner_all, error);
  if (error || !std::filesystem::is_directory(directory_, error))
    fail("cannot be made", error ? error.value() : ENOTDIR);
  bool const has_data = std::filesystem::exists(directory_ / data_file, error);
  if (!has_data) {
    for (auto const& entry : std::filesystem::directory_iterator(directory_, error))
      if (entry.path().filename() != lock_file && entry.path().filename() != unfinished_file)
        fail("is not empty and holds no quotas", 0);
  }
  if (error) fail("cannot be read", error.value());
  lock();
  if (!std::filesystem::exists(directory_ / data_file, error)) create();
  sync_names();
  open();
  check_format();
}

/// The lock belongs to the open file and not to the process: a second instance in the same program is refused, too.
void ledger::lock() {
  lock_ = disk::file_descriptor(::open((directory_ / lock_file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock_.get() >= 0 && ::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) fail("is in use by another server", EWOULDBLOCK);
  fail("cannot be locked", errno);
}

/// The file gets its name when it is complete and on disk: after a power cut there must not be an incomplete file,
/// which LMDB would refuse.
void ledger::create() {
  auto const unfinished = directory_ / unfinished_file;
  std::error_code error;
  std::filesystem::remove(unfinished, error);
  open(unfinished, MDB_NOSUBDIR);
  check_format();
  environment_.reset();
  std::filesystem::rename(unfinished, directory_ / data_file, error);
  if (error) fail("cannot be made", error.value());
}

/// The name of a file survives a power cut when its directory is synced. At every start, since the process that created
/// the file may have ended before it did this.
void ledger::sync_names() const {
  for (auto const& directory : {directory_, std::filesystem::absolute(directory_).parent_path()})
    if (auto const failure = disk::sync_names(directory)) fail("cannot be synced", failure.value());
}

void ledger::open() {
  open(directory_, 0);
}

void ledger::open(std::filesystem::path const& path, unsigned flags) {
  MDB_env* environment = nullptr;
  if (int const code = mdb_env_create(&environment); code != 0) fail("cannot be opened", code);
  std::unique_ptr<MDB_env, close_environment> opened(environment);
  if (int const code = mdb_env_set_mapsize(environment, file_size_max_); code != 0) fail("cannot be opened", code);
  // LMDB's own lock file is for several processes and reader threads; here one thread at a time holds our lock.
  int const code = mdb_env_open(environment, path.c_str(), MDB_NOLOCK | MDB_NOTLS | flags, 0600);
  if (code == MDB_INVALID || code == MDB_VERSION_MISMATCH) fail("holds a file that is no quota file", code);
  if (code != 0) fail("cannot be opened", code);
  environment_ = std::move(opened);
}

void ledger::check_format() {
  transaction reading;
  if (int const code = reading.begin(environment_.get(), MDB_RDONLY); code != 0) fail("cannot be read", code);
  MDB_stat statistics{};
  if (int const code = mdb_stat(reading.get(), reading.table(), &statistics); code != 0) fail("cannot be read", code);
  if (statistics.ms_entries == 0) {
    reading = {};
    is_older_ = true;
    return write({});
  }
  std::string_view found;
  int const code = reading.get(format_key, found);
  if (code != 0 && code != MDB_NOTFOUND) fail("cannot be read", code);
  std::uint32_t version = 0;
  if (found.starts_with(format_name)) {
    found.remove_prefix(format_name.size());
    std::from_chars(found.data(), found.data() + found.size(), version);
  }
  if (version == 0) fail("holds an LMDB file of another kind", 0);
  if (version > format_version)
    fail("was written in format " + std::to_string(version) + ", which is newer than this program's " +
             std::to_string(format_version),
         0);
  is_older_ = version < format_version;
}

void ledger::read_all(std::function<void(std::string_view, std::string_view)> const& visit) {
  transaction reading;
  if (int const code = reading.begin(environment_.get(), MDB_RDONLY); code != 0) fail("cannot be read", code);
  MDB_cursor* raw = nullptr;
  if (int const code = mdb_cursor_open(reading.get(), reading.table(), &raw); code != 0) fail("cannot be read", code);
  std::unique_ptr<MDB_cursor, decltype(&mdb_cursor_close)> const cursor(raw, &mdb_cursor_close);
  MDB_val key{};
  MDB_val value{};
  int code = mdb_cursor_get(raw, &key, &value, MDB_FIRST);
  for (; code == 0; code = mdb_cursor_get(raw, &key, &value, MDB_NEXT))
    if (to_view(key) != format_key) visit(to_view(key), to_view(value));
  if (code != MDB_NOTFOUND) fail("cannot be read", code);
}

void ledger::write(std::span<change const> changes) {
  if (!environment_) open();
  transaction writing;
  int code = writing.begin(environment_.get(), 0);
  if (code == 0 && is_older_) code = writing.put(format_key, std::string(format_name) + std::to_string(format_version));
  for (change const& c : changes) {
    if (code != 0) break;
    code = c.value ? writing.put(c.key, *c.value) : writing.erase(c.key);
  }
  if (code == 0) code = writing.commit();
  if (code == 0) {
    is_older_ = false;
    return;
  }
  writing = {};
  environment_.reset();
  fail("cannot be written", code);
}

void ledger::fail(std::string_view what, int code) const {
  std::string sentence = "quota directory " + directory_.string() + " " + std::string(what);
  if (code > 0) throw std::system_error(code, std::generic_category(), sentence);
  if (code < 0) sentence.append(": ").append(mdb_strerror(code));
  throw std::runtime_error(sentence);
}

void ledger::close_environment::operator()(MDB_env* environment) const noexcept {
  mdb_env_close(environment);
}

}  // namespace petstore::quota
