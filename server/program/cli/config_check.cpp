// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/config_check.hpp"

#include <chrono>
#include <string>
#include <vector>

#include "run/certificates.hpp"
#include "run/parts.hpp"
#include "run/quota_backend.hpp"
#include "run/token_file.hpp"
#include "run/webhook_secret.hpp"
#include "store/open_store.hpp"

namespace petstore::program {
namespace {

template <class Check>
void collect_faults(std::vector<std::string>& faults, Check check) {
  try {
    check();
  } catch (config_error const& wrong) {
    faults.insert(faults.end(), wrong.faults.begin(), wrong.faults.end());
  }
}

}  // namespace

void config_check_command(loaded_settings const& loaded, streams out) {
  for (auto const& warning : loaded.warnings) out.err << "warning: " << warning << '\n';
  std::vector<std::string> faults;
  collect_faults(faults, [&] { validate_store(loaded); });
  if (loaded.values.quota.redis) collect_faults(faults, [&] { validate_redis_address(loaded); });
  collect_faults(faults, [&] {
    for (auto const& warning : check_certificates(loaded, std::chrono::system_clock::now()))
      out.err << "warning: tls-cert: " << warning << '\n';
  });
  collect_faults(faults, [&] { token_file(loaded, {}); });
  collect_faults(faults, [&] { webhook_secret(loaded, {}); });
  if (!faults.empty()) throw config_error(std::move(faults));
  out.out << "the configuration is sound for `petstore serve`\n";
}

}  // namespace petstore::program
