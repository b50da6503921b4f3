// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "ledger.hpp"
#include "option_range.hpp"
#include "petstore/quota/local.hpp"

namespace petstore::quota {

std::unique_ptr<local_quota> open_local_quota(local_options options) {
  checked(options);  // before a directory is made
  std::unique_ptr<quota_records> records;
  if (options.directory)
    records = std::make_unique<ledger>(*std::exchange(options.directory, std::nullopt), options.addresses_max);
  return make_local_quota(std::move(options), std::move(records));
}

std::unordered_map<std::uint64_t, kept_quota> read_kept_quotas(std::filesystem::path const& directory) {
  ledger records(directory);
  return read_kept_quotas(records);
}

}  // namespace petstore::quota
