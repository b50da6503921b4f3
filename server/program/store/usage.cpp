// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/usage.hpp"

#include <stdlib.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>

#include "petstore/quota/local.hpp"
#include "petstore/storage/lmdb_maintenance.hpp"

namespace petstore::program {
namespace {

namespace fs = std::filesystem;

class temporary_directory {
 public:
  temporary_directory() {
    auto name = (fs::temp_directory_path() / "petstore-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
  }
  ~temporary_directory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  temporary_directory(temporary_directory const&) = delete;
  temporary_directory& operator=(temporary_directory const&) = delete;

  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

unix_ms last_write(fs::path const& file) {
  auto const at = std::chrono::file_clock::to_sys(fs::last_write_time(file));
  return std::chrono::floor<std::chrono::milliseconds>(at);
}

}  // namespace

std::optional<kept_usage> read_usage(fs::path const& store, std::vector<identity_record> const& identities) {
  auto const file = store / "quota" / "data.mdb";
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  // Reads a copy, since a running server may write to the original at the same time.
  temporary_directory const directory;
  kept_usage kept;
  kept.as_of = last_write(file);
  if (!storage::copy_lmdb_quotas(store, directory.path() / "quota")) return std::nullopt;
  auto const quotas = quota::read_kept_quotas(directory.path() / "quota");
  for (auto const& identity : identities) {
    auto const found = quotas.find(identity.number);
    bool const is_current = found != quotas.end() && found->second.resets >= identity.quota_resets;
    if (is_current) kept.accounts.emplace(identity.number, found->second.account);
  }
  return kept;
}

usage usage_of(kept_usage const& kept, std::uint64_t identity, limits::refill refill, unix_ms now) {
  usage used;
  if (kept.unreadable.contains(identity)) return used;
  used.of_long = 0;
  if (refill == limits::refill::periodic) used.of_short = 0;
  auto const found = kept.accounts.find(identity);
  if (found == kept.accounts.end()) return used;
  auto const& account = found->second;
  auto const is_open = [now](std::int64_t end_unix_ms) {
    return now < unix_ms{std::chrono::milliseconds{end_unix_ms}};
  };
  if (used.of_short && is_open(account.short_end_unix_ms)) used.of_short = account.short_used;
  if (is_open(account.long_end_unix_ms)) used.of_long = account.long_used;
  return used;
}

}  // namespace petstore::program
