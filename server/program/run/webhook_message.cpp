// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/webhook_message.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <stdexcept>

#include "petstore/hex.hpp"
#include "petstore/json_object.hpp"
#include "petstore/key_record.hpp"

namespace petstore::program {

std::string body_of(server::quota_threshold const& t) {
  std::string body;
  json_object out{body};
  out.add("event", "quota.threshold");
  out.add("key", key_id(t.key)).add("identity", key_id(t.identity));
  out.add("window", limits::name_of(t.window)).add("percent", t.percent).add("limit", t.limit).add("used", t.used);
  out.add("resetsAt", unix_ms{t.resets_at});
  out.close();
  return body;
}

std::string signature_of(std::string_view secret, std::chrono::sys_seconds at, std::string_view body) {
  auto const unix_s = at.time_since_epoch().count();
  std::string const text = fmt::format("{}.{}", unix_s, body);
  std::array<unsigned char, 32> mac{};
  auto const* const bytes = reinterpret_cast<unsigned char const*>(text.data());
  if (!::HMAC(::EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytes, text.size(), mac.data(), nullptr))
    throw std::runtime_error("the message cannot be signed");
  return fmt::format("t={},v1={}", unix_s, to_hex(mac));
}

}  // namespace petstore::program
