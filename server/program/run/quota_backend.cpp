// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/quota_backend.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <system_error>
#include <utility>

#include "petstore/ports/open_error.hpp"
#include "petstore/quota/local.hpp"

namespace petstore::program {
namespace {

class local_backend final : public quota_backend {
 public:
  explicit local_backend(quota::local_options options) : quota_(quota::open_local_quota(std::move(options))) {}
  ports::quota_source& source() override { return *quota_; }
  bool close() override { return quota_->close(); }
  void set_bans(limits::ban_policy const& bans) override { quota_->set_bans(bans); }

 private:
  std::unique_ptr<quota::local_quota> const quota_;
};

std::unique_ptr<quota_backend> open_local_quotas(loaded_settings const& loaded, ports::report_function report) {
  quota::local_options options;
  auto const& store = *loaded.values.store;
  if (store.traits().has_directory) options.directory = store.directory / "quota";
  options.bans = loaded.values.bans;
  options.addresses_max = loaded.values.anonymous_addresses_max;
  options.report = std::move(report);
  auto const fault = [&](std::runtime_error const& failure) {
    return fmt::format("store: {} (from {})", failure.what(), loaded.source_of("store"));
  };
  try {
    return std::make_unique<local_backend>(std::move(options));
  } catch (std::system_error const& failure) {
    throw_fault(fault(failure), ports::may_pass(failure.code()));
  } catch (std::runtime_error const& failure) {
    throw config_error({fault(failure)});
  }
}

}  // namespace

std::unique_ptr<quota_backend> open_quotas(loaded_settings const& loaded, ports::report_function report) {
  bool const shared = loaded.values.quota.redis.has_value();
  return shared ? open_shared_quotas(loaded, std::move(report)) : open_local_quotas(loaded, std::move(report));
}

}  // namespace petstore::program
