// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "petstore/disk/file_descriptor.hpp"
#include "petstore/quota/quota_records.hpp"

struct MDB_env;

namespace petstore::quota {

/// A quota directory: an LMDB environment of its own, open in one process at a time. So its writes never wait for those
/// of the store, and those of the store never wait for it.
///
/// Thread safety: none; its owner calls it from one thread at a time. Functions throw std::runtime_error with a
/// sentence that names the directory and the cause; a failure of the operating system is std::system_error.
class ledger final : public quota_records {
 public:
  /// Opens the directory, or creates it if it does not exist or is empty. The file may grow to 1 GiB, or to what the
  /// records of that many addresses take, so that they leave space for those of identities.
  explicit ledger(std::filesystem::path directory, std::size_t addresses_max = 0);

  void read_all(std::function<void(std::string_view key, std::string_view value)> const& visit) override;
  /// After a failure the next call reopens the file: the outcome of a failed sync is unknown, so the changes must be
  /// written again.
  void write(std::span<change const>) override;

 private:
  struct close_environment {
    void operator()(MDB_env*) const noexcept;
  };

  void lock();
  void create();
  void sync_names() const;
  void open();
  void open(std::filesystem::path const&, unsigned flags);
  void check_format();
  [[noreturn]] void fail(std::string_view what, int code) const;

  std::filesystem::path directory_;
  std::size_t file_size_max_;
  bool is_older_ = false;  ///< its format; older records can be read, and the next write makes it the present one
  /// The right to be the only one who has the directory open; given up when the process ends, however it ends.
  disk::file_descriptor lock_;
  std::unique_ptr<MDB_env, close_environment> environment_;  // null after a failed write
};

}  // namespace petstore::quota
